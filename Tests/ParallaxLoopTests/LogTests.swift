// SPDX-License-Identifier: Apache-2.0

import Glibc
@testable import ParallaxBase
import ParallaxTestSupport
import Testing

@testable import ParallaxLoop

@Suite struct LogTests {
  @Test func aLineStartsWithTheProgramAndStaysOneLine() throws {
    let pipe = try Pipe()
    let log = Log(program: "parallaxd", descriptor: pipe.writing.raw)
    log.info("started")
    log.error("refused \u{1B}[2J a\nb\u{85}c\u{2028}d \u{E4}\u{1F600}")
    log.debug("not at this level")
    #expect(
      pipe.readAll()
        == "parallaxd: started\nparallaxd: refused  [2J a b c d \u{E4}\u{1F600}\n")
  }

  @Test func textsBelowTheLevelAreNotEvaluated() throws {
    let pipe = try Pipe()
    let log = Log(program: "p", minLevel: .warning, descriptor: pipe.writing.raw)
    func text() -> String {
      Issue.record("evaluated")
      return ""
    }
    log.notice(text())
    log.warning("kept")
    #expect(pipe.readAll() == "p: kept\n")
  }

  @Test(arguments: zip(Log.Level.allCases, ["<3>", "<4>", "<5>", "<6>", "<7>"]))
  func theJournalGetsTheLevelFirst(level: Log.Level, prefix: String) {
    #expect(
      LogSink.line(program: "parallaxd", level: level, text: "text", isJournal: true)
        == "\(prefix)parallaxd: text\n")
  }

  @Test func theJournalIsRecognizedByDeviceAndInode() throws {
    let pipe = try Pipe()
    var status = stat()
    #expect(fstat(pipe.writing.raw, &status) == 0)
    let stream = "\(status.st_dev):\(status.st_ino)"
    #expect(Log.isJournal(pipe.writing.raw, stream))
    for other in [nil, "", ":", "a:b", "\(status.st_dev):1", stream + "0", "1"] {
      #expect(!Log.isJournal(pipe.writing.raw, other))
    }
    #expect(!Log.isJournal(-1, stream))
  }

  @Test func aLogThatCannotBeWrittenIsIgnored() {
    Log(program: "p", descriptor: -1).error("text")
  }

  // MARK: - A log that is not read

  /// Makes a pipe full and blocking, as standard error is; returns its ends.
  private static func fullPipe() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { exit(90) }
    let block = [UInt8](repeating: 0, count: 4096)
    for flags in [O_NONBLOCK, 0] {
      guard fcntl(ends[1], F_SETFL, flags) == 0 else { exit(91) }
      while flags != 0, write(ends[1], block, block.count) > 0 {}
    }
    return (ends[0], ends[1])
  }

  @Test func aPipeThatNoOneReadsDoesNotStopTheProgram() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let pipe = Self.fullPipe()
      alarm(10)
      let log = Log(program: "p", descriptor: pipe.writing)
      for _ in 0..<3 { log.error("text") }
      // The flag belongs to everyone who shares the pipe, such as the shell.
      exit(fcntl(pipe.writing, F_GETFL) & O_NONBLOCK == 0 ? 0 : 1)
    }
  }

  @Test func aJournalThatDoesNotReadDoesNotStopTheProgram() async {
    await #expect(processExitsWith: .exitCode(0)) {
      var ends: [Int32] = [-1, -1]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { exit(90) }
      alarm(10)
      let log = Log(program: "p", descriptor: ends[1])
      let text = String(repeating: "x", count: 900)
      for _ in 0..<2_000 { log.error(text) }
      exit(fcntl(ends[1], F_GETFL) & O_NONBLOCK == 0 ? 0 : 1)
    }
  }

  @Test func aStoppedTerminalDoesNotStopTheProgram() async {
    await #expect(processExitsWith: .exitCode(0)) {
      var (master, terminal) = (Int32(-1), Int32(-1))
      guard openpty(&master, &terminal, nil, nil, nil) == 0 else { exit(90) }
      // As Ctrl-S does.
      guard tcflow(terminal, TCOOFF) == 0 else { exit(91) }
      alarm(10)
      let log = Log(program: "p", descriptor: terminal)
      for _ in 0..<3 { log.error("text") }
      exit(fcntl(terminal, F_GETFL) & O_NONBLOCK == 0 ? 0 : 1)
    }
  }

  @Test func aLineHasAtMostAKibibyte() throws {
    let pipe = try Pipe()
    let log = Log(program: "parallaxd", descriptor: pipe.writing.raw)
    log.error(String(repeating: "\u{E4}", count: 600_000))
    let line = pipe.readAll()
    #expect((1_000...1_024).contains(line.utf8.count))
    #expect(line.hasSuffix("\u{E4}...\n"))
  }

  @Test func aFloodOfOneKindIsLimited() throws {
    let pipe = try Pipe()
    let log = Log(program: "p", descriptor: pipe.writing.raw)
    for number in 0..<20_000 { log.warning("cannot accept connection \(number)") }
    let lines = pipe.readAll().split(separator: "\n")
    #expect((10...25).contains(lines.count))
    log.warning("another kind")
    #expect(pipe.readAll() == "p: another kind\n")
  }

  @Test func lostLinesAreCountedAndReportedOnceTheLogAcceptsLines() throws {
    let pipe = try Pipe()
    let clock = SettableClock()
    let log = Log(program: "p", descriptor: pipe.writing.raw, clock: clock.reading)
    pipe.fill()
    for number in 0..<5 { log.error("line \(number)") }
    // Still full: the report is tried once a second.
    log.catchUp()
    while !pipe.readAll().isEmpty {}
    log.catchUp()
    #expect(pipe.readAll() == "")
    clock.advance(seconds: 1)
    log.catchUp()
    #expect(pipe.readAll() == "p: 5 lines were lost: the log did not take them\n")
    log.error("next")
    #expect(pipe.readAll() == "p: next\n")
  }

  @Test func theLastLineOfAFloodComesOut() throws {
    let pipe = try Pipe()
    let clock = SettableClock()
    let log = Log(program: "p", descriptor: pipe.writing.raw, clock: clock.reading)
    for number in 1...1_000 { log.warning("state \(number)") }
    _ = pipe.readAll()
    log.catchUp()
    #expect(pipe.readAll() == "")
    clock.advance(seconds: 1)
    log.catchUp()
    #expect(pipe.readAll() == "p: state 1000 (979 like this left out before)\n")
    log.catchUp()
    #expect(pipe.readAll() == "")
  }

  @Test func theEndWritesWhatWaits() throws {
    let pipe = try Pipe()
    let clock = SettableClock()
    let log = Log(program: "p", descriptor: pipe.writing.raw, clock: clock.reading)
    for number in 1...30 { log.warning("state \(number)") }
    _ = pipe.readAll()
    log.end()
    #expect(pipe.readAll() == "p: state 30 (9 like this left out before)\n")
  }

  @Test func theErrorsOfAConfigurationAreOneMessage() throws {
    let pipe = try Pipe()
    let log = Log(program: "p", descriptor: pipe.writing.raw)
    log.error(lines: (1...30).map { "error \($0)" })
    #expect(pipe.readAll().split(separator: "\n").count == 30)
  }

  @Test func aJournalThatTakesNoEntryDoesNotStopTheProgram() async throws {
    // Created and removed here: the child process exits without cleaning up.
    let own = try TemporaryFolder()
    own.openToAll()
    await #expect(processExitsWith: .exitCode(0)) { [folder = own.path as String] in
      let journal = try unixSocket(Int32(SOCK_DGRAM.rawValue))
      try bindSocket(journal.raw, to: "\(folder)/journal")
      let pipe = try Pipe()
      var status = stat()
      guard fstat(pipe.writing.raw, &status) == 0 else { exit(90) }
      setenv("JOURNAL_STREAM", "\(status.st_dev):\(status.st_ino)", 1)
      alarm(10)
      let log = Log(
        program: "p", descriptor: pipe.writing.raw, journalSocket: "\(folder)/journal")
      func entry(_ number: Int) -> JournalEntry {
        JournalEntry(
          .info, "text \(number)", messageID: "\(number)", fields: [.init("PARALLAX_X", "a\nb")])
      }
      for number in 0..<2_000 { log.journal(entry(number)) }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(journal.raw, &buffer, buffer.count, 0)
      let datagram = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
      guard
        datagram
          == "MESSAGE=text 0\nPRIORITY=6\nMESSAGE_ID=0\nSYSLOG_IDENTIFIER=p\nPARALLAX_X=a b\n"
      else { exit(1) }
      // What does not fit goes to standard error.
      exit(pipe.readAll().contains("<6>p: text ") ? 0 : 2)
    }
  }
}

@Suite struct LogLimiterTests {
  private var limiter = LogLimiter<String, Int>()

  @Test func aBurstPassesThenOneLineASecond() {
    var limiter = limiter
    var passed: [Double] = []
    for tenth in 0..<300 {
      let now = MotionInstant(nanoseconds: Int64(tenth) * 100_000_000)
      if limiter.admit(tenth, kind: "a", at: now) != nil { passed.append(Double(tenth) / 10) }
    }
    // 20 at once, of which one a second is refilled meanwhile; then one a second.
    #expect(passed.count == 20 + 29)
    #expect(limiter.admit(0, kind: "b", at: .zero) != nil)
  }

  @Test func theNextLineReportsWhatWasLeftOut() {
    var limiter = limiter
    for _ in 0..<25 { _ = limiter.admit(1, kind: "a", at: .zero) }
    #expect(limiter.waiting == 1)
    let next = limiter.admit(2, kind: "a", at: MotionInstant(nanoseconds: 1_000_000_000))
    #expect(next?.line == 2 && next?.leftOut == 5)
    #expect(limiter.waiting == 0)
    #expect(limiter.due(at: MotionInstant(nanoseconds: 9_000_000_000)).isEmpty)
  }

  @Test func aQuietKindHasItsWholeBurstAgain() {
    var limiter = limiter
    for _ in 0..<20 { _ = limiter.admit(1, kind: "a", at: .zero) }
    let later = MotionInstant(nanoseconds: 20_000_000_000)
    let passed = (0..<30).count { limiter.admit($0, kind: "a", at: later) != nil }
    #expect(passed == 20)
  }
}
