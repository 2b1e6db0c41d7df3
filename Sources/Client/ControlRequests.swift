// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxProtocol

/// Requests on the control socket.
extension LineConnection {
  /// An answer and its line.
  package struct Reply {
    package let answer: ControlAnswer
    /// Without the line feed.
    package let line: ArraySlice<UInt8>
  }

  /// Sends a request with a tag of its own, and returns the tag.
  @discardableResult
  package mutating func send(_ request: ControlRequest) -> RequestTag {
    lastTag += 1
    send(request.line(tag: .integer(lastTag)))
    return .integer(lastTag)
  }

  /// Sends a request, and waits for its answer, which may be an ERROR.
  ///
  /// - Parameter patience: The longest wait; nil: forever.
  /// - Throws: `closed` if the daemon ends the connection without an answer.
  package mutating func ask(
    _ request: ControlRequest, patience: MotionDuration? = nil
  ) throws(ParallaxError) -> Reply {
    let tag = send(request)
    let end = patience.map { MotionInstant.now + $0 }
    while let line = try readLine(until: end) {
      guard let answer = ControlAnswer(line: line) else { continue }
      switch answer {
      case .ack(_, let own), .status(_, let own), .error(_, let own):
        // A daemon that refuses a client sends an ERROR without a tag.
        if own == tag || own == nil { return Reply(answer: answer, line: line) }
      case .sample, .device, .gate, .wanted, .animation:
        break
      }
    }
    throw .closed
  }
}
