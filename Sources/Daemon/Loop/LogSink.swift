// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import Synchronization

/// A kind of message: the place in the source that writes it, or the journal's MESSAGE_ID.
struct LogKind: Hashable, Sendable {
  var name: String
  var line: Int
}

/// Something to log.
enum LogItem: Sendable {
  case line(Log.Level, String)
  case entry(JournalEntry)

  /// Returns it with a remark about the lines that were left out before it.
  func following(_ leftOut: Int) -> LogItem {
    guard leftOut > 0 else { return self }
    let remark = " (\(leftOut) like this left out before)"
    let maxBytes = Log.maxLineBytes / 2
    switch self {
    case .line(let level, let text):
      return .line(level, PrintableText.cut(text, toBytes: maxBytes) + remark)
    case .entry(var entry):
      entry.text = PrintableText.cut(entry.text, toBytes: maxBytes) + remark
      return .entry(entry)
    }
  }
}

/// Where a log's lines go: limits, counts what is lost, and writes.
final class LogSink: Sendable {
  private struct State: ~Copyable {
    var output: LogOutput
    var limiter = LogLimiter<LogKind, LogItem>()
    /// Lines that standard error did not take.
    var lost = 0
    /// When to report the lost lines at the earliest, after an attempt.
    var nextReport = MotionInstant.zero
  }

  private let program: String
  private let isJournal: Bool
  private let journalSocket: String
  /// nil if the log is not the journal's, or no descriptor is left.
  private let journal: DatagramSocket?
  private let state: Mutex<State>
  /// Whether lines wait or were lost.
  private let isBehind = Atomic(false)

  /// The pause between two attempts to report lost lines without a new line.
  private static let reportPause: MotionDuration = .seconds(1)
  /// How long the last lines of a program wait for room, in milliseconds.
  private static let lastWaitMilliseconds: Int32 = 1_000

  init(program: String, descriptor: Int32, isJournal: Bool, journalSocket: String) {
    self.program = program
    self.isJournal = isJournal
    self.journalSocket = journalSocket
    journal = isJournal ? try? DatagramSocket() : nil
    state = Mutex(State(output: LogOutput(descriptor)))
  }

  func write(_ item: LogItem, kind: LogKind, at now: MotionInstant) {
    write([item], kind: kind, at: now, isLast: false)
  }

  func write(_ items: [LogItem], kind: LogKind, at now: MotionInstant, isLast: Bool) {
    guard let last = items.last else { return }
    state.withLock { state in
      defer { updateIsBehind(state) }
      if isLast {
        for item in items {
          put(item, to: &state, at: now, waiting: Self.lastWaitMilliseconds)
        }
      } else if let admitted = state.limiter.admit(last, kind: kind, at: now) {
        for item in items.dropLast() { put(item, to: &state, at: now) }
        put(last.following(admitted.leftOut), to: &state, at: now)
      }
    }
  }

  func catchUp(_ clock: () -> MotionInstant) {
    guard isBehind.load(ordering: .relaxed) else { return }
    let now = clock()
    state.withLock { state in
      defer { updateIsBehind(state) }
      for admitted in state.limiter.due(at: now) {
        put(admitted.line.following(admitted.leftOut), to: &state, at: now)
      }
      guard state.lost > 0, now >= state.nextReport else { return }
      reportLost(&state, at: now, waiting: 0)
    }
  }

  func end(at now: MotionInstant) {
    guard isBehind.load(ordering: .relaxed) else { return }
    state.withLock { state in
      for admitted in state.limiter.due(at: now, all: true) {
        put(admitted.line.following(admitted.leftOut), to: &state, at: now)
      }
      if state.lost > 0 { reportLost(&state, at: now, waiting: 0) }
    }
  }

  private func updateIsBehind(_ state: borrowing State) {
    isBehind.store(state.lost > 0 || state.limiter.waiting > 0, ordering: .relaxed)
  }

  private func put(
    _ item: LogItem, to state: inout State, at now: MotionInstant, waiting: Int32 = 0
  ) {
    switch item {
    case .line(let level, let text): put(level, text, to: &state, at: now, waiting: waiting)
    case .entry(let entry):
      if send(entry) { return }
      put(entry.level, entry.text, to: &state, at: now, waiting: waiting)
    }
  }

  private func put(
    _ level: Log.Level, _ text: String, to state: inout State, at now: MotionInstant,
    waiting: Int32
  ) {
    if state.lost > 0, !reportLost(&state, at: now, waiting: waiting) {
      state.lost += 1
      return
    }
    if !state.output.write(line(level, text), waiting: waiting) { state.lost += 1 }
  }

  @discardableResult
  private func reportLost(
    _ state: inout State, at now: MotionInstant, waiting: Int32
  ) -> Bool {
    state.nextReport = now + Self.reportPause
    let text = "\(state.lost) lines were lost: the log did not take them"
    guard state.output.write(line(.warning, text), waiting: waiting) else { return false }
    state.lost = 0
    return true
  }

  private func line(_ level: Log.Level, _ text: String) -> [UInt8] {
    Array(Self.line(program: program, level: level, text: text, isJournal: isJournal).utf8)
  }

  static func line(program: String, level: Log.Level, text: String, isJournal: Bool) -> String {
    let head = "\(isJournal ? "<\(level.rawValue)>" : "")\(program): "
    let room = max(0, Log.maxLineBytes - head.utf8.count - 1)
    return head + PrintableText.line(PrintableText.cut(text, toBytes: room)) + "\n"
  }

  /// Returns whether the journal has taken the entry. libsystemd's sd_journal_sendv would wait for a
  /// journal that does not read.
  private func send(_ entry: JournalEntry) -> Bool {
    let bytes = entry.datagram(program: program)
    switch journal {
    case .some(let socket):
      do throws(SystemError) {
        try socket.send(bytes, to: journalSocket)
        return true
      } catch {
        return false
      }
    case nil: return false
    }
  }
}
