// SPDX-License-Identifier: Apache-2.0

import CWayland
import Glibc
import ParallaxWallpaperCore

/// The wallpapers of all outputs, and the loop that waits for the compositor, the stream and the files.
final class Desktop {
  /// What the command line says.
  struct Options {
    /// The output to which the gyroscope is fixed; nil: the device's own screen, by its name.
    var panel: String?
    var layer = ShellLayer.bottom
    /// The size of a window instead of the outputs' backgrounds.
    var window: PixelSize?
  }

  private let compositor: Compositor
  private let source: PictureSource
  private let pool = WorkerPool()
  private let store: PictureStore
  private let link: StreamLink
  private let options: Options
  private let watch = FileWatch()
  private var reload = ReloadSchedule()
  private var wallpapers: [OutputWallpaper] = []
  /// Wallpapers to release once no function of theirs runs.
  private var released: [OutputWallpaper] = []
  /// The user has closed the window.
  private var isClosed = false

  init(source: PictureSource, link: StreamLink, options: Options) throws(WallpaperError) {
    self.source = source
    try source.openKnown()
    compositor = try Compositor(isForWindow: options.window != nil)
    store = PictureStore(compositor.globals.shm, pool: pool)
    self.link = link
    self.options = options
    compositor.outputChanged = { [weak self] in self?.cover($0) }
    compositor.outputRemoved = { [weak self] in self?.uncover($0) }
    compositor.pointer?.moved = { [weak self] in self?.wake() }
    // The names and the scales of the outputs.
    wl_display_roundtrip(compositor.display)
    let known = compositor.outputs.map(\.name)
    for unknown in source.choice.outputs + [options.panel].compactMap({ $0 })
    where !known.contains(unknown) {
      say("no output '\(unknown)' yet; there are \(known.joined(separator: ", "))")
    }
    watchFiles()
  }

  // MARK: - Outputs

  private func cover(_ output: Output) {
    tellOrientation()
    if let wallpaper = wallpapers.first(where: { $0.output === output }) {
      return wallpaper.update()
    }
    guard source.choice.covers(output.name), options.window == nil || wallpapers.isEmpty else {
      return
    }
    let wallpaper = OutputWallpaper(compositor, output, store) { [compositor, options] surface in
      if let size = options.window { return WindowRole(compositor.globals, surface, size) }
      return LayerShellRole(compositor.globals, surface, output, in: options.layer)
    }
    wallpaper.fraction = { [weak self, weak wallpaper] in
      self?.fraction($0, ahead: $1, wallpaper?.size) ?? (0, 0)
    }
    wallpaper.drawn = { [source] errors in
      errors.forEach(source.report)
      if errors.isEmpty { source.isReadable() }
    }
    wallpaper.closed = { [weak self] in
      self?.isClosed = self?.options.window != nil
      self?.uncover(output)
    }
    wallpapers.append(wallpaper)
    choosePaths(wallpaper)
    if let picture = source.picture(wallpaper.paths) {
      wallpaper.show(picture)
    } else {
      // Later, together with those of other outputs.
      reload.changed(at: monotonicNanoseconds())
    }
  }

  private func uncover(_ output: Output) {
    released += wallpapers.filter { $0.output === output }
    wallpapers.removeAll { $0.output === output }
    tellOrientation()
  }

  /// The compositor knows best how the device's own screen is turned: a user may have locked it.
  private func tellOrientation() {
    let panel = compositor.outputs.first {
      options.panel.map { [name = $0.name] in $0 == name } ?? OutputName.isBuiltIn($0.name)
    }
    link.send(orientation: panel?.transform.orientation)
  }

  // MARK: - Events

  /// Runs until the compositor or `stop` ends.
  ///
  /// - Parameter stop: A descriptor that becomes readable to end.
  func run(until stop: Int32) throws(WallpaperError) {
    let display = compositor.display
    while true {
      while wl_display_prepare_read(display) != 0 { wl_display_dispatch_pending(display) }
      released = []
      wl_display_flush(display)
      var waits = [
        wl_display_get_fd(display), stop, link.descriptor, watch.descriptor, pool.descriptor,
      ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let count = poll(&waits, nfds_t(waits.count), timeoutMilliseconds())
      if count > 0, waits[0].revents != 0 {
        wl_display_read_events(display)
      } else {
        wl_display_cancel_read(display)
      }
      guard count >= 0 || errno == EINTR else { throw WallpaperError("poll: error \(errno)") }
      guard wl_display_dispatch_pending(display) >= 0 else {
        throw WallpaperError("the compositor has ended the connection", kind: .unavailable)
      }
      func isReadable(_ index: Int) -> Bool { count > 0 && waits[index].revents != 0 }
      if isReadable(1) || isClosed { return }
      if isReadable(2) { hear() }
      if isReadable(3), watch.clear() { reload.changed(at: monotonicNanoseconds()) }
      if isReadable(4) { collect() }
      let now = monotonicNanoseconds()
      let isAnotherPhotoDue = source.advance(at: now)
      if reload.isDue(at: now) || isAnotherPhotoDue { readAgain() }
      // Hidden pictures need no offsets.
      link.enable(wallpapers.contains { !$0.isHidden(at: now) })
    }
  }

  /// Returns how long nothing happens by itself; -1 for ever.
  private func timeoutMilliseconds() -> Int32 {
    let now = monotonicNanoseconds()
    let hiding = wallpapers.filter { !$0.isHidden(at: now) }.compactMap(\.hiddenFrom).min()
    let timeouts = [
      reload.timeoutMilliseconds(at: now), source.timeoutMilliseconds(at: now),
      hiding.map { Int32(clamping: ($0 - now + 999_999) / 1_000_000) } ?? -1,
    ]
    return timeouts.filter { $0 >= 0 }.min() ?? -1
  }

  /// Returns the offset; in a window without a daemon, the pointer's distance from the middle counts.
  private func fraction(
    _ now: Int64, ahead: Int64, _ size: (width: Int, height: Int)?
  ) -> (x: Double, y: Double) {
    if let fraction = link.fraction(atNanoseconds: now, aheadNanoseconds: ahead) { return fraction }
    guard let place = compositor.pointer?.place, let size, size.width > 0, size.height > 0 else {
      return (0, 0)
    }
    func part(_ place: Double, _ length: Int) -> Double {
      min(max(-1, 2 * place / Double(length) - 1), 1)
    }
    return (part(place.x, size.width), part(place.y, size.height))
  }

  private func hear() {
    link.clear()
    wake()
  }

  private func wake() {
    let now = monotonicNanoseconds()
    for wallpaper in wallpapers { wallpaper.wake(at: now) }
  }

  // MARK: - Pictures

  /// Keeps the last paths if there is no picture any more.
  private func choosePaths(_ wallpaper: OutputWallpaper) {
    do throws(WallpaperError) {
      wallpaper.paths = try source.paths(for: wallpaper.output.name)
    } catch {
      source.report(error)
    }
  }

  private func watchFiles() {
    watch.watch(
      source.files(Set(wallpapers.map(\.paths)), outputs: compositor.outputs.map(\.name)))
  }

  /// Opens every picture, in the background.
  private func readAgain() {
    wallpapers.forEach(choosePaths)
    source.open(Set(wallpapers.map(\.paths)), pool: pool)
  }

  /// Shows the pictures that the threads have opened and drawn. A broken one does not replace a picture that is
  /// shown.
  private func collect() {
    pool.clear()
    let openings = source.collect()
    for (paths, opening) in openings {
      opening.errors.forEach(source.report)
      guard let picture = opening.picture else { continue }
      for wallpaper in wallpapers where wallpaper.paths == paths {
        if opening.errors.isEmpty || wallpaper.isEmpty { wallpaper.show(picture) }
      }
    }
    if !openings.isEmpty { watchFiles() }
    if store.collect() { wallpapers.forEach { $0.take() } }
  }
}

/// Prints a message for the user, or the journal.
func say(_ message: String) {
  let line = Array("parallax-wallpaper: \(message)\n".utf8)
  _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
