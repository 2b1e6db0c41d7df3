// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxProtocol

/// A client of the control socket. It sends one request at a time and waits for the answer.
package struct ControlClient: ~Copyable {
  private var connection: LineConnection
  private let decoder = AnswerDecoder()
  private var lastTag: Int64 = 0

  /// The path of the socket that answered.
  package var path: String { connection.path }

  /// An answer and its line.
  package struct Reply {
    package let answer: ControlAnswer
    /// Without the line feed.
    package let line: ArraySlice<UInt8>
  }

  /// Connects to the first of the paths on which a daemon listens.
  ///
  /// - Parameter patience: The longest wait for an answer; nil: forever.
  package init(toFirstOf paths: [String], patience: MotionDuration? = nil) throws(ParallaxError) {
    connection = try LineConnection(toFirstOf: paths, patience: patience)
  }

  /// Sends a request and returns its answer, which may be an ERROR.
  ///
  /// - Throws: `closed` if the daemon ends the connection without an answer.
  package mutating func ask(_ request: ControlRequest) throws(ParallaxError) -> Reply {
    lastTag += 1
    var unsent: ParallaxError?
    do {
      try connection.send(request.line(tag: .integer(lastTag)))
    } catch {
      // A daemon that refuses a client sends an ERROR and ends the connection before any request.
      // Read that first.
      unsent = error
    }
    while let line = try connection.readLine() {
      guard let answer = decoder.answer(line) else { continue }
      switch answer {
      case .ack(_, let tag), .status(_, let tag), .error(_, let tag):
        if tag == .integer(lastTag) || tag == nil { return Reply(answer: answer, line: line) }
      case .sample, .device, .gate, .wanted, .animation:
        break
      }
    }
    throw unsent ?? .closed
  }

  /// Returns the next answer, such as a sample after RECORD; nil at the end of the connection.
  package mutating func next() throws(ParallaxError) -> ControlAnswer? {
    while let line = try connection.readLine() {
      if let answer = decoder.answer(line) { return answer }
    }
    return nil
  }
}
