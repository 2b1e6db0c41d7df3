// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

private let version = #"{"class":"VERSION","release":"0.1.0","proto_major":1,"proto_minor":0}"#
private let device = #"{"class":"DEVICE","driver":"synthetic","state":"streaming","rate":100}"#
private let gate = #"{"class":"GATE","open":true,"gain":1,"reasons":[]}"#
private let shutdown =
  #"{"class":"DEVICE","driver":"synthetic","state":"ended","reason":"shutdown"}"#
private let offsets = [
  #"{"class":"OFFSET","seq":1,"time":1.000000001,"x":1.23,"y":-0.5,"nx":0.246,"ny":-0.1}"#,
  #"{"class":"OFFSET","seq":2,"time":2.5,"x":0,"y":5,"nx":0,"ny":1,"#
    + #""layers":{"bg":{"x":0.1234,"y":-1},"fg":{"x":2,"y":3}}}"#,
]

private let paused = #"{"class":"GATE","open":false,"gain":0,"reasons":["paused"]}"#

/// `parallax subscribe`, with the test as the daemon.
@Suite("parallax subscribe", .timeLimit(.minutes(10)))
struct SubscribeTests {
  private let folder: TemporaryFolder
  private let server: FakeServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FakeServer(at: folder("s"))
  }

  private func start(_ arguments: String...) throws -> RunningProgram {
    try Program.parallax.start(["subscribe", "--socket", server.path] + arguments)
  }

  @Test func linesArePrintedUnchangedUntilTheDaemonExits() throws {
    let program = try start()
    let lines = [version, device, gate, #"{"class":"NEWS","é":"  spaces  "}"#, "what?", shutdown]
    let peer = try server.accept()
    for line in lines { try peer.say(line) }
    peer.close()
    let result = try program.finish()
    #expect(result.output == lines.map { $0 + "\n" }.joined())
    #expect(result.errors == "")
    #expect(result.exitCode == 0)
  }

  @Test func controlCharactersAreEscaped() throws {
    let program = try start()
    let peer = try server.accept()
    try peer.say("{\"class\":\"NEWS\",\t\"a\":\"\u{1B}[2J\u{9B}2J\u{7F}\u{2028}\u{E9}\"}", shutdown)
    peer.close()
    #expect(
      try program.finish().output
        == #"{"class":"NEWS", "a":"\u001b[2J\u009b2J\u007f\u2028\#u{E9}"}"# + "\n\(shutdown)\n")
  }

  @Test func aDaemonThatClosesWithoutAShutdownIsExit69() throws {
    let program = try start()
    let peer = try server.accept()
    try peer.say(version)
    peer.close()
    let result = try program.finish()
    #expect(result.output == version + "\n")
    #expect(result.errors == "parallax: the daemon ended the connection\n")
    #expect(result.exitCode == 69)
  }

  @Test func missingLinesAreExit69EvenAfterAShutdown() throws {
    let program = try start("--count", "9")
    let peer = try server.accept()
    try peer.say(version, shutdown)
    peer.close()
    #expect(try program.finish().exitCode == 69)
  }

  @Test func classAndCountSelectLines() throws {
    let program = try start("--class", "OFFSET", "--class", "GATE", "--count", "2")
    let peer = try server.accept()
    try peer.say(version, device, gate, offsets[0], offsets[1])
    let result = try program.finish()
    #expect(result.output == "\(gate)\n\(offsets[0])\n")
    #expect(result.exitCode == 0)
  }

  @Test func optionsAreSentAsWatch() throws {
    let program = try start(
      "--layers", "fg=1.5,bg=-0.2", "--rate", "10", "--orientation", "left-up", "--count", "1")
    let peer = try server.accept()
    #expect(
      try peer.hear()
        == #"{"class":"WATCH","rate":10,"layers":{"fg":1.5,"bg":-0.2},"orientation":"left-up"}"#)
    try peer.say(version)
    #expect(try program.finish().exitCode == 0)
  }

  @Test func aTemplatePrintsTheOffset() throws {
    let program = try start("--format", "{x:+.1f} {y:+.1f}", "--count", "1", "--on-change")
    let peer = try server.accept()
    #expect(try peer.hear() == #"{"class":"WATCH","on_change":true}"#)
    try peer.say(version, device, gate, offsets[0])
    let result = try program.finish()
    #expect(result.output == "+1.2 -0.5\n")
    #expect(result.exitCode == 0)
  }

  @Test func aBarReconnectsAndAsksAgain() throws {
    let program = try start("--format", "polybar", "--rate", "5", "--on-change=0.5")
    let watch = #"{"class":"WATCH","rate":5,"on_change":0.5}"#
    for (line, text) in [(gate, "+0.0 +0.0"), (paused, "paused")] {
      let peer = try server.accept()
      #expect(try peer.hear() == watch)
      try peer.say(version, device, line)
      #expect(try program.nextLine() == text)
      peer.close()
      #expect(try program.nextLine() == "no daemon")
    }
    #expect(program.errorsSoFar == "", "polybar shows standard error too")
  }

  @Test func aBarAsksForTenOffsetsThatDiffer() throws {
    let program = try start("--format", "i3bar", "--no-reconnect", "-v")
    let peer = try server.accept()
    #expect(try peer.hear() == #"{"class":"WATCH","rate":10,"on_change":true}"#)
    try peer.say(version, device, paused, shutdown)
    peer.close()
    let result = try program.finish()
    #expect(result.outputLines.first == #"{"version":1}"#)
    #expect(result.errors == "parallax: connected to \(server.path)\n")
    #expect(result.exitCode == 0)
  }

  @Test(arguments: ["", "-q"])
  func aSecondWithoutMotionIsExplained(quiet: String) throws {
    let program = try start(quiet.isEmpty ? "--verbose" : quiet, "--timeout", "1.2")
    let peer = try server.accept()
    try peer.say(version, device, paused)
    let result = try program.finish()
    #expect(
      result.errorLines.filter { !$0.contains("connected") }
        == (quiet.isEmpty
          ? ["parallax: waiting: no motion (paused); see 'parallax doctor'"] : [])
        + ["parallax: no line within 1.2 s (paused); see 'parallax doctor'"])
    #expect(result.exitCode == 69)
  }

  @Test func aReaderThatIsGoneEndsTheWaitForADaemon() throws {
    let program = try Program(path: "/bin/sh").start([
      "-c",
      "{ '\(Program.parallax.path)' subscribe --format polybar --socket '\(folder("no"))'; "
        + "echo $? >&2; } | head -1",
    ])
    let result = try program.finish(timeoutSeconds: 20)
    #expect(result.output == "no daemon\n")
    #expect(result.errors == "0\n")
    #expect(!result.timedOut)
  }

  @Test func csvHasTheLayersOfTheFirstOffset() throws {
    let program = try start("--format", "csv", "--count", "2")
    let peer = try server.accept()
    try peer.say(version, gate, offsets[1], offsets[0])
    #expect(
      try program.finish().output == """
        time,x,y,bg_x,bg_y,fg_x,fg_y
        2.500000000,0,5,0.1234,-1,2,3
        1.000000001,1.23,-0.5,,,,

        """)
  }

  @Test func csvHasTheRequestedLayersInTheirOrder()
    throws
  {
    let program = try start("--format", "csv", "--layers", "fg=1,bg=2", "--count", "1")
    let peer = try server.accept()
    let watch = try #require(try peer.hear())
    try peer.say(version, offsets[0], watch, offsets[1])
    #expect(
      try program.finish().output == """
        time,x,y,fg_x,fg_y,bg_x,bg_y
        2.500000000,0,5,2,3,0.1234,-1

        """)
  }

  @Test(arguments: [("--layers", "bg=1"), ("--count", "1")])
  func aRefusalIsExit77WithTheDaemonsMessage(option: String, value: String) throws {
    let program = try start(option, value)
    let peer = try server.accept()
    try peer.say(#"{"class":"ERROR","message":"not for you; join the group","code":"denied"}"#)
    peer.close()
    let result = try program.finish()
    #expect(result.errors == "parallax: not for you; join the group\n")
    #expect(result.exitCode == 77)
  }

  @Test func aRefusedWatchIsExit64() throws {
    let program = try start("--rate", "0.001")
    let peer = try server.accept()
    _ = try peer.hear()
    try peer.say(version, #"{"class":"ERROR","message":"rate: no","code":"bad-request"}"#)
    let result = try program.finish()
    #expect(result.errors == "parallax: rate: no\n")
    #expect(result.exitCode == 64)
  }

  @Test func anotherMajorProtocolVersionIsExit69() throws {
    let program = try start()
    let peer = try server.accept()
    try peer.say(#"{"class":"VERSION","release":"9.0.0","proto_major":2,"proto_minor":0}"#)
    let result = try program.finish()
    #expect(result.exitCode == 69)
    #expect(result.errors.contains("speaks protocol 2"))
  }

  @Test func aClosedPipeEndsItSilentlyWithoutFurtherLines() throws {
    // head exits after one line. No other line follows, so only the pipe shows it.
    let program = try Program(path: "/bin/sh").start([
      "-c",
      "{ '\(Program.parallax.path)' subscribe --socket '\(server.path)'; echo $? >&2; } | head -1",
    ])
    let peer = try server.accept()
    try peer.say(version)
    let result = try program.finish(timeoutSeconds: 20)
    #expect(result.output == version + "\n")
    #expect(result.errors == "0\n")
    #expect(!result.timedOut)
  }
}

@Suite("parallax subscribe: errors")
struct SubscribeErrorTests {
  /// Arguments and a part of the message.
  @Test(
    arguments: [
      (["--class", "OFSET"], "use VERSION, DEVICE, GATE, OFFSET, ANIMATION, WATCH or ERROR"),
      (["--class", "GATE", "--format", "csv"], "GATE has no columns"),
      (["--format", "xml"], "unknown format 'xml'; use json, csv, waybar"),
      (["--format", "wabar"], "did you mean 'waybar'?"),
      (["--format", "{x:+.1}"], "--format: character 7: write 'f' after the decimals"),
      (["--format", "{x}", "--class", "GATE"], "--class: requires --format json"),
      (["--format", "{bg.x}", "--layers", "fg=1"], "'bg' is not in --layers, which has fg"),
      (["--on-change", "-1"], "--on-change"), (["--on-change", "x"], "use 0 px or more"),
      (["--timeout", "0"], "use 0.001 to 86400 s"), (["--count", "0"], "must be at least 1"),
      (["--count", "many"], "count"), (["--rate", "0"], "use more than 0, up to 60 Hz"),
      (["--rate", "fast"], "'fast'"), (["--layers", "bg"], "NAME=DEPTH"),
      (["--layers", "bg=11"], "--layers: the depth 11"), (["--orientation", "up"], "right-up"),
      (["--bogus"], "unknown option '--bogus'"), (["extra"], "unexpected argument 'extra'"),
    ] as [([String], String)])
  func invalidOptionsAreReportedWithTheAllowedValues(arguments: [String], part: String) throws {
    let result = try Program.parallax.run(["subscribe"] + arguments)
    #expect(result.exitCode == 64)
    #expect(result.output == "")
    #expect(result.errorLines.count == 1)
    #expect(result.errors.hasPrefix("parallax: "))
    #expect(result.errors.contains(part), "\(result.errors)")
  }

  @Test func noDaemonIsExit69AndSaysHowToStartOne() throws {
    let folder = try TemporaryFolder()
    let result = try Program.parallax.run(["subscribe", "--socket", folder("none")])
    #expect(result.exitCode == 69)
    #expect(result.errorLines.count == 1)
    #expect(result.errors.contains("\(folder("none")): No such file or directory"))
    #expect(result.errors.contains("'systemctl start parallax' or 'parallax run'"))
  }

  @Test func aSocketOfTheEnvironmentIsTheOnlyOne() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("run")
    try folder.makeFolder("run/parallax")
    let server = try FakeServer(at: folder("run/parallax/parallax.sock"))
    func start(_ path: String) throws -> RunningProgram {
      try Program.parallax.start(
        ["subscribe", "--count", "1"],
        environment: ["PARALLAX_SOCKET": path, "XDG_RUNTIME_DIR": folder("run")])
    }
    let refused = try start(folder("none")).finish()
    #expect(refused.exitCode == 69)
    #expect(refused.errors.contains("no daemon answers (\(folder("none")): No such file"))
    #expect(!refused.errors.contains(server.path))
    let program = try start("")
    let peer = try server.accept()
    try peer.say(version)
    #expect(try program.finish().output == version + "\n")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can act as another user"))
  func aSocketWithoutPermissionIsExit77() throws {
    let folder = try TemporaryFolder()
    folder.openToAll()
    let server = try FakeServer(at: folder("s"))
    chmod(server.path, 0o600)
    let result = try Program.parallax.run(["subscribe", "--socket", server.path], as: 65_534)
    #expect(result.exitCode == 77)
    #expect(result.errors.contains("\(server.path): Permission denied"))
    #expect(result.errors.contains("join the group 'parallax'"))
  }

  @Test func aLongPathIsExit64() throws {
    let path = "/tmp/" + String(repeating: "x", count: 103)
    let result = try Program.parallax.run(["subscribe", "--socket", path])
    #expect(result.exitCode == 64)
    #expect(result.errors.contains("107 bytes"))
  }

  @Test func aFullDiskIsExit74() throws {
    let folder = try TemporaryFolder()
    let server = try FakeServer(at: folder("s"))
    let program = try Program(path: "/bin/sh").start([
      "-c", "exec '\(Program.parallax.path)' subscribe --socket '\(server.path)' > /dev/full",
    ])
    let peer = try server.accept()
    try peer.say(version)
    let result = try program.finish()
    #expect(result.exitCode == 74)
    #expect(result.errors.contains("No space left on device"))
  }
}
