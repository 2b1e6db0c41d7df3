// SPDX-License-Identifier: Apache-2.0

import ParallaxClient
import ParallaxProtocol

/// A subscription whose lines are passed on as they come. It connects again when the daemon is back.
public final class DaemonFeed: Sendable {
  /// What the feed reports, on its own thread.
  public enum Event: Sendable {
    /// A line without its line feed.
    case line([UInt8])
    /// Connected: the daemon's greeting follows.
    case up
    /// The connection has ended or could not be made, with the reason.
    case down(String)
  }

  private let stream: ParallaxStream

  /// Subscribes.
  ///
  /// - Parameters:
  ///   - socket: The stream socket; nil: as every client finds it.
  ///   - receive: Called for each event. It must return soon.
  public init(socket: String?, _ receive: @escaping @Sendable (Event) -> Void) {
    // At rest no lines come, and no process wakes up.
    var configuration = ParallaxStream.Configuration(
      socketPath: socket, watch: WatchMessage(onChange: .anyChange), bufferedOffsets: 1)
    configuration.onLine = { receive(.line(Array($0))) }
    configuration.onLink = { error in receive(error.map { .down("\($0)") } ?? .up) }
    configuration.onEnd = { error in if let error { receive(.down("\(error)")) } }
    stream = ParallaxStream(configuration)
  }

  /// Ends the subscription.
  public func close() { stream.close() }
}
