// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

@Suite("parallax inhibit", .timeLimit(.minutes(10)))
struct InhibitTests {
  private let folder: TemporaryFolder
  private let server: FakeServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FakeServer(at: folder("control.sock"))
  }

  private let ack = #"{"class":"ACK","tag":1}"#

  private func start(_ arguments: String...) throws -> RunningProgram {
    try Program.parallax.start(["inhibit", "--control", server.path] + arguments)
  }

  /// A shell command and the exit status.
  @Test(arguments: [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 143), ("kill -KILL $$", 137)])
  func theExitStatusIsTheCommands(script: String, status: Int32) throws {
    let program = try start("--", "sh", "-c", script)
    let peer = try server.accept()
    #expect(try peer.hear() == #"{"class":"INHIBIT","tag":1,"reason":"command"}"#)
    try peer.say(ack)
    #expect(try program.finish().exitCode == status)
    // The connection ends with the command, and the inhibition with it.
    #expect(try peer.hear() == nil)
  }

  @Test func theCommandInheritsTheStandardStreamsAndKeepsItsOptions() throws {
    let program = try start(
      "--reason", "password", "--", "sh", "-c", "cat; echo $1 >&2", "x", "--reason")
    let peer = try server.accept()
    #expect(try peer.hear() == #"{"class":"INHIBIT","tag":1,"reason":"password"}"#)
    try peer.say(ack)
    let result = try program.finish(input: Array("typed".utf8))
    #expect(result.output == "typed")
    #expect(result.errors == "--reason\n")
    #expect(result.exitCode == 0)
  }

  @Test func theCommandRunsOnlyIfTheDaemonAgrees() throws {
    let program = try start("--", "touch", folder("ran"))
    let peer = try server.accept()
    _ = try peer.hear()
    try peer.say(#"{"class":"ERROR","tag":1,"message":"no active session","code":"denied"}"#)
    let result = try program.finish()
    #expect(result.exitCode == 77)
    #expect(result.errors == "parallax: no active session\n")
    #expect(!folder.exists("ran"))
  }

  @Test func aMissingCommandIs127() throws {
    let program = try start("--", folder("nowhere"))
    let peer = try server.accept()
    _ = try peer.hear()
    try peer.say(ack)
    let result = try program.finish()
    #expect(result.exitCode == 127)
    #expect(result.errors.contains("No such file or directory"))
  }

  @Test func sigtermReachesTheCommand() throws {
    let program = try start(
      "--", "sh", "-c", "trap 'exit 5' TERM; echo up; while :; do sleep 0.01; done")
    let peer = try server.accept()
    _ = try peer.hear()
    try peer.say(ack)
    #expect(try program.nextLine() == "up")
    program.send(signal: SIGTERM)
    #expect(try program.finish().exitCode == 5)
  }

  @Test func theInhibitionIsRenewedAtANewDaemon() throws {
    let program = try start("--", "cat")
    let first = try server.accept()
    _ = try first.hear()
    try first.say(ack)
    first.close()
    let second = try server.accept()
    #expect(try second.hear() == #"{"class":"INHIBIT","tag":1,"reason":"command"}"#)
    try second.say(ack)
    let result = try program.finish(input: Array("x".utf8))
    #expect(result.output == "x")
    #expect(result.exitCode == 0)
    #expect(result.errors.contains("the inhibition is renewed"))
  }

  /// Arguments and a part of the message.
  @Test(
    arguments: [
      ([], "parallax inhibit -- pinentry"), (["--"], "no command"),
      (["--reason", "Pass Word", "--", "true"], "a-z"), (["true"], "--reason"),
    ] as [([String], String)])
  func invalidArgumentsAreExit64(arguments: [String], part: String) throws {
    let result = try Program.parallax.run(["inhibit"] + arguments)
    #expect(result.exitCode == 64)
    #expect(result.errorLines.count == 1)
    #expect(result.errors.contains(part), "\(result.errors)")
  }
}
