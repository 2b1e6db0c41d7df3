// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import ParallaxClient
import ParallaxWallpaperCore
import Synchronization

/// The stream of offsets, as the event loop sees it: a descriptor that is readable after each line, and the
/// offset at any instant. The stream has its own thread, and reconnects.
final class StreamLink {
  /// Readable after a line.
  let descriptor: Int32
  private let stream: ParallaxStream
  private let news: News
  private var sentOrientation: String?

  /// What the stream's thread has heard.
  private final class News: Sendable {
    let range = Mutex<MotionRange?>(nil)
  }

  /// - Parameter socket: The stream socket; nil for the usual places.
  init(socket: String?) {
    let descriptor = clinux_counter()
    let news = News()
    // At rest the daemon is silent, and so is this program.
    var configuration = ParallaxStream.Configuration(
      socketPath: socket, watch: WatchMessage(onChange: .anyChange))
    configuration.onMessage = { message in
      if case .device(let device) = message, let x = device.rangeX, let y = device.rangeY {
        news.range.withLock { $0 = MotionRange(x: x, y: y) }
      }
      clinux_raise(descriptor)
    }
    // A daemon of another version.
    configuration.onEnd = { error in if let error { say("\(error)") } }
    self.descriptor = descriptor
    self.news = news
    stream = ParallaxStream(configuration)
  }

  /// Asks for offsets on a screen that is turned like this; nil: as the daemon knows it.
  func send(orientation: String?) {
    guard orientation != sentOrientation else { return }
    sentOrientation = orientation
    var request = WatchMessage(resets: .orientation)
    // A value comes before its reset.
    request.orientation = orientation.flatMap { .init(rawValue: $0) }
    stream.send(request)
  }

  /// Makes the descriptor readable after the next line only.
  func clear() { clinux_lower(descriptor) }

  /// The limits of the motion; nil before the daemon has said them.
  var motionRange: MotionRange? { news.range.withLock { $0 } }

  /// Waits for the range, but not for a daemon that is not there.
  func waitForRange(milliseconds: Int) {
    let end = monotonicNanoseconds() + Int64(milliseconds) * 1_000_000
    while motionRange == nil {
      let left = (end - monotonicNanoseconds()) / 1_000_000
      var line = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&line, 1, Int32(left)) > 0 else { return }
      clear()
    }
  }

  /// Returns the offset at an instant of CLOCK_MONOTONIC, in logical px; 0 without a daemon.
  func offset(atNanoseconds instant: Int64) -> (x: Double, y: Double) {
    let offset = stream.offset(at: MonotonicInstant(nanoseconds: instant))
    return (offset?.x ?? 0, offset?.y ?? 0)
  }

  /// Ends the stream.
  func close() { stream.close() }
}

/// CLOCK_MONOTONIC.
func monotonicNanoseconds() -> Int64 { MonotonicInstant.now.nanoseconds }
