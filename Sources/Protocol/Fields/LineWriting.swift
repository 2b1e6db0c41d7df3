// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// Writes the fields of a message. Lines but OFFSET are sent once per change, so this may allocate.
extension OutputBuffer: FieldVisitor {
  package var isStrict: Bool { false }

  package mutating func field<Value>(
    _ key: String, _ value: inout Value?, _ format: FieldFormat<Value>, _ presence: FieldPresence,
    _ description: String
  ) {
    guard let value else { return }
    append(key: key)
    format.write(value, &self)
  }

  package mutating func group<Group: FieldGroup>(_ group: inout Group?, if key: String) {
    if let group { append(fieldsOf: group) }
  }

  package mutating func applies(
    _ condition: Bool, when word: (key: String, value: String)?
  ) -> Bool {
    condition
  }

  package func fail(at key: String?, _ message: @autoclosure () -> String) {}

  package func refuse(_ key: String, _ message: String) {}

  /// Appends `,"key":`, without the comma at the start of an object.
  private mutating func append(key: String) {
    if withBytes({ $0.last }) != UInt8(ascii: "{") { append(byte: UInt8(ascii: ",")) }
    append(jsonString: key)
    append(byte: UInt8(ascii: ":"))
  }

  /// Appends an object.
  mutating func append(group: some FieldGroup) {
    append(byte: UInt8(ascii: "{"))
    append(fieldsOf: group)
    append(byte: UInt8(ascii: "}"))
  }

  private mutating func append(fieldsOf group: some FieldGroup) {
    var group = group
    do throws(JSONShapeError) {
      try group.visit(&self)
    } catch {
      assertionFailure("writing failed: \(error)")
    }
  }

  /// Appends a message on one line: `{"class":"ACK","tag":1,...}`.
  package mutating func appendLine<Message: ProtocolMessage>(
    _ message: Message, tag: RequestTag? = nil
  ) {
    var tag = tag
    append("{\"class\":")
    append(jsonString: Message.className)
    field("tag", &tag, .tag, .optional, "")
    append(fieldsOf: message)
    append("}\n")
  }
}

extension ProtocolMessage {
  /// Returns the line with its line feed, for programs that send one now and then and keep no buffer.
  package func line(tag: RequestTag? = nil) -> [UInt8] {
    var buffer = OutputBuffer()
    buffer.appendLine(self, tag: tag)
    return buffer.withBytes { Array($0) }
  }
}
