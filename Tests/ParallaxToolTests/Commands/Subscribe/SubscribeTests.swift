// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

private let version = #"{"class":"VERSION","release":"0.1.0","proto_major":1,"proto_minor":0}"#
private let shutdown =
  #"{"class":"DEVICE","driver":"synthetic","state":"ended","reason":"shutdown"}"#

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

  @Test func controlCharactersAreEscaped() throws {
    let program = try start()
    let peer = try server.accept()
    try peer.say("{\"class\":\"NEWS\",\t\"a\":\"\u{1B}[2J\u{9B}2J\u{7F}\u{2028}\u{E9}\"}", shutdown)
    peer.close()
    #expect(
      try program.finish().output
        == #"{"class":"NEWS", "a":"\u001b[2J\u009b2J\u007f\u2028\#u{E9}"}"# + "\n\(shutdown)\n")
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
