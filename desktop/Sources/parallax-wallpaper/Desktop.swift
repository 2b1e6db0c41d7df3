// SPDX-License-Identifier: Apache-2.0

import CWayland
import Glibc
import ParallaxWallpaperCore

/// The wallpapers of all outputs, and the loop that waits for the compositor and the stream.
final class Desktop {
  private let compositor: Compositor
  private let picture: Picture
  private let link: StreamLink
  /// The outputs to cover; empty: all.
  private let names: [String]
  private var wallpapers: [OutputWallpaper] = []
  /// Wallpapers to release once no function of theirs runs.
  private var released: [OutputWallpaper] = []
  private var range = MotionRange.standard

  init(picture: Picture, link: StreamLink, outputs names: [String]) throws(WallpaperError) {
    compositor = try Compositor()
    self.picture = picture
    self.link = link
    self.names = names
    // A picture drawn for another range would be drawn twice.
    link.waitForRange(milliseconds: 300)
    range = link.motionRange ?? .standard
    compositor.outputChanged = { [weak self] in self?.cover($0) }
    compositor.outputRemoved = { [weak self] in self?.uncover($0) }
    // The names and the scales of the outputs.
    wl_display_roundtrip(compositor.display)
    let known = compositor.outputs.map(\.name)
    if let unknown = names.first(where: { !known.contains($0) }) {
      say("no output '\(unknown)' yet; there are \(known.joined(separator: ", "))")
    }
  }

  private func cover(_ output: Output) {
    if let wallpaper = wallpapers.first(where: { $0.output === output }) {
      return wallpaper.update()
    }
    guard names.isEmpty || names.contains(output.name) else { return }
    let wallpaper = OutputWallpaper(compositor, output, picture, range: range)
    wallpaper.offset = { [link] in link.offset(atNanoseconds: $0) }
    wallpaper.failed = { say("\(output.name): \($0)") }
    wallpaper.closed = { [weak self] in self?.uncover(output) }
    wallpapers.append(wallpaper)
  }

  private func uncover(_ output: Output) {
    released += wallpapers.filter { $0.output === output }
    wallpapers.removeAll { $0.output === output }
  }

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
        pollfd(fd: wl_display_get_fd(display), events: Int16(POLLIN), revents: 0),
        pollfd(fd: link.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&waits, nfds_t(waits.count), -1)
      if count > 0, waits[0].revents != 0 {
        wl_display_read_events(display)
      } else {
        wl_display_cancel_read(display)
      }
      guard count > 0 || errno == EINTR else { throw WallpaperError("poll: error \(errno)") }
      guard wl_display_dispatch_pending(display) >= 0 else {
        throw WallpaperError("the compositor has ended the connection")
      }
      if waits[2].revents != 0 { return }
      if waits[1].revents != 0 { hear() }
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
}

/// Prints a message for the user, or the journal.
func say(_ message: String) {
  let line = Array("parallax-wallpaper: \(message)\n".utf8)
  _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
