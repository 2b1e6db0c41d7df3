// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// A request on the stream socket.
package enum StreamRequest: Equatable, Sendable {
  case watch(WatchMessage)
  case poll(PollRequest)

  package static let classes: [MessageClass<StreamRequest>] = [
    MessageClass(watch), MessageClass(poll),
  ]
}

/// POLL: requests DEVICE, GATE and OFFSET once. With a tag, it is also the last line of the answer.
package struct PollRequest: Equatable, Sendable {
  /// `ignored`: in an answer, the fields of the request that the daemon does not know.
  package var ignored: [String]

  package init(ignored: [String] = []) {
    self.ignored = ignored
  }
}

extension PollRequest: ProtocolMessage {
  package static let className = "POLL"
  package static let description =
    "Asks for DEVICE, GATE and OFFSET once. A POLL with a tag ends the answer to one with a tag."
  package static let tagPresence: FieldPresence? = .answered
  package static let blank = PollRequest()

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.ignored(&ignored)
  }
}
