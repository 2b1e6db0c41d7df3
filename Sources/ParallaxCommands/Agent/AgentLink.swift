import ParallaxClient
import ParallaxSystem
import ParallaxWire

/// The agent's connection to the daemon, on the loop: nothing waits.
final class AgentLink {
  /// A line came, or the connection ended. After the end nothing comes.
  enum Event {
    case heard(ControlAnswer)
    case ended
  }

  private let handler: (Event) -> Void
  private let decoder = AnswerDecoder()
  private var connection: LineConnection?
  // Behind the connection and yet gone before it: see `close`.
  private var source: IOSource?

  /// Connects to the first of the paths that answers.
  init(
    toFirstOf paths: [String], on loop: EventLoop, handler: @escaping (Event) -> Void
  ) throws {
    self.handler = handler
    let connection = try LineConnection(toFirstOf: paths)
    source = try loop.watch(descriptor: connection.descriptor, interest: .read) { [weak self] _ in
      self?.read()
    }
    self.connection = consume connection
  }

  deinit { close() }

  func send(_ request: ControlRequest) {
    // Where it fails the daemon has gone: the loop tells, behind what it said before.
    try? connection?.send(request.line())
  }

  func close() {
    source?.cancel()
    source = nil
    connection = nil
  }

  private func read() {
    while connection != nil {
      let line: ArraySlice<UInt8>?
      do {
        switch try connection?.nextLine() {
        case .line(let next): line = next
        case .some(.none): return
        case .end, nil: line = nil
        }
      } catch {
        line = nil
      }
      guard let line else {
        close()
        handler(.ended)
        return
      }
      if let answer = decoder.answer(line) { handler(.heard(answer)) }
    }
  }
}
