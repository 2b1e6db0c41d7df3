// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// A message for the journal with fields and an identifier of its kind, for `journalctl` to filter by
/// (systemd.journal-fields(7)).
package struct JournalEntry: Equatable, Sendable {
  package struct Field: Equatable, Sendable {
    /// Capital letters, digits and `_`. Fields that systemd does not define start with `PARALLAX_`.
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var level: Log.Level
  /// The message, one line.
  package var text: String
  /// The kind of message: 128 bits in 32 hexadecimal digits, which never change.
  package var messageID: String
  /// A name may appear more than once, with different values.
  package var fields: [Field]

  package init(_ level: Log.Level, _ text: String, messageID: String, fields: [Field]) {
    self.level = level
    self.text = text
    self.messageID = messageID
    self.fields = fields
  }

  /// Returns every field in the journal's form, `NAME=value`. A value has at most 1 KiB.
  func lines(program: String) -> [String] {
    func value(_ text: String) -> String {
      PrintableText.line(PrintableText.cut(text, toBytes: Log.maxLineBytes))
    }
    var lines = [
      "MESSAGE=\(value(text))", "PRIORITY=\(level.rawValue)", "MESSAGE_ID=\(messageID)",
      "SYSLOG_IDENTIFIER=\(program)",
    ]
    for field in fields { lines.append("\(field.name)=\(value(field.value))") }
    return lines
  }

  /// Returns the entry in the journal's native protocol (systemd.io/JOURNAL_NATIVE_PROTOCOL): a line
  /// per field, since no value contains a line feed.
  func datagram(program: String) -> [UInt8] {
    Array(lines(program: program).map { $0 + "\n" }.joined().utf8)
  }
}
