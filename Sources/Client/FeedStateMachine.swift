// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxProtocol

/// The state of a feed across reconnections: decides what to send, and interprets the daemon's lines. Pure.
package struct FeedStateMachine: Sendable {
  package enum Outcome: Equatable, Sendable {
    /// Send these bytes.
    case send([UInt8])
    /// The daemon takes samples from now on.
    case accepted
    /// The state of the daemon's device, which need not be this feed's.
    case device(DeviceMessage)
    /// The daemon has not used samples; the feed continues.
    case rejected(ErrorMessage)
    /// The daemon refuses this feed, or has ended it. Close the connection.
    case refused(ErrorMessage)
    /// The program on the socket is not a daemon. Close the connection.
    case malformed
    /// The connection is lost; another attempt follows.
    case lost(ParallaxError)
    /// There are no further outcomes; nil: the connection was closed on this side.
    case ended(ParallaxError?)
  }

  /// Whether the daemon takes samples. Otherwise none are sent: they would be old on the next connection.
  package private(set) var isAccepted = false

  private let request: FeedRequest

  /// The tag of FEED.
  private static let tag = RequestTag.integer(1)
  /// The most samples on a line, about 25 KiB; the daemon reads lines of up to 64 KiB.
  private static let maxSamplesPerLine = 256
  /// Classes that must be readable: without one of them, an answer would be missing.
  private static let requiredClasses = ["ACK", "ERROR", "DEVICE"]

  package init(_ request: FeedRequest) {
    self.request = request
  }

  /// Returns the outcome of an event; nil if it has none.
  package mutating func handle(_ event: LineConnection.Event) -> Outcome? {
    switch event {
    case .connecting: return nil
    case .connected: return .send(ControlRequest.feed(request).line(tag: Self.tag))
    case .line(let line): return handle(line)
    case .lost(let error):
      isAccepted = false
      return .lost(error)
    case .ended(let error):
      isAccepted = false
      return .ended(error)
    }
  }

  private mutating func handle(_ line: ArraySlice<UInt8>) -> Outcome? {
    guard let answer = ControlAnswer(line: line) else {
      let name = LineClass.name(of: line)
      guard name.isEmpty || Self.requiredClasses.contains(name) else { return nil }
      isAccepted = false
      return .malformed
    }
    switch answer {
    case .ack:
      isAccepted = true
      return .accepted
    case .device(let device): return .device(device)
    case .error(let error, tag: nil) where error.code == .badRequest || error.code == .tooLong:
      return .rejected(error)
    case .error(let error, _):
      isAccepted = false
      return .refused(error)
    case .status, .sample, .gate, .wanted, .animation: return nil
    }
  }

  /// Returns the lines with these samples, the oldest first.
  package static func lines(_ samples: [SampleRequest]) -> [UInt8] {
    var buffer = OutputBuffer()
    var rest = samples[...]
    while let first = rest.first {
      // On a line with several samples, each needs a time.
      let timed = rest.prefix(Self.maxSamplesPerLine).prefix { $0.time != nil }
      guard timed.count > 1 else {
        buffer.appendLine(first)
        rest.removeFirst()
        continue
      }
      buffer.appendLine(
        SamplesRequest(
          timed.map { SampleMessage(time: $0.time ?? .zero, rateRadPerSec: $0.rateRadPerSec) }))
      rest.removeFirst(timed.count)
    }
    return buffer.withBytes { Array($0) }
  }
}
