// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// A class of lines on one socket, in one direction: how such a line is read.
package struct MessageClass<Line>: Sendable {
  package let type: any ProtocolMessage.Type
  let name: String
  let read: @Sendable (inout FieldReader, RequestTag?) throws(JSONShapeError) -> Line

  init<Message: ProtocolMessage>(_ line: @escaping @Sendable (Message, RequestTag?) -> Line) {
    type = Message.self
    name = Message.className
    read = { (fields, tag) throws(JSONShapeError) in
      var message = Message.blank
      try message.visit(&fields)
      return line(message, tag)
    }
  }

  init<Message: ProtocolMessage>(_ line: @escaping @Sendable (Message) -> Line) {
    self.init { (message: Message, _) in line(message) }
  }

  /// Returns what a line of the daemon says; nil for an unknown class or a malformed line.
  static func line(_ line: ArraySlice<UInt8>, of classes: [MessageClass]) -> Line? {
    guard
      let value = line.withUnsafeBytes({
        try? JSONValue.parse($0, limits: .answerLine, keepsDecimals: true)
      })
    else { return nil }
    let node = JSONNode(value)
    guard let name = try? node.required("class").string(),
      let known = classes.first(where: { $0.name == name })
    else { return nil }
    var fields = FieldReader(node, isStrict: false)
    return try? known.read(&fields, RequestTag(answered: node))
  }
}

/// A line that a client reads.
package protocol AnswerLine {
  static var classes: [MessageClass<Self>] { get }
}

extension AnswerLine {
  /// Reads a line; nil for an unknown class or a malformed line. Unknown fields are ignored.
  package init?(line: ArraySlice<UInt8>) {
    guard let message = MessageClass.line(line, of: Self.classes) else { return nil }
    self = message
  }
}

extension JSONLimits {
  /// One line from the daemon.
  static let answerLine = JSONLimits(bytes: 1 << 20, depth: 64, values: 1 << 17)
}
