// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import ParallaxClient
import ParallaxWallpaperCore

/// The stream of offsets, as the event loop sees it: a descriptor that is readable after each line, and the
/// offset at any instant. The stream has its own thread, and reconnects.
final class StreamLink {
  /// Readable after a line.
  let descriptor: Int32
  private let stream: ParallaxStream
  private var sentOrientation: String?
  private var isEnabled = true

  /// - Parameter socket: The stream socket; nil for the usual places.
  init(socket: String?) {
    let descriptor = clinux_counter()
    // At rest the daemon is silent, and so is this program.
    var configuration = ParallaxStream.Configuration(socketPath: socket, watch: .drawing)
    configuration.onMessage = { _ in clinux_raise(descriptor) }
    // A daemon of another version.
    configuration.onEnd = { error in if let error { say("\(error)") } }
    self.descriptor = descriptor
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

  /// Asks for offsets, or for none, as long as no one sees them: then neither this program nor the sensor
  /// runs.
  func enable(_ enable: Bool) {
    guard enable != isEnabled else { return }
    isEnabled = enable
    stream.send(WatchMessage(enable: enable))
  }

  /// Returns the offset in a picture that is drawn now and seen later, as a fraction of the range, -1...1; nil
  /// without a daemon.
  ///
  /// - Parameters:
  ///   - now: On CLOCK_MONOTONIC.
  ///   - ahead: How much later it is seen.
  func fraction(atNanoseconds now: Int64, aheadNanoseconds ahead: Int64) -> (x: Double, y: Double)?
  {
    stream.fraction(
      at: MonotonicInstant(nanoseconds: now + ahead), ahead: .nanoseconds(ahead))
  }

  /// Ends the stream.
  func close() { stream.close() }
}

/// CLOCK_MONOTONIC.
func monotonicNanoseconds() -> Int64 { MonotonicInstant.now.nanoseconds }
