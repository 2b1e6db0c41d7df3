// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// `parallax demo` and `parallax tune` on a terminal.
@Suite("parallax demo and tune", .timeLimit(.minutes(10)))
struct DemoTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var environment: [String: String?] {
    [
      "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": nil, "NO_COLOR": nil,
      "TMPDIR": folder.path, "HOME": folder.path, "XDG_CONFIG_HOME": folder("config"),
      "XDG_STATE_HOME": folder("state"), "PARALLAX_SOCKET": nil, "PARALLAX_CONTROL": nil,
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder("no-bus"))", "DBUS_SESSION_BUS_ADDRESS": nil,
      "XDG_RUNTIME_DIR": nil, "SWIFT_BACKTRACE": "enable=no",
    ]
  }

  private func demo(_ arguments: String...) throws -> TerminalProgram {
    try TerminalProgram(
      .parallax, ["demo", "--source", "synthetic"] + arguments, environment: environment)
  }

  /// The demo's folders.
  private var places: [String] {
    get throws { try folder.names().filter { $0.hasPrefix("parallax-demo.") } }
  }

  /// Whether a daemon for a folder runs.
  private func daemonRuns(_ place: String) throws -> Bool {
    try namesInFolder("/proc").contains { process in
      guard pid_t(process) != nil,
        let bytes = try? contents(ofFile: "/proc/\(process)/cmdline")
      else { return false }
      let text = String(decoding: bytes, as: UTF8.self)
      return text.contains("\(place)/parallax.sock") && text.contains("source.kind")
    }
  }

  @Test(arguments: [nil, SIGTERM, SIGKILL, SIGSEGV])
  func nothingRemains(signal: Int32?) throws {
    let program = try demo()
    let modes = program.modes
    try program.wait(for: "frames")
    try program.wait(for: "Synthetic motion moves the card, because --source selects it.")
    let place = try #require(try places.first)
    #expect(program.output.contains("\(folder.path)/\(place)/env"))
    #expect(try daemonRuns(place))
    if let signal {
      program.send(signal: signal)
      #expect(try program.finish() == 128 + signal)
    } else {
      program.type("q")
      #expect(try program.finish() == 0)
      #expect(program.output.contains("the demo's daemon has ended"))
    }
    try waitUntil("nothing remains") {
      program.read()
      return try places.isEmpty && !daemonRuns(place) && !program.isInUse
    }
    #expect(program.modes == modes)
  }

  @Test func anotherTerminalFindsTheDaemon() throws {
    let program = try demo()
    try program.wait(for: "frames")
    let place = try #require(try places.first)
    let result = try Program(path: "/bin/sh").run([
      "-c", ". \(folder.path)/\(place)/env; parallax subscribe --count 1",
    ])
    #expect(result.output.contains(#""class":"VERSION""#), "\(result.errors)")
  }

  @Test func theEndOfTheDaemonIsReported() throws {
    let program = try demo()
    try program.wait(for: "frames")
    let place = try #require(try places.first)
    let daemon = try namesInFolder("/proc").compactMap { pid_t($0) }.first { process in
      let command = try? text(ofFile: "/proc/\(process)/cmdline")
      return process != program.processID
        && command?.contains("socket.path=\(folder.path)/\(place)") == true
        && command?.contains("parallaxd") == true
    }
    kill(try #require(daemon), SIGKILL)
    #expect(try program.finish() == 69)
    #expect(program.output.contains("the daemon has ended by itself with signal 9"))
    #expect(try places.isEmpty)
  }

  @Test func aDaemonThatDoesNotStartSaysWhy() throws {
    let result = try Program.parallax.run(
      ["demo", "--source", "trace:\(folder("missing.csv"))"], environment: environment)
    #expect(result.exitCode == 66, "\(result.errors)")
    #expect(try places.isEmpty)
  }

  @Test func withoutATerminalItPrintsLines() throws {
    let program = try Program.parallax.start(
      ["demo", "--source", "synthetic"], environment: environment)
    #expect(try program.nextLine()?.contains("gate") == true)
    program.send(signal: SIGINT)
    #expect(try program.finish().exitCode == 130)
    #expect(try places.isEmpty)
  }

  // MARK: - Tune

  @Test func keepWritesWithoutATerminal() throws {
    let daemon = try LiveDaemon()
    let file = folder("d/50-tune.toml")
    let words = ["tune", "--keep", "--control", daemon.control, "--write", file]
    let unchanged = try Program.parallax.run(words, environment: environment)
    #expect(unchanged.exitCode == 64 && unchanged.errors.contains("nothing has been changed"))
    for words in [["set", "scale", "7"], ["set", "smoothing", "ema:0.2"]] {
      _ = try Program.parallax.run(words + ["--control", daemon.control], environment: environment)
    }
    let kept = try Program.parallax.run(words, environment: environment)
    #expect(kept.exitCode == 0 && kept.output == "~/d/50-tune.toml\n", "\(kept.errors)")
    #expect(
      try text(ofFile: file)
        == "# Written by 'parallax tune'.\n\n[motion]\nscale = 7\nsmoothing = \"ema:0.2\"\n")
    let refused = try Program.parallax.run(
      ["tune", "--keep", "--control", daemon.control, "--write", "\(file)/under"],
      environment: environment)
    #expect(refused.exitCode == 74 && refused.errors.contains("copy the settings"))
  }

  @Test func tuneChangesPrintsAndWrites() throws {
    let daemon = try LiveDaemon()
    let file = folder("d/50-tune.toml")
    let program = try TerminalProgram(
      .parallax, ["tune", "--socket", daemon.socket, "--write", file], environment: environment)
    try program.wait(for: "strength")
    try program.wait(for: "px per rad/s")
    // Strength, then the range.
    program.type("\u{1B}[B\u{1B}[C")
    try program.wait(for: "6.3")
    let status = {
      try Program.parallax.run(["status", "--json", "--socket", daemon.socket]).output
    }
    // A terminal that is not read stops what writes to it.
    func waitReading(_ what: String, _ condition: () throws -> Bool) throws {
      try waitUntil(what) {
        program.read()
        return try condition()
      }
    }
    try waitReading("SET") { try status().contains(#""overrides":["scale"]"#) }
    program.type("w")
    // A new size sends the whole screen; otherwise only what differs from the last line before.
    program.resize(rows: 24, columns: 100)
    // The home of this test is its folder.
    try program.wait(for: "write ~/d/50-tune.toml?")
    program.type("y")
    try waitReading("the file") { folder.exists("d/50-tune.toml") }
    #expect(try text(ofFile: file) == "# Written by 'parallax tune'.\n\n[motion]\nscale = 6.3\n")
    // The daemon of this test does not read that file: its scale is the configured one again.
    try waitReading("auto") { try !status().contains("overrides") }
    program.type("\u{1B}[C")
    try waitReading("SET again") { try status().contains(#""overrides":["scale"]"#) }
    program.forget()
    program.type("q")
    #expect(try program.finish() == 0)
    #expect(program.output.contains("[motion]\r\nscale = "))
  }
}
