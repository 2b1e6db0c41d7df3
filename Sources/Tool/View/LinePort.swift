// SPDX-License-Identifier: Apache-2.0

import ParallaxClient
import ParallaxProtocol

/// A connection to one of the daemon's sockets that never waits.
final class LinePort {
  private var connection: LineConnection
  private let messages = MessageDecoder()
  private let answers = AnswerDecoder()
  private var lastTag: Int64 = 0

  init(toFirstOf paths: [String]) throws(ParallaxError) {
    connection = try LineConnection(toFirstOf: paths)
  }

  /// For poll().
  var descriptor: Int32 { connection.descriptor }

  func send(_ watch: WatchMessage) throws(ParallaxError) { try connection.send(watch.line) }

  /// Sends a request and returns its tag. A request is far shorter than a socket's buffer.
  @discardableResult
  func send(_ request: ControlRequest) throws(ParallaxError) -> Int64 {
    lastTag += 1
    try connection.send(request.line(tag: .integer(lastTag)))
    return lastTag
  }

  /// Passes on the messages that have arrived.
  ///
  /// - Throws: `closed` at the end of the connection.
  func readMessages(_ body: (StreamMessage) -> Void) throws(ParallaxError) {
    while let line = try nextLine() {
      if let message = messages.message(line) { body(message) }
    }
  }

  /// Passes on the answers that have arrived. Throws like `readMessages`.
  func readAnswers(_ body: (ControlAnswer) -> Void) throws(ParallaxError) {
    while let line = try nextLine() {
      if let answer = answers.answer(line) { body(answer) }
    }
  }

  private func nextLine() throws(ParallaxError) -> ArraySlice<UInt8>? {
    switch try connection.nextLine() {
    case .line(let line): line
    case .none: nil
    case .end: throw .closed
    }
  }
}
