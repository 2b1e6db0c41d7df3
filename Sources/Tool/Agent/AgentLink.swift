// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxClient
import ParallaxLoop
import ParallaxProtocol

/// The agent's connection to the daemon, on the event loop. It never waits.
final class AgentLink {
  enum Event {
    case answer(ControlAnswer)
    /// The connection ended. No event follows.
    case ended
  }

  private let handler: (Event) -> Void
  private let decoder = AnswerDecoder()
  private var connection: LineConnection?
  // Watches the connection's descriptor, so it must end before the connection; see `close`.
  private var source: IOSource?

  /// Connects to the first of the paths at which a daemon answers.
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
    // A failure means that the daemon is gone: the loop reports it after the daemon's last lines.
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
      if let answer = decoder.answer(line) { handler(.answer(answer)) }
    }
  }
}
