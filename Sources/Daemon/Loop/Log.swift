// SPDX-License-Identifier: Apache-2.0

import Glibc
package import ParallaxBase
import Synchronization

/// Messages on standard error, one line each: `parallaxd: text`. If standard error is the journal, each
/// line starts with its level, `<N>` (sd-daemon(3)).
///
/// Writing never waits: a line that standard error does not take is lost. Lines of one kind are limited
/// (`LogLimiter`); each call in the source is a kind of its own. The log reports what was lost or left
/// out as soon as it can. A line has at most 1 KiB.
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

  /// The longest line in bytes, with its line feed.
  package static let maxLineBytes = 1_024

  /// The program's name, at the start of every line.
  package let program: String
  /// The least important level that is written. Default `.info`.
  package let minLevel: Level
  /// Whether the lines go to the journal, which also stores fields (see `journal`).
  package let isJournal: Bool
  private let clock: @Sendable () -> MotionInstant
  private let sink: LogSink

  /// - Parameters:
  ///   - descriptor: must stay open while the log is used. Default standard error.
  ///   - journalSocket: the socket for entries with fields.
  package init(
    program: String, minLevel: Level = .info, descriptor: Int32 = STDERR_FILENO,
    journalSocket: String = "/run/systemd/journal/socket",
    clock: @escaping @Sendable () -> MotionInstant = MonotonicClock.now
  ) {
    self.program = program
    self.minLevel = minLevel
    self.clock = clock
    isJournal = Self.isJournal(descriptor, Self.environment("JOURNAL_STREAM"))
    sink = LogSink(
      program: program, descriptor: descriptor, isJournal: isJournal, journalSocket: journalSocket)
  }

  package func error(
    _ text: @autoclosure () -> String, file: String = #fileID, line: Int = #line
  ) {
    write(.error, text(), file: file, line: line)
  }

  package func warning(
    _ text: @autoclosure () -> String, file: String = #fileID, line: Int = #line
  ) {
    write(.warning, text(), file: file, line: line)
  }

  package func notice(
    _ text: @autoclosure () -> String, file: String = #fileID, line: Int = #line
  ) {
    write(.notice, text(), file: file, line: line)
  }

  package func info(
    _ text: @autoclosure () -> String, file: String = #fileID, line: Int = #line
  ) {
    write(.info, text(), file: file, line: line)
  }

  package func debug(
    _ text: @autoclosure () -> String, file: String = #fileID, line: Int = #line
  ) {
    write(.debug, text(), file: file, line: line)
  }

  /// Writes one line. Control characters, perhaps from a client, become spaces.
  ///
  /// - Parameters:
  ///   - file: With `line`, the kind of the message.
  package func write(
    _ level: Level, _ text: @autoclosure () -> String, file: String = #fileID, line: Int = #line
  ) {
    guard level <= minLevel else { return }
    let now = clock()
    sink.write(.line(level, text()), kind: LogKind(name: file, line: line), at: now)
  }

  /// Writes all lines of one message, such as the errors of a configuration. They count as one line.
  ///
  /// - Parameter isLast: Whether the program ends after them. Then waits for up to a second if standard
  ///   error is full.
  package func error(
    lines: [String], isLast: Bool = false, file: String = #fileID, line: Int = #line
  ) {
    sink.write(
      lines.map { .line(.error, $0) }, kind: LogKind(name: file, line: line), at: clock(),
      isLast: isLast)
  }

  /// Sends the entry to the journal. If that fails, writes its text as an ordinary line.
  package func journal(_ entry: JournalEntry) {
    sink.write(.entry(entry), kind: LogKind(name: entry.messageID, line: 0), at: clock())
  }

  /// Writes what has waited because of the limit, and the number of lost lines, if that is due. Cheap
  /// if there is nothing: call it after every turn of the event loop.
  package func catchUp() {
    sink.catchUp(clock)
  }

  /// Writes everything that waits, before the program ends.
  package func end() {
    sink.end(at: clock())
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
