// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// `parallax record`, with the test as the daemon.
@Suite("parallax record", .timeLimit(.minutes(10)))
struct RecordTests {
  private let folder: TemporaryFolder
  private let server: FakeServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FakeServer(at: folder("control.sock"))
  }

  private static let ack =
    #"{"class":"ACK","tag":1,"device":"gyro_3d","rate":100,"#
    + #""mount-matrix":"1.0,0.0,0.0;0.0,1.0,0.0;0.0,0.0,1.0","orientation":"normal","bias":"off"}"#
  private static let header = """
    # device: gyro_3d
    # rate: 100
    # mount-matrix: 1,0,0;0,1,0;0,0,1
    # orientation: normal
    # bias: off,0,0,0
    t,x,y,z

    """
  private static let threeSamples = [
    #"{"class":"SAMPLE","time":7.000000001,"x":0.5,"y":-1.5,"z":0.25}"#,
    #"{"class":"SAMPLE","time":7.010000002,"x":1e-05,"y":0,"z":-0}"#,
    #"{"class":"SAMPLE","time":7.02,"x":0.1,"y":0.2,"z":0.3}"#,
  ]
  private static let threeRows =
    "0.000000000,0.5,-1.5,0.25\n0.010000001,1e-05,0.0,-0.0\n0.019999999,0.1,0.2,0.3\n"

  /// Starts the command and receives its request.
  private func record(
    _ arguments: String...
  ) throws -> (program: RunningProgram, daemon: FakeServer.Peer) {
    let program = try Program.parallax.start(
      ["record", "--control", server.path] + arguments, folder: folder.path)
    let daemon = try server.accept()
    #expect(try daemon.hear() == #"{"class":"RECORD","tag":1}"#)
    return (program, daemon)
  }

  /// Sends the header and three samples, and waits until the rows are in the partial file.
  private func begin(_ daemon: FakeServer.Peer) throws {
    try daemon.say(Self.ack)
    for sample in Self.threeSamples { try daemon.say(sample) }
    try waitUntil("the rows are written") {
      try folder.names().filter { $0.hasSuffix(".part") }
        .contains { try folder.text(of: $0) == Self.header + Self.threeRows }
    }
  }

  private func recorded(_ name: String = "walk.csv") throws -> String { try folder.text(of: name) }

  // MARK: - Ends

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalLeavesACompleteTrace(signal: Int32) throws {
    try folder.write("older", to: "walk.csv")
    let (program, daemon) = try record("-o", "walk.csv")
    try begin(daemon)
    #expect(try recorded() == "older")
    program.send(signal: signal)
    let result = try program.finish()
    #expect(result.exitCode == 0)
    #expect(result.errors == "")
    #expect(try recorded() == Self.header + Self.threeRows)
    #expect(try folder.names() == ["control.sock", "walk.csv"])
  }

  @Test func aKillLeavesAPartialFile() throws {
    let (program, daemon) = try record("-o", "walk.csv")
    try begin(daemon)
    program.send(signal: SIGKILL)
    #expect(try program.finish().signal == SIGKILL)
    let names = try folder.names()
    #expect(names.count == 2)
    let part = try #require(names.last)
    #expect(part.hasPrefix("walk.csv.") && part.hasSuffix(".part"))
    #expect(try recorded(part) == Self.header + Self.threeRows)
  }

  /// Requests a gyroscope that this machine does not have.
  @Test(.needsNoDaemon) func withoutADaemonTheGyroscopeIsUsed() throws {
    let environment = [
      "XDG_RUNTIME_DIR": folder.path, "XDG_CONFIG_HOME": folder.path,
      "PARALLAX_CONTROL": folder("none"), "PARALLAX_SOCKET": nil,
    ]
    let config = try folder.write("[source]\ndevice = \"no-such-gyro\"\n", to: "parallax.toml")
    let fallback = try Program.parallax.run(
      ["record", "-o", "walk.csv", "--config", config], environment: environment,
      folder: folder.path)
    #expect(fallback.exitCode == 69)
    #expect(fallback.errors.hasPrefix("parallax: no daemon is running, and "), "\(fallback.errors)")
    #expect(fallback.errorLines.count == 1)
    let asked = try Program.parallax.run(
      ["record", "-o", "walk.csv", "--device", "no-such-gyro", "--rate", "100"],
      environment: environment, folder: folder.path)
    #expect(asked.exitCode == 69)
    #expect(!asked.errors.contains("daemon") && asked.errorLines.count == 1, "\(asked.errors)")
    #expect(!folder.exists("walk.csv"))
  }
}
