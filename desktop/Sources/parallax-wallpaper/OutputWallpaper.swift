// SPDX-License-Identifier: Apache-2.0

import CWayland
import ParallaxWallpaperCore

/// The wallpaper on one output: a background surface of the compositor's layer shell, with a subsurface for
/// each layer.
final class OutputWallpaper {
  let output: Output
  private let globals: Compositor.Globals
  private var picture: Picture
  private let surface: OpaquePointer
  private let layerSurface: OpaquePointer
  private let viewport: OpaquePointer
  private let fractional: OpaquePointer?
  private var listener: Listener<zwlr_layer_surface_v1_listener>?
  private var scaleListener: Listener<wp_fractional_scale_v1_listener>?
  private var frameListener: Listener<wl_callback_listener>?
  private var frame: OpaquePointer?

  private var width = 0
  private var height = 0
  /// As the compositor prefers it; nil before it says so.
  private var fractionalScale: Double?
  private var range = MotionRange.standard
  private var shown: Fit?
  /// The motion that the shown pixels have a margin for.
  private var shownRange = MotionRange.standard
  private var background: ImageBuffer?
  private var backgroundColor: UInt32?
  private var layers: [LayerSurface] = []
  private var schedule = DrawingSchedule()

  /// Returns the offset at an instant of CLOCK_MONOTONIC, ns.
  var offset: (Int64) -> (x: Double, y: Double) = { _ in (0, 0) }
  /// The picture cannot be shown.
  var failed: (WallpaperError) -> Void = { _ in }
  /// The compositor has removed the surface.
  var closed: () -> Void = {}

  init(_ compositor: Compositor, _ output: Output, _ picture: Picture, range: MotionRange) {
    self.output = output
    self.picture = picture
    self.range = range
    let globals = compositor.globals
    let surface: OpaquePointer = wl_compositor_create_surface(globals.compositor)
    self.globals = globals
    self.surface = surface
    viewport = wp_viewporter_get_viewport(globals.viewporter, surface)
    layerSurface = zwlr_layer_shell_v1_get_layer_surface(
      globals.layerShell, surface, output.object, ZWLR_LAYER_SHELL_V1_LAYER_BACKGROUND.rawValue,
      "wallpaper")
    fractional = globals.fractionalScale.flatMap {
      wp_fractional_scale_manager_v1_get_fractional_scale($0, surface)
    }
    letInputPass(surface, globals)
    listen()
    zwlr_layer_surface_v1_set_size(layerSurface, 0, 0)
    let edges = [
      ZWLR_LAYER_SURFACE_V1_ANCHOR_TOP, ZWLR_LAYER_SURFACE_V1_ANCHOR_BOTTOM,
      ZWLR_LAYER_SURFACE_V1_ANCHOR_LEFT, ZWLR_LAYER_SURFACE_V1_ANCHOR_RIGHT,
    ]
    zwlr_layer_surface_v1_set_anchor(layerSurface, edges.reduce(0) { $0 | $1.rawValue })
    // Under the panels, not beside them.
    zwlr_layer_surface_v1_set_exclusive_zone(layerSurface, -1)
    wl_surface_commit(surface)
  }

  deinit {
    if let frame { wl_callback_destroy(frame) }
    layers = []
    if let fractional { wp_fractional_scale_v1_destroy(fractional) }
    wp_viewport_destroy(viewport)
    zwlr_layer_surface_v1_destroy(layerSurface)
    wl_surface_destroy(surface)
  }

  private func listen() {
    let listener = Listener(
      zwlr_layer_surface_v1_listener(
        configure: { data, surface, serial, width, height in
          zwlr_layer_surface_v1_ack_configure(surface, serial)
          guard let wallpaper = listened(data, as: OutputWallpaper.self) else { return }
          (wallpaper.width, wallpaper.height) = (Int(width), Int(height))
          wallpaper.update()
        },
        closed: { data, _ in listened(data, as: OutputWallpaper.self)?.closed() }))
    self.listener = listener
    zwlr_layer_surface_v1_add_listener(layerSurface, listener.pointer, listenerData(self))
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

  /// The pixels of a picture for this output.
  struct Prepared {
    fileprivate var fit: Fit
    fileprivate var range: MotionRange
    fileprivate var layers: [FittedLayer]
  }

  /// Returns the pixels of a picture; nil as long as the output's size is unknown.
  ///
  /// - Parameter leftOut: As of `Picture.layers`.
  func prepare(
    _ picture: Picture, range: MotionRange, leftOut: ((WallpaperError) -> Void)? = nil
  ) throws(WallpaperError) -> Prepared? {
    guard width > 0, height > 0 else { return nil }
    let scale = OutputScale.value(
      preferred: fractionalScale, mode: output.mode, isSideways: output.transform.isSideways,
      width: width, height: height, whole: output.scale)
    let fit = picture.fit(width: width, height: height, scale: scale, range: range)
    if picture === self.picture, fit == shown, range == shownRange { return nil }
    return Prepared(
      fit: fit, range: range,
      layers: try picture.layers(fit, range: range, leftOut: leftOut))
  }

  /// Shows a picture from now on.
  func replace(_ picture: Picture, _ prepared: Prepared?) {
    self.picture = picture
    if let prepared { show(prepared) }
  }

  /// Takes over the range of the motion, or another size or scale of the output.
  func update(range: MotionRange? = nil) {
    if let range { self.range = range }
    do throws(WallpaperError) {
      // The first picture is shown as far as it can be; afterwards, the last one stays.
      if let prepared = try prepare(
        picture, range: self.range, leftOut: shown == nil ? failed : nil)
      {
        show(prepared)
      }
    } catch {
      failed(error)
    }
  }

  private func show(_ prepared: Prepared) {
    let (width, height) = (prepared.fit.outputWidth, prepared.fit.outputHeight)
    showBackground(width: width, height: height)
    // New surfaces lie over older ones, so from back to front, and the old ones go once these are visible.
    let old = layers
    // Compositor.init requires shm.
    guard let shm = globals.shm else { return }
    layers = prepared.layers.map { layer in
      LayerSurface(
        globals, parent: surface, depth: layer.depth, placement: layer.placement,
        buffer: ImageBuffer(shm, layer.pixels))
    }
    shown = prepared.fit
    shownRange = prepared.range
    let now = monotonicNanoseconds()
    _ = schedule.wake(at: now)
    draw(at: now)
    withExtendedLifetime(old) {}
  }

  private func showBackground(width: Int, height: Int) {
    let color = 0xFF00_0000 | picture.background
    if color != backgroundColor, let shm = globals.shm,
      let pixels = try? SharedPixels(width: 1, height: 1, draw: { $0[0] = color })
    {
      let buffer = ImageBuffer(shm, pixels)
      background = buffer
      backgroundColor = color
      wl_surface_attach(surface, buffer.object, 0, 0)
      wl_surface_damage_buffer(surface, 0, 0, 1, 1)
    }
    wp_viewport_set_destination(viewport, Int32(width), Int32(height))
    let opaque = wl_compositor_create_region(globals.compositor)
    wl_region_add(opaque, 0, 0, Int32(width), Int32(height))
    wl_surface_set_opaque_region(surface, opaque)
    wl_region_destroy(opaque)
  }

  // MARK: - Frames

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
    let offset = shownRange.clamp(offset(now + output.frameNanoseconds))
    var isChanged = false
    for layer in layers where layer.move(x: offset.x, y: offset.y) { isChanged = true }
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
