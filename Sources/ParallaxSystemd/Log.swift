// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
import ParallaxText

/// Messages on standard error, one line each: `parallaxd: text`. If standard error is the journal, each
/// line starts with its level, `<N>` (sd-daemon(3)).
package struct Log: Sendable {
  /// The levels of syslog(3).
  package enum Level: Int32, Comparable, CaseIterable, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// The program's name, at the start of every line.
  package let program: String
  /// The least important level that is written. Default `.info`.
  package let minLevel: Level
  private let descriptor: Int32
  /// Whether the lines go to the journal, which also stores fields (see `journal`).
  package let isJournal: Bool

  /// - Parameter descriptor: must stay open while the log is used. Default standard error.
  package init(program: String, minLevel: Level = .info, descriptor: Int32 = STDERR_FILENO) {
    self.program = program
    self.minLevel = minLevel
    self.descriptor = descriptor
    isJournal = Self.isJournal(descriptor, Self.environment("JOURNAL_STREAM"))
  }

  package func error(_ text: @autoclosure () -> String) { write(.error, text()) }
  package func warning(_ text: @autoclosure () -> String) { write(.warning, text()) }
  package func notice(_ text: @autoclosure () -> String) { write(.notice, text()) }
  package func info(_ text: @autoclosure () -> String) { write(.info, text()) }
  package func debug(_ text: @autoclosure () -> String) { write(.debug, text()) }

  /// Writes one line in one call, so that the lines of two processes do not mix. Control characters,
  /// perhaps from a client, become spaces.
  package func write(_ level: Level, _ text: @autoclosure () -> String) {
    guard level <= minLevel else { return }
    var line = Self.line(program: program, level: level, text: text(), isJournal: isJournal)
    line.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let base = rest.baseAddress, !rest.isEmpty {
        let count = Glibc.write(descriptor, base, rest.count)
        if count < 0 && errno == EINTR { continue }
        // There is no other place to report that the log cannot be written.
        guard count > 0 else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  static func line(program: String, level: Level, text: String, isJournal: Bool) -> String {
    "\(isJournal ? "<\(level.rawValue)>" : "")\(program): \(PrintableText.line(text))\n"
  }

  /// Returns whether the descriptor is the journal's stream in `JOURNAL_STREAM` (`device:inode`). A
  /// child inherits that variable even if its standard error goes elsewhere.
  static func isJournal(_ descriptor: Int32, _ stream: String?) -> Bool {
    guard let stream, let colon = stream.firstIndex(of: ":") else { return false }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return UInt64(stream[..<colon]) == UInt64(status.st_dev)
      && UInt64(stream[stream.index(after: colon)...]) == UInt64(status.st_ino)
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
