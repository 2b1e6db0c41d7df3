import CSystemd
import Glibc

/// What the journal is told of an event besides a line of text: what it is about, field by field, and
/// which kind of event it is, so that `journalctl` can be asked for one kind (systemd.journal-fields(7)).
package struct JournalEntry: Equatable, Sendable {
  package struct Field: Equatable, Sendable {
    /// Capital letters, digits and `_`; names of the journal's own begin otherwise than `PARALLAX_`.
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var level: Log.Level
  /// For people, one line.
  package var text: String
  /// 128 bits in 32 hexadecimal digits, the same for all events of one kind for ever.
  package var messageID: String
  /// A name may stand there more than once, with another value each time.
  package var fields: [Field]

  package init(_ level: Log.Level, _ text: String, messageID: String, fields: [Field]) {
    self.level = level
    self.text = text
    self.messageID = messageID
    self.fields = fields
  }

  /// Each field as the journal takes it, `NAME=value`.
  func lines(program: String) -> [String] {
    var lines = [
      "MESSAGE=\(oneLine(text))", "PRIORITY=\(level.rawValue)", "MESSAGE_ID=\(messageID)",
      "SYSLOG_IDENTIFIER=\(program)",
    ]
    for field in fields { lines.append("\(field.name)=\(oneLine(field.value))") }
    return lines
  }
}

extension Log {
  /// Gives the entry to the journal. Where it cannot be given, its text is written as any other line.
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
