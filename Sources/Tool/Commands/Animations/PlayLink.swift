// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxClient
import ParallaxProtocol

/// A PLAY on the control socket and its events. The animation ends with the connection, unless it is
/// detached.
struct PlayLink: ~Copyable {
  enum Event {
    case accepted(AckMessage)
    /// The gate: once at the request, before `accepted`, and at each change while the animation plays.
    case gate(GateMessage)
    /// The animation completed or was stopped.
    case ended
  }

  private var connection: LineConnection
  private let decoder = AnswerDecoder()
  private static let tag = RequestTag.integer(1)
  private static let statusTag = RequestTag.integer(2)

  /// The path of the socket that answered.
  var path: String { connection.path }

  /// Connects to the first of the paths at which a daemon answers.
  init(toFirstOf paths: [String]) throws(CommandFailure) {
    do {
      connection = try LineConnection(toFirstOf: paths)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Asks for the gate and sends the request. Call it once.
  mutating func play(_ request: PlayRequest) throws(CommandFailure) {
    do {
      try connection.send(
        ControlRequest.status.line(tag: Self.statusTag)
          + ControlRequest.play(request).line(tag: Self.tag))
    } catch .closed {
      // A daemon that refuses a client says so and closes before the request; that is read next.
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Waits for the next event; nil if `interruption` becomes readable first.
  mutating func next(until interruption: Int32) throws(CommandFailure) -> Event? {
    while true {
      let arrival: LineConnection.ReadResult
      do { arrival = try connection.nextLine() } catch { throw CommandFailure(error) }
      switch arrival {
      case .end: throw CommandFailure(ParallaxError.closed)
      case .line(let line):
        if let event = try event(of: line) { return event }
      case .none:
        var entries = [
          pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
          pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
        ]
        // A wait that a signal interrupts is repeated.
        if poll(&entries, 2, -1) > 0, entries[1].revents != 0 { return nil }
      }
    }
  }

  /// Returns the event of a line; nil for lines without one.
  private func event(of line: ArraySlice<UInt8>) throws(CommandFailure) -> Event? {
    switch decoder.answer(line) {
    case .ack(let ack, let tag)? where tag == Self.tag: return .accepted(ack)
    case .status(let status, let tag)? where tag == Self.statusTag: return .gate(status.gate)
    case .gate(let gate)?: return .gate(gate)
    case .error(let error, _)?: throw CommandFailure(error)
    case .animation(let animation, let tag)? where tag == Self.tag:
      switch animation.event {
      case .completed, .cancelled: return .ended
      case .failed:
        throw CommandFailure(.unavailable, "\(animation.id): \(animation.message ?? "failed")")
      case .started, .step, .changed, .partStarted, .partCompleted: return nil
      }
    default: return nil
    }
  }
}
