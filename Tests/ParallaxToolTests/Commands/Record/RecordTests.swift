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

  // MARK: - Contents

  @Test func timesAndRatesAreExact() throws {
    let (program, daemon) = try record("-o", "walk.csv", "--duration", "200")
    try daemon.say(
      #"{"class":"ACK","tag":1,"device":"lsm6ds3 \"gyro\"\nBMI é","rate":99.712345678,"#
        + #""mount-matrix":"0.0,1.0,0.0;-1.0,0.0,0.0;0.0,0.0,1.0","orientation":"left-up","#
        + #""bias":"auto,0.1,-2.5e-17,0.3333333333333333","news":1}"#,
      #"{"class":"NEWS","x":1}"#,
      // More seconds than a Double has nanoseconds for.
      #"{"class":"SAMPLE","time":9000000000.000000001,"x":0.30000000000000004,"y":-5e-324,"z":1.7976931348623157e308}"#,
      #"{"class":"SAMPLE","time":9000000000.000000002,"x":0.1,"y":123456789.123456789,"z":-0.0}"#,
      #"{"class":"SAMPLE","time":9000000200.000000001,"x":1,"y":2,"z":3}"#)
    let result = try program.finish()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output == "" && result.errors == "")
    #expect(
      try recorded() == """
        # device: lsm6ds3 "gyro" BMI é
        # rate: 99.712345678
        # mount-matrix: 0,1,0;-1,0,0;0,0,1
        # orientation: left-up
        # bias: auto,0.1,-2.5e-17,0.3333333333333333
        t,x,y,z
        0.000000000,0.30000000000000004,-5e-324,1.7976931348623157e+308
        0.000000001,0.1,123456789.12345679,-0.0
        200.000000000,1.0,2.0,3.0

        """)
    #expect(try folder.names() == ["control.sock", "walk.csv"])
    // The connection ends.
    #expect(try daemon.hear() == nil)
  }

  /// The bias in the ACK and in the header.
  @Test(arguments: [
    ("off", "off,0,0,0"), ("auto", "auto"), ("auto,0.5,0.0,-1e-05", "auto,0.5,0,-1e-05"),
  ])
  func theBiasIsWrittenAsReceived(said: String, written: String) throws {
    let (program, daemon) = try record("-o", "walk.csv", "--duration", "0.02")
    try daemon.say(Self.ack.replacing(#""bias":"off""#, with: #""bias":"\#(said)""#))
    for sample in Self.threeSamples { try daemon.say(sample) }
    try daemon.say(#"{"class":"SAMPLE","time":7.03,"x":1,"y":1,"z":1}"#)
    #expect(try program.finish().exitCode == 0)
    #expect(
      try recorded() == Self.header.replacing("off,0,0,0", with: written) + Self.threeRows)
  }

  /// The duration in seconds and the rows. A sample right at the end is included.
  @Test(arguments: [("0.5", 2), ("1", 3), ("1.5", 3), ("1.999999999", 3), ("2", 4)])
  func durationIsMeasuredByTheSamples(duration: String, rows: Int) throws {
    let (program, daemon) = try record("-o", "-", "--duration", duration)
    try daemon.say(Self.ack)
    let samples = ["1000", "1000.5", "1001", "1002", "1003"].map {
      #"{"class":"SAMPLE","time":\#($0),"x":1,"y":2,"z":3}"# + "\n"
    }
    // In one call: the program may exit as soon as it has enough.
    try daemon.send(samples.joined())
    let result = try program.finish()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.outputLines.count == 6 + rows, "\(result.output)")
  }

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

  /// The daemon's line after three samples (nil closes), options, the exit status and the message.
  @Test(
    arguments: [
      (nil, [], 69, "the daemon ended the connection; 3 samples are kept in walk.csv"),
      (
        #"{"class":"DEVICE","driver":"iio","name":"g","state":"lost","reason":"unplugged"}"#, [],
        69,
        "the device 'g' is lost: unplugged; 3 samples are kept in walk.csv"
      ),
      (
        #"{"class":"DEVICE","driver":"trace","name":"w","state":"ended"}"#, ["--duration", "9"], 69,
        "the source 'w' has ended; 3 samples are kept in walk.csv"
      ),
      (#"{"class":"DEVICE","driver":"trace","name":"w","state":"ended"}"#, [], 0, nil),
      (
        #"{"class":"ERROR","message":"too slow","code":"behind"}"#, [], 69,
        "too slow; 3 samples are kept in walk.csv"
      ),
      (
        #"{"class":"SAMPLE","time":7.02,"x":0,"y":0,"z":0}"#, [], 69,
        "the program on the socket is not parallaxd; 3 samples are kept in walk.csv"
      ),
    ] as [(String?, [String], Int32, String?)])
  func anEarlyEndKeepsTheSamples(
    last: String?, options: [String], exit: Int32, message: String?
  ) throws {
    let program = try Program.parallax.start(
      ["record", "--control", server.path, "-o", "walk.csv"] + options, folder: folder.path)
    let daemon = try server.accept()
    try begin(daemon)
    if let last { try daemon.say(last) } else { daemon.close() }
    let result = try program.finish()
    #expect(result.exitCode == exit)
    #expect(result.errors == (message.map { "parallax: \($0)\n" } ?? ""))
    #expect(try recorded() == Self.header + Self.threeRows)
    #expect(try folder.names() == ["control.sock", "walk.csv"])
  }

  @Test func notesOfTheDaemonArePrinted() throws {
    let (program, daemon) = try record("-o", "walk.csv", "--duration", "0.01")
    try daemon.say(
      Self.ack.replacing(#""tag":1,"#, with: #""tag":1,"note":"half asleep","#),
      Self.threeSamples[0],
      #"{"class":"DEVICE","driver":"iio","name":"g","state":"streaming","reason":"polled"}"#,
      #"{"class":"DEVICE","driver":"iio","name":"g","state":"streaming"}"#,
      #"{"class":"SAMPLE","time":7.02,"x":0,"y":0,"z":0}"#)
    let result = try program.finish()
    #expect(result.exitCode == 0)
    #expect(
      result.errors == "parallax: half asleep\nparallax: the device 'g' streams: polled\n")
  }

  // MARK: - Nothing to record

  /// The daemon's lines, the exit status and the message.
  @Test(
    arguments: [
      (
        #"{"class":"ERROR","tag":1,"message":"RECORD is for root","code":"denied"}"#, 77,
        "RECORD is for root"
      ),
      (
        #"{"class":"ERROR","tag":1,"message":"nothing can be recorded: no gyroscope","code":"unavailable"}"#,
        69, "nothing can be recorded: no gyroscope"
      ),
      (nil, 69, "the daemon ended the connection"),
      (ack, 69, "the daemon ended the connection"),
      (threeSamples[0], 69, "the program on the socket is not parallaxd"),
      (#"{"class":"ACK","tag":1}"#, 69, "the program on the socket is not parallaxd"),
      (ack + "\n" + ack, 69, "the program on the socket is not parallaxd"),
      (
        ack.replacing("1.0,0.0,0.0;", with: "1.0,0.0;"), 69,
        "the program on the socket is not parallaxd"
      ),
      (
        ack.replacing(#""rate":100"#, with: #""rate":0"#), 69,
        "the program on the socket is not parallaxd"
      ),
      (ack.replacing("normal", with: "up"), 69, "the program on the socket is not parallaxd"),
      (
        ack.replacing(#":"off""#, with: #":"maybe""#), 69,
        "the program on the socket is not parallaxd"
      ),
      (
        ack + "\n" + #"{"class":"SAMPLE","time":1e300,"x":0,"y":0,"z":0}"#, 69,
        "the program on the socket is not parallaxd"
      ),
      (
        ack + "\n" + #"{"class":"SAMPLE","time":-1,"x":0,"y":0,"z":0}"#, 69,
        "the program on the socket is not parallaxd"
      ),
      (
        ack + "\n" + #"{"class":"SAMPLE","time":1,"x":0,"y":0}"#, 69,
        "the program on the socket is not parallaxd"
      ),
      ("SSH-2.0-OpenSSH_9.2p1", 69, "the program on the socket is not parallaxd"),
      ("\u{0}\u{1}\u{FFFD}", 69, "the program on the socket is not parallaxd"),
    ] as [(String?, Int32, String)])
  func nothingRecordedLeavesNoFile(
    said: String?, exit: Int32, message: String
  ) throws {
    try folder.write("older", to: "walk.csv")
    let (program, daemon) = try record("-o", "walk.csv")
    if let said { try daemon.say(said) }
    daemon.close()
    let result = try program.finish()
    #expect(result.exitCode == exit)
    #expect(result.errors == "parallax: \(message)\n")
    #expect(try folder.names() == ["control.sock", "walk.csv"])
    #expect(try recorded() == "older")
  }

  @Test func aSignalBeforeTheFirstSampleLeavesNoFile() throws {
    let (program, daemon) = try record("-o", "walk.csv")
    try daemon.say(Self.ack)
    program.send(signal: SIGINT)
    let result = try program.finish()
    #expect(result.exitCode == 69)
    #expect(result.errors == "parallax: nothing was recorded: no sample arrived\n")
    #expect(try folder.names() == ["control.sock"])
  }

  @Test func aRefusalBeforeTheRequest() throws {
    let program = try Program.parallax.start(["record", "--control", server.path, "-o", "-"])
    let daemon = try server.accept()
    try daemon.say(#"{"class":"ERROR","message":"not for you","code":"denied"}"#)
    daemon.close()
    let result = try program.finish()
    #expect(result.exitCode == 77)
    #expect(result.errors == "parallax: not for you\n")
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

  @Test func noDaemon() throws {
    let result = try Program.parallax.run(
      ["record", "-o", "walk.csv", "--control", folder("none")], folder: folder.path)
    #expect(result.exitCode == 69)
    #expect(result.errorLines.count == 1)
    #expect(result.errors.contains("'parallax run'"), "\(result.errors)")
    #expect(try folder.names() == ["control.sock"])
  }
}
