import Glibc
import ParallaxClient
import ParallaxWire

/// A PLAY on the daemon's control socket, and what becomes of it. Its animation lasts no longer than
/// this, unless it was detached.
struct PlayLink: ~Copyable {
  enum News {
    case accepted(AckMessage)
    /// It has come to its end, or was stopped.
    case ended
  }

  private var connection: LineConnection
  private let decoder = AnswerDecoder()
  private static let tag = RequestTag.integer(1)

  /// Connects to the first of the paths that answers.
  init(toFirstOf paths: [String]) throws(CommandFailure) {
    do {
      connection = try LineConnection(toFirstOf: paths)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Asks; once.
  mutating func play(_ request: PlayRequest) throws(CommandFailure) {
    do {
      try connection.send(ControlRequest.play(request).line(tag: Self.tag))
    } catch .closed {
      // Whoever is refused is told so and cut off before we speak: that is read next.
    } catch {
      throw CommandFailure(error)
    }
  }

  /// What comes next; nil once the descriptor can be read before.
  mutating func next(until interruption: Int32) throws(CommandFailure) -> News? {
    while true {
      let arrival: LineConnection.Arrival
      do { arrival = try connection.nextLine() } catch { throw CommandFailure(error) }
      switch arrival {
      case .end: throw CommandFailure(ParallaxError.closed)
      case .line(let line):
        if let news = try news(of: line) { return news }
      case .none:
        var entries = [
          pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
          pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
        ]
        // An interrupted wait ends early; it is begun again.
        if poll(&entries, 2, -1) > 0, entries[1].revents != 0 { return nil }
      }
    }
  }

  /// What a line means here; nil where nothing.
  private func news(of line: ArraySlice<UInt8>) throws(CommandFailure) -> News? {
    switch decoder.answer(line) {
    case .ack(let ack, let tag)? where tag == Self.tag: return .accepted(ack)
    case .error(let error, _)?: throw CommandFailure(error)
    case .animation(let animation, let tag)? where tag == Self.tag:
      return animation.event == .completed || animation.event == .cancelled ? .ended : nil
    default: return nil
    }
  }
}
