// SPDX-License-Identifier: Apache-2.0

import CWayland
import Glibc
import ParallaxWallpaperCore

/// The wallpapers of all outputs, and the loop that waits for the compositor, the stream and the files.
final class Desktop {
  /// What the command line says.
  struct Options {
    /// The outputs to cover; empty: all.
    var outputs: [String]
    /// The output to which the gyroscope is fixed; nil: the device's own screen, by its name.
    var panel: String?
  }

  private let compositor: Compositor
  private let source: PictureSource
  private var picture: Picture
  private let link: StreamLink
  private let options: Options
  private let watch = FileWatch()
  private var reload = ReloadSchedule()
  private var wallpapers: [OutputWallpaper] = []
  /// Wallpapers to release once no function of theirs runs.
  private var released: [OutputWallpaper] = []
  private var range = MotionRange.standard

  init(source: PictureSource, link: StreamLink, options: Options) throws(WallpaperError) {
    self.source = source
    picture = try source.open(leavesOut: true)
    compositor = try Compositor()
    self.link = link
    self.options = options
    watch.watch(source.files(picture))
    // A picture drawn for another range would be drawn twice.
    link.waitForRange(milliseconds: 300)
    range = link.motionRange ?? .standard
    compositor.outputChanged = { [weak self] in self?.cover($0) }
    compositor.outputRemoved = { [weak self] in self?.uncover($0) }
    // The names and the scales of the outputs.
    wl_display_roundtrip(compositor.display)
    let known = compositor.outputs.map(\.name)
    for unknown in options.outputs + [options.panel].compactMap({ $0 })
    where !known.contains(unknown) {
      say("no output '\(unknown)' yet; there are \(known.joined(separator: ", "))")
    }
  }

  // MARK: - Outputs

  private func cover(_ output: Output) {
    tellOrientation()
    if let wallpaper = wallpapers.first(where: { $0.output === output }) {
      return wallpaper.update()
    }
    guard options.outputs.isEmpty || options.outputs.contains(output.name) else { return }
    let wallpaper = OutputWallpaper(compositor, output, picture, range: range)
    wallpaper.offset = { [link] in link.offset(atNanoseconds: $0) }
    wallpaper.failed = { [source] in source.report($0) }
    wallpaper.closed = { [weak self] in self?.uncover(output) }
    wallpapers.append(wallpaper)
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
      var waits = [wl_display_get_fd(display), link.descriptor, watch.descriptor, stop].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let count = poll(
        &waits, nfds_t(waits.count), reload.timeoutMilliseconds(at: monotonicNanoseconds()))
      if count > 0, waits[0].revents != 0 {
        wl_display_read_events(display)
      } else {
        wl_display_cancel_read(display)
      }
      guard count >= 0 || errno == EINTR else { throw WallpaperError("poll: error \(errno)") }
      guard wl_display_dispatch_pending(display) >= 0 else {
        throw WallpaperError("the compositor has ended the connection", kind: .unavailable)
      }
      if count > 0, waits[3].revents != 0 { return }
      if count > 0, waits[1].revents != 0 { hear() }
      if count > 0, waits[2].revents != 0, watch.clear() {
        reload.changed(at: monotonicNanoseconds())
      }
      if reload.isDue(at: monotonicNanoseconds()) { readAgain() }
    }
  }

  private func hear() {
    link.clear()
    if let new = link.motionRange, new != range {
      range = new
      for wallpaper in wallpapers { wallpaper.update(range: range) }
    }
    let now = monotonicNanoseconds()
    for wallpaper in wallpapers { wallpaper.wake(at: now) }
  }

  /// Shows the changed picture on every output, or the present one as before if it cannot be read.
  private func readAgain() {
    do throws(WallpaperError) {
      let new = try source.open(leavesOut: false)
      var prepared: [OutputWallpaper.Prepared?] = []
      for wallpaper in wallpapers {
        prepared.append(try wallpaper.prepare(new, range: range))
      }
      for (wallpaper, pixels) in zip(wallpapers, prepared) { wallpaper.replace(new, pixels) }
      picture = new
      watch.watch(source.files(picture))
      source.isReadable()
    } catch {
      source.report(error)
      watch.watch(source.files(picture))
    }
  }
}

/// Prints a message for the user, or the journal.
func say(_ message: String) {
  let line = Array("parallax-wallpaper: \(message)\n".utf8)
  _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
