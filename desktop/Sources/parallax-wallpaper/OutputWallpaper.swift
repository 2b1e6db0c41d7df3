// SPDX-License-Identifier: Apache-2.0

import CWayland
import ParallaxWallpaperCore

/// The wallpaper on one output, or in a window: a surface with a subsurface for each layer. It shows what a
/// `PictureStore` has drawn.
final class OutputWallpaper {
  let output: Output
  private let globals: Compositor.Globals
  private let store: PictureStore
  private let surface: OpaquePointer
  private let role: SurfaceRole
  private let viewport: OpaquePointer
  private let fractional: OpaquePointer?
  private var scaleListener: Listener<wp_fractional_scale_v1_listener>?
  private var frameListener: Listener<wl_callback_listener>?
  private var frame: OpaquePointer?

  private var width = 0
  private var height = 0
  /// As the compositor prefers it; nil before it says so.
  private var fractionalScale: Double?
  private var picture: Picture?
  /// The picture in the present size; it may be still drawn, or be broken.
  private var wanted: Drawing?
  private var shown: Drawing?
  /// The last drawing whose errors were looked at.
  private var examined: Drawing?
  /// What the layers fit at present, perhaps stretched.
  private var visibleFit: Fit?
  private var background: ImageBuffer?
  private var backgroundColor: UInt32?
  private var layers: [LayerSurface] = []
  private var schedule = DrawingSchedule()

  /// The size in logical px; 0 before it is known.
  var size: (width: Int, height: Int) { (width, height) }
  /// The pictures that are tried for this output.
  var paths: [String] = []
  /// Returns the offset in a picture that is drawn at an instant of CLOCK_MONOTONIC and seen so much later, both in
  /// ns, as a fraction of the range.
  var fraction: (Int64, Int64) -> (x: Double, y: Double) = { _, _ in (0, 0) }
  /// A picture was drawn, with or without errors.
  var drawn: ([WallpaperError]) -> Void = { _ in }
  /// The compositor has removed the surface.
  var closed: () -> Void = {}

  /// - Parameters:
  ///   - output: The one that it covers, or for a window any.
  ///   - makeRole: Makes the surface a part of the desktop.
  init(
    _ compositor: Compositor, _ output: Output, _ store: PictureStore,
    makeRole: (OpaquePointer) -> SurfaceRole
  ) {
    self.output = output
    self.store = store
    let globals = compositor.globals
    let surface: OpaquePointer = wl_compositor_create_surface(globals.compositor)
    self.globals = globals
    self.surface = surface
    viewport = wp_viewporter_get_viewport(globals.viewporter, surface)
    fractional = globals.fractionalScale.flatMap {
      wp_fractional_scale_manager_v1_get_fractional_scale($0, surface)
    }
    role = makeRole(surface)
    listen()
    wl_surface_commit(surface)
  }

  deinit {
    if let frame { wl_callback_destroy(frame) }
    layers = []
    if let fractional { wp_fractional_scale_v1_destroy(fractional) }
    wp_viewport_destroy(viewport)
    role.destroy()
    wl_surface_destroy(surface)
  }

  private func listen() {
    role.configured = { [weak self] width, height in
      guard let self else { return }
      (self.width, self.height) = (width, height)
      update()
    }
    role.closed = { [weak self] in self?.closed() }
    frameListener = Listener(
      wl_callback_listener(done: { data, _, _ in
        listened(data, as: OutputWallpaper.self)?.frameIsDue()
      }))
    guard let fractional else { return }
    let scaleListener = Listener(
      wp_fractional_scale_v1_listener(preferred_scale: { data, _, parts in
        guard let wallpaper = listened(data, as: OutputWallpaper.self), parts > 0 else { return }
        wallpaper.fractionalScale = Double(parts) / 120
        wallpaper.update()
      }))
    self.scaleListener = scaleListener
    wp_fractional_scale_v1_add_listener(fractional, scaleListener.pointer, listenerData(self))
  }

  // MARK: - What is shown

  /// Whether there is no picture yet.
  var isEmpty: Bool { shown == nil }

  /// Shows a picture as soon as it is drawn; until then, the present one stays.
  func show(_ picture: Picture) {
    self.picture = picture
    update()
  }

  /// Takes over another size or scale of the output.
  func update() {
    guard let picture, let fit = fit(picture), wanted?.picture !== picture || wanted?.fit != fit
    else { return }
    wanted = store.drawing(picture, fit)
    if let shown, let size = self.fit(shown.picture) { stretch(to: size) }
    take()
  }

  /// Returns how a picture fits this output; nil as long as its size is unknown.
  private func fit(_ picture: Picture) -> Fit? {
    guard width > 0, height > 0 else { return nil }
    let scale = OutputScale.value(
      preferred: fractionalScale, mode: output.mode, isSideways: output.transform.isSideways,
      width: width, height: height, whole: output.scale)
    return picture.fit(width: width, height: height, scale: scale)
  }

  /// Shows the picture if it is drawn now. A broken one is shown as far as it can be, but only if there is none.
  func take() {
    guard let new = wanted, new !== shown, new !== examined, let drawn = new.layers else { return }
    examined = new
    self.drawn(new.errors)
    guard new.errors.isEmpty || shown == nil else { return }
    showBackground(new.picture.background, new.fit)
    // New surfaces lie over older ones, so from back to front, and the old ones go once these are visible.
    let old = layers
    layers = drawn.map { LayerSurface(globals, parent: surface, $0, fit: new.fit) }
    shown = new
    visibleFit = new.fit
    commit()
    withExtendedLifetime(old) {}
  }

  /// Shows the present picture in another size.
  private func stretch(to fit: Fit) {
    guard fit != visibleFit else { return }
    visibleFit = fit
    if let shown { showBackground(shown.picture.background, fit) }
    for layer in layers { layer.stretch(to: fit) }
    commit()
  }

  private func commit() {
    let now = monotonicNanoseconds()
    _ = schedule.wake(at: now)
    draw(at: now)
  }

  private func showBackground(_ rgb: UInt32, _ fit: Fit) {
    let (width, height) = (Int32(fit.outputWidth), Int32(fit.outputHeight))
    let color = 0xFF00_0000 | rgb
    if color != backgroundColor,
      let pixels = try? SharedPixels(width: 1, height: 1, draw: { $0[0] = color })
    {
      let buffer = ImageBuffer(globals.shm, pixels)
      background = buffer
      backgroundColor = color
      wl_surface_attach(surface, buffer.object, 0, 0)
      wl_surface_damage_buffer(surface, 0, 0, 1, 1)
    }
    wp_viewport_set_destination(viewport, width, height)
    let opaque = wl_compositor_create_region(globals.compositor)
    wl_region_add(opaque, 0, 0, width, height)
    wl_surface_set_opaque_region(surface, opaque)
    wl_region_destroy(opaque)
  }

  // MARK: - Frames

  /// Returns whether no one sees the picture, as far as the compositor says so.
  func isHidden(at now: Int64) -> Bool { schedule.isHidden(at: now) }

  /// As of `DrawingSchedule`.
  var hiddenFrom: Int64? { schedule.hiddenFrom }

  /// The stream has news.
  func wake(at now: Int64) {
    guard shown != nil, schedule.wake(at: now) else { return }
    draw(at: now)
  }

  private func frameIsDue() {
    if let frame { wl_callback_destroy(frame) }
    frame = nil
    let now = monotonicNanoseconds()
    if schedule.frame(at: now) { draw(at: now) }
  }

  private func draw(at now: Int64) {
    // The compositor shows it with its next frame.
    let fraction = fraction(now, output.frameNanoseconds)
    var isChanged = false
    for layer in layers where layer.move(x: fraction.x, y: fraction.y) { isChanged = true }
    if isChanged { schedule.drew(at: now) }
    if frame == nil {
      frame = wl_surface_frame(surface)
      if let frameListener {
        wl_callback_add_listener(frame, frameListener.pointer, listenerData(self))
      }
    }
    wl_surface_commit(surface)
  }
}
