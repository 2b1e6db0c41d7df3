// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// `parallax watch` on a terminal, with a daemon.
@Suite("parallax watch", .timeLimit(.minutes(10)))
struct WatchCommandTests {
  private let daemon: LiveDaemon

  init() throws { daemon = try LiveDaemon() }

  /// Starts the view and waits for its first screen and its first STATUS.
  private func watch(_ environment: [String: String?] = [:]) throws -> TerminalProgram {
    let base: [String: String?] = [
      "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": nil, "LC_CTYPE": nil,
      "COLORTERM": nil, "NO_COLOR": nil,
    ]
    let program = try TerminalProgram(
      .parallax, ["watch", "--socket", daemon.socket],
      environment: base.merging(environment) { $1 })
    return program
  }

  private static let enter = "\u{1B}[?1049h"
  private static let leave = "\u{1B}[?1049l"
  private static let hideCursor = "\u{1B}[?25l"
  private static let showCursor = "\u{1B}[?25h"

  /// Expects that nothing of the view is left: neither modes nor its screen nor a process.
  private func expectRestored(
    _ program: TerminalProgram, _ modes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try waitUntil("no process uses the terminal") {
      program.read()
      return !program.isInUse
    }
    // After a crash, another process restores them.
    try waitUntil("the modes are as before") {
      program.read()
      return program.modes == modes && program.output.contains(Self.leave)
    }
    let text = program.output
    let left = text.ranges(of: Self.leave).last
    let entered = text.ranges(of: Self.enter).last
    let isLast = left.map { left in entered.map { $0.upperBound <= left.lowerBound } ?? false }
    #expect(isLast == true, "\(text.suffix(200))", sourceLocation: sourceLocation)
    #expect(
      text.ranges(of: Self.showCursor).count == text.ranges(of: Self.leave).count,
      sourceLocation: sourceLocation)
  }

  @Test func itShowsTheMotionAndQuits() throws {
    let program = try watch()
    let modes = program.modes
    try program.wait(for: "frames")
    #expect(program.output.hasPrefix(Self.enter))
    #expect(program.output.contains(Self.hideCursor))
    #expect(program.modes != modes)
    program.type("q")
    #expect(try program.finish() == 0)
    try expectRestored(program, modes)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGKILL])
  func theTerminalIsRestoredAfter(signal: Int32) throws {
    let program = try watch(["SWIFT_BACKTRACE": "enable=no"])
    let modes = program.modes
    try program.wait(for: "frames")
    program.send(signal: signal)
    #expect(try program.finish() == 128 + signal)
    try expectRestored(program, modes)
  }

  @Test func itStopsAndGoesOn() throws {
    let program = try watch()
    let modes = program.modes
    try program.wait(for: "frames")
    let raw = program.modes
    program.type("\u{1A}")
    try program.waitUntilStopped()
    program.read()
    #expect(program.modes == modes)
    #expect(program.output.hasSuffix(Self.leave) || program.output.contains(Self.leave))
    program.forget()
    program.send(signal: SIGCONT)
    try program.wait(for: "frames")
    #expect(program.output.contains(Self.enter))
    #expect(program.modes == raw)
    program.type("q")
    #expect(try program.finish() == 0)
    try expectRestored(program, modes)
  }

  @Test func aNewSizeIsDrawn() throws {
    let program = try watch()
    try program.wait(for: "frames")
    program.resize(rows: 8, columns: 30)
    try program.wait(for: "too small: 30x8")
    program.forget()
    program.resize(rows: 60, columns: 200)
    try program.wait(for: "subscribers")
  }

  @Test func keysChangeTheDaemon() throws {
    let program = try watch()
    try program.wait(for: "smoothing")
    program.type(" ")
    try program.wait(for: "closed: paused")
    program.type(" ")
    program.type("+")
    try program.wait(for: "6.3")
    let status = try Program.parallax.run(["status", "--json", "--socket", daemon.socket])
    #expect(status.output.contains(#""scale":6.3"#))
  }

  @Test func itConnectsAgain() throws {
    let program = try watch()
    try program.wait(for: "frames")
    _ = try daemon.end()
    try program.wait(for: "no connection")
    program.forget()
    let second = try LiveDaemon(in: daemon.folder)
    try program.wait(for: "connected again")
    try program.wait(for: "open")
    withExtendedLifetime(second) {}
  }

  @Test func withoutATerminalItPrintsLines() throws {
    let program = try Program.parallax.start(["watch", "--socket", daemon.socket])
    let line = try #require(try program.nextLine())
    #expect(line.contains(" px  gate open"), "\(line)")
    program.send(signal: SIGTERM)
    #expect(try program.finish().exitCode == 143)
  }

  @Test func aDumbTerminalShowsLines() throws {
    let program = try watch(["TERM": "dumb"])
    let modes = program.modes
    try program.wait(for: "gate open")
    #expect(!program.output.contains("\u{1B}"))
    #expect(program.modes == modes)
  }

  @Test func withoutUnicodeAllIsASCII() throws {
    let program = try watch(["LANG": "C", "NO_COLOR": "1"])
    try program.wait(for: "frames")
    #expect(program.output.utf8.allSatisfy { $0 < 0x80 })
    // Of the styles, bold and dim at most.
    let styles = program.output.split(separator: "\u{1B}[").compactMap { sequence in
      let parameters = sequence.prefix { "0123456789;".contains($0) }
      return sequence.dropFirst(parameters.count).first == "m" ? parameters : nil
    }
    #expect(!styles.isEmpty)
    #expect(styles.allSatisfy { $0.allSatisfy { "012;".contains($0) } }, "\(Set(styles))")
  }
}
