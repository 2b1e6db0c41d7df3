// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
import ParallaxText

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

  /// Returns every field in the journal's form, `NAME=value`.
  func lines(program: String) -> [String] {
    var lines = [
      "MESSAGE=\(PrintableText.line(text))", "PRIORITY=\(level.rawValue)",
      "MESSAGE_ID=\(messageID)",
      "SYSLOG_IDENTIFIER=\(program)",
    ]
    for field in fields { lines.append("\(field.name)=\(PrintableText.line(field.value))") }
    return lines
  }
}

extension Log {
  /// Sends the entry to the journal. If that fails, writes its text as an ordinary line.
  package func journal(_ entry: JournalEntry) {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for line in entry.lines(program: program) {
      bytes.append(contentsOf: line.utf8)
      ends.append(bytes.count)
    }
    let result = bytes.withUnsafeMutableBytes { buffer in
      var start = 0
      let parts = ends.map { end in
        defer { start = end }
        return iovec(iov_base: buffer.baseAddress?.advanced(by: start), iov_len: end - start)
      }
      return sd_journal_sendv(parts, Int32(parts.count))
    }
    if result < 0 { write(entry.level, entry.text) }
  }
}
