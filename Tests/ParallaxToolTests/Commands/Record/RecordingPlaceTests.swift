// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// The outputs of `parallax record`: pipes, full disks, names that cannot be created.
@Suite("Outputs of recordings", .timeLimit(.minutes(10)))
struct RecordingPlaceTests {
  private let folder: TemporaryFolder
  private let server: FakeServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FakeServer(at: folder("control.sock"))
  }

  private static let ack =
    #"{"class":"ACK","tag":1,"mount-matrix":"1,0,0;0,1,0;0,0,1","orientation":"normal","#
    + #""bias":"auto"}"#
  private static let header =
    "# mount-matrix: 1,0,0;0,1,0;0,0,1\n# orientation: normal\n# bias: auto\nt,x,y,z\n"

  /// Sends the samples of half a second.
  private func say(_ half: Int, to daemon: FakeServer.Peer) throws {
    for index in 0..<50 {
      let milliseconds = 500 * half + 10 * index
      let time = "\(5 + milliseconds / 1_000).\(String(1_000 + milliseconds % 1_000).dropFirst())"
      try daemon.say(
        #"{"class":"SAMPLE","time":\#(time),"x":0.12345678,"y":0.12345678,"z":\#(index)}"#)
    }
  }

  private func start(_ arguments: String...) throws -> RunningProgram {
    try Program.parallax.start(
      ["record", "--control", server.path] + arguments, folder: folder.path)
  }

  @Test func aFIFOIsWrittenDirectly() throws {
    try #require(mkfifo(folder("fifo"), 0o600) == 0)
    let reader = try Program(path: "/bin/cat").start([folder("fifo")])
    let program = try start("-o", "fifo", "--duration", "0.5")
    let daemon = try server.accept()
    try daemon.say(Self.ack)
    for half in 0..<2 { try say(half, to: daemon) }
    #expect(try program.finish().exitCode == 0)
    let result = try reader.finish()
    #expect(result.output.hasPrefix(Self.header))
    #expect(result.outputLines.last == "0.500000000,0.12345678,0.12345678,0.0")
  }

  /// It notices without another sample.
  @Test func aReaderThatIsGoneEndsItSilently() throws {
    let program = try Program(path: "/bin/sh").start(
      ["-c", #"{ "$P" record --control control.sock -o -; echo "exit $?" >&2; } | head -n 1"#],
      environment: ["P": Program.parallax.path], folder: folder.path)
    let daemon = try server.accept()
    try daemon.say(Self.ack, #"{"class":"SAMPLE","time":5,"x":1,"y":2,"z":3}"#)
    let result = try program.finish()
    #expect(result.outputLines.count == 1)
    #expect(result.errors == "exit 0\n")
    #expect(try daemon.hear() != nil)
    #expect(try daemon.hear() == nil)
  }

  @Test func aFullDevice() throws {
    let program = try start("-o", "/dev/full")
    let daemon = try server.accept()
    try daemon.say(Self.ack)
    try say(0, to: daemon)
    let result = try program.finish()
    #expect(result.exitCode == 74)
    #expect(
      result.errors
        == "parallax: /dev/full: the disk is full; free some space or write elsewhere with -o\n")
  }

  /// The rows that fit are complete and can be replayed.
  private func expectWholeRows(
    _ name: String, _ result: ProgramResult, _ message: String
  ) throws {
    #expect(result.exitCode == 74)
    let text = try folder.text(of: name)
    #expect(text.hasPrefix(Self.header) && text.hasSuffix(".0\n"))
    let rows = text.split(separator: "\n").count - 4
    #expect(rows > 50)
    #expect(
      result.errors == "parallax: \(name): \(message); \(rows) samples are kept in \(name)\n")
    let replay = try Program.parallax.run(
      ["replay", name, "--summary"], folder: folder.path)
    #expect(replay.exitCode == 0)
    #expect(replay.errors.contains("kept: \(rows)\n") && replay.errors.contains("footer: 0\n"))
  }

  @Test(.disabled(if: TestEnvironment.isSanitized, "a sanitizer's own memory is such a file"))
  func aFileAtItsSizeLimit() throws {
    let program = try Program(path: "/bin/sh").start(
      ["-c", #"ulimit -f 8; exec "$P" record --control control.sock -o out.csv"#],
      // In a build that counts lines, the counts have no room either.
      environment: ["P": Program.parallax.path, "LLVM_PROFILE_FILE": "/dev/null"],
      folder: folder.path)
    let daemon = try server.accept()
    try daemon.say(Self.ack)
    // The program may exit before all samples are sent.
    for half in 0..<20 { if (try? say(half, to: daemon)) == nil { break } }
    let result = try program.finish()
    try expectWholeRows(
      "out.csv", result, "the file exceeds the size limit; raise it with ulimit -f")
    #expect(try folder.names() == ["control.sock", "out.csv"])
  }

  @Test(.needsRoot) func aDiskThatFillsUp() throws {
    try folder.makeFolder("disk")
    let mounted = try Program(path: "/bin/mount").run([
      "-t", "tmpfs", "-o", "size=16k", "none", folder("disk"),
    ])
    guard mounted.exitCode == 0 else {
      try leaveOut("a full disk: mount: \(mounted.errors)")
      return
    }
    defer { umount2(folder("disk"), Int32(MNT_DETACH)) }
    let program = try start("-o", "disk/out.csv")
    let daemon = try server.accept()
    try daemon.say(Self.ack)
    for half in 0..<20 { if (try? say(half, to: daemon)) == nil { break } }
    let result = try program.finish()
    try expectWholeRows(
      "disk/out.csv", result, "the disk is full; free some space or write elsewhere with -o")
    #expect(try namesInFolder(folder("disk")) == ["out.csv"])
  }

  /// A recording is kept even if its name is taken during the recording.
  @Test func aNameThatBecomesAFolder() throws {
    let program = try start("-o", "walk.csv")
    let daemon = try server.accept()
    #expect(try daemon.hear() != nil)
    try folder.write("", to: "walk.csv/full")
    try daemon.say(Self.ack, #"{"class":"SAMPLE","time":5,"x":1,"y":2,"z":3}"#)
    try waitUntil("the row is written") {
      try folder.names().filter { $0.hasSuffix(".part") }
        .contains { try folder.text(of: $0).hasSuffix("3.0\n") }
    }
    program.send(signal: SIGINT)
    let result = try program.finish()
    #expect(result.exitCode == 73)
    let part = try #require(folder.names().last)
    #expect(result.errors.hasSuffix("the data is in walk.csv\(part.dropFirst(8))\n"))
    #expect(try folder.text(of: part) == Self.header + "0.000000000,1.0,2.0,3.0\n")
  }
}
