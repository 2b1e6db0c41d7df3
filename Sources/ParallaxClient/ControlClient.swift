package import ParallaxWire

/// Asks the daemon on its control socket, one request at a time, and waits for the answer.
package struct ControlClient: ~Copyable {
  private var connection: LineConnection
  private let decoder = AnswerDecoder()
  private var lastTag: Int64 = 0

  /// What came back, and the line it was.
  package struct Reply {
    package let answer: ControlAnswer
    /// Without the line feed.
    package let line: ArraySlice<UInt8>
  }

  /// Connects to the first of the paths that answers.
  package init(toFirstOf paths: [String]) throws(ParallaxError) {
    connection = try LineConnection(toFirstOf: paths)
  }

  /// Sends a request and waits for its answer. An ERROR of the daemon is an answer too.
  ///
  /// - Throws: `closed` where the daemon ends the connection without one.
  package mutating func ask(_ request: ControlRequest) throws(ParallaxError) -> Reply {
    lastTag += 1
    var unsent: ParallaxError?
    do {
      try connection.send(request.line(tag: .integer(lastTag)))
    } catch {
      // Whoever is refused is told so and cut off before we speak: read that first.
      unsent = error
    }
    while let line = try connection.readLine() {
      guard let answer = decoder.answer(line) else { continue }
      switch answer {
      case .ack(_, let tag), .status(_, let tag), .error(_, let tag):
        if tag == .integer(lastTag) || tag == nil { return Reply(answer: answer, line: line) }
      case .sample, .device, .wanted, .animation:
        break
      }
    }
    throw unsent ?? .closed
  }

  /// The next line of what a request began, as RECORD's samples; nil at the end of the connection.
  package mutating func next() throws(ParallaxError) -> ControlAnswer? {
    while let line = try connection.readLine() {
      if let answer = decoder.answer(line) { return answer }
    }
    return nil
  }
}
