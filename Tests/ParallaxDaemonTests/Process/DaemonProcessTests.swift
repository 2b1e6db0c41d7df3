// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxDaemon
import ParallaxProtocol
import ParallaxTestSupport
import Testing

/// The real parallaxd over real sockets, partly in real time.
@Suite(.serialized) struct DaemonProcessTests {
  @Test func aSubscriberReceivesFramesAndTheEnd() throws {
    let daemon = try DaemonProcess(["source.kind=synthetic"])
    let client = try daemon.subscribe()
    #expect(try client.next()?.name == "VERSION")
    #expect(try client.next()?["driver"] == "synthetic")
    #expect(try client.next()?.name == "GATE")
    let frames = try (0..<5).compactMap { _ in try client.next() }
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.seq == $0.seq + 1 })
    let result = try daemon.terminate()
    #expect(result.exitCode == 0)
    let last = try client.rest().last
    #expect(last?["state"] == "ended" && last?["reason"] == "shutdown")
    #expect(try daemon.folder.names().isEmpty)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aSignalRightAfterTheStartEndsIt(_ signal: Int32) throws {
    for _ in 0..<5 {
      let daemon = try DaemonProcess(["source.kind=synthetic"])
      daemon.program.send(signal: signal)
      let result = try daemon.program.finish(timeoutSeconds: 30)
      #expect(result.exitCode == 0 && !result.timedOut)
    }
  }

  @Test func aSecondDaemonDoesNotStart() throws {
    let daemon = try DaemonProcess(["source.kind=synthetic"])
    let second = try Program.parallaxd.run(
      DaemonProcess.arguments([], daemon.folder),
      environment: DaemonProcess.environment(daemon.folder))
    #expect(second.exitCode == 69)
    #expect(second.errorLines.count == 1 && second.errors.contains("another parallaxd"))
    #expect(try daemon.subscribe().next()?.name == "VERSION")
  }

  @Test func theSocketsOfADeadDaemonAreReplaced() throws {
    let folder = try TemporaryFolder()
    let first = try DaemonProcess(["source.kind=synthetic"], folder: folder)
    first.program.send(signal: SIGKILL)
    _ = try first.program.finish(timeoutSeconds: 30)
    #expect(folder.exists(DaemonProcess.socketName))
    let second = try DaemonProcess(["source.kind=synthetic"], folder: folder)
    #expect(try second.subscribe().next()?.name == "VERSION")
    #expect(try second.terminate().exitCode == 0)
  }

  struct Refusal: CustomTestStringConvertible {
    var name: String
    var arguments: [String]
    var exitCode: Int32
    /// A part of the message.
    var part: String
    var testDescription: String { name }
  }

  @Test(arguments: [
    Refusal(name: "an unknown option", arguments: ["--port", "1"], exitCode: 64, part: "--config"),
    Refusal(name: "an argument", arguments: ["x"], exitCode: 64, part: "--set"),
    Refusal(name: "no value", arguments: ["--set"], exitCode: 64, part: "--set needs"),
    Refusal(
      name: "--config twice", arguments: ["--config=a", "--config=b"], exitCode: 64,
      part: "only once"),
    Refusal(
      name: "an unknown key", arguments: ["--set", "motion.speed=1"], exitCode: 64, part: "speed"),
    Refusal(
      name: "an impossible value", arguments: ["--set", "motion.scale=big"], exitCode: 64,
      part: "motion.scale"),
    Refusal(
      name: "no such file", arguments: ["--config", "/nowhere/p.toml"], exitCode: 66,
      part: "/nowhere/p.toml"),
    Refusal(
      name: "a folder that is missing", arguments: ["--set", "socket.path=/nowhere/at/all/p.sock"],
      exitCode: 73, part: "/nowhere/at/all"),
    Refusal(
      name: "a path that is too long",
      arguments: ["--set", "socket.path=/tmp/\(String(repeating: "a", count: 110))"],
      exitCode: 64, part: "107"),
  ])
  func invalidStartsAreRefused(_ it: Refusal) throws {
    let folder = try TemporaryFolder()
    let result = try Program.parallaxd.run(
      it.arguments, environment: DaemonProcess.environment(folder))
    #expect(result.exitCode == it.exitCode, "\(result.errors)")
    #expect(result.errors.contains(it.part), "\(result.errors)")
    #expect(result.errorLines.allSatisfy { $0.hasPrefix("parallaxd: ") })
    #expect(result.output.isEmpty)
  }

  @Test func everyErrorOfAFileIsReported() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("[motion]\nscale = true\nmood = 1\n", to: "p.toml")
    let result = try Program.parallaxd.run(
      ["--config", file], environment: DaemonProcess.environment(folder))
    #expect(result.exitCode == 78)
    #expect(result.errors.contains("p.toml:2") && result.errors.contains("p.toml:3"))
  }

  @Test(.needsRoot) func anUnwritableFolderIsAnError() throws {
    let folder = try TemporaryFolder()
    chmod(folder.path, 0o755)
    let result = try Program.parallaxd.run(
      DaemonProcess.arguments([], folder), environment: DaemonProcess.environment(folder), as: 4242)
    #expect(result.exitCode == 77, "\(result.errors)")
  }

  @Test func helpAndVersionArePrinted() throws {
    let help = try Program.parallaxd.run(["--help"])
    #expect(help.exitCode == 0 && help.output.contains("--set TABLE.KEY=VALUE"))
    for option in ["--version", "-V"] {
      let version = try Program.parallaxd.run([option])
      #expect(version.exitCode == 0 && version.output == "parallaxd \(Daemon.release)\n")
    }
  }

  /// SIGHUP and RELOAD: an invalid file is reported and changes nothing; a valid one applies at once.
  @Test func theConfigurationIsReloaded() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("[source]\nkind = \"synthetic\"\n", to: "p.toml")
    let program = try Program.parallaxd.start(
      ["--config", file, "--set", "socket.path=\(folder(DaemonProcess.socketName))"],
      environment: DaemonProcess.environment(folder))
    let control = try Self.connect(folder("control.sock"))
    try folder.write("[gates]\nreduce-motion = 7\n", to: "p.toml")
    control.send(#"{"class":"RELOAD","tag":1}"#)
    let refusal = try #require(try control.next())
    #expect(refusal.name == "ERROR" && refusal.text.contains("p.toml:2"))
    program.send(signal: SIGHUP)
    control.send(#"{"class":"STATUS"}"#)
    #expect(try control.next()?.object("gate")?.reasons == [])

    try folder.write("[gates]\nreduce-motion = \"on\"\n[socket]\npath = \"/tmp/x\"\n", to: "p.toml")
    program.send(signal: SIGHUP)
    try waitUntil("the reload") {
      control.send(#"{"class":"STATUS"}"#)
      return try control.next()?.object("gate")?.reasons == ["reduce-motion:config"]
    }
    control.send(#"{"class":"RELOAD"}"#)
    // The path of the command line overrides the file's, so there is no note.
    #expect(try control.next()?.text == #"{"class":"ACK"}"#)
    program.send(signal: SIGTERM)
    let result = try program.finish(timeoutSeconds: 30)
    #expect(result.errors.contains("nothing was changed"))
  }

  private static func connect(_ path: String) throws -> SocketClient {
    var client: SocketClient?
    try waitUntil("parallaxd answers") {
      client = try? SocketClient(path)
      return client != nil
    }
    return try #require(client)
  }

  /// A trace over the real socket: every frame once, equal to the rounded rows of `parallax replay`.
  @Test(
    arguments: [
      ("small/gap.csv", ["motion.smoothing=ema:0.1"], ["--smoothing=ema:0.1"]),
      (
        "small/above-37.csv", ["motion.smoothing=none", "sampling.resample=linear"],
        ["--smoothing=none", "--resample=linear"]
      ),
      (
        "small/near-33.csv", ["motion.mode=tilt", "orientation.source=left-up"],
        ["--mode=tilt", "--orientation=left-up"]
      ),
    ])
  func liveEqualsReplay(_ trace: String, _ settings: [String], _ options: [String]) throws {
    let path = testDataPath("Recordings/" + trace)
    let replay = try Program.parallax.run(["replay", path] + options)
    #expect(replay.exitCode == 0, "\(replay.errors)")
    let expected = replay.outputLines.dropFirst().map { LiveIsReplayTests.Row(csv: $0) }
    // On a busy machine the daemon skips frames, or this reader falls 12 frames behind.
    var run = Run()
    for _ in 0..<3 where run.frames.isEmpty || run.missing > 0 {
      run = try Self.play(["source.kind=trace", "source.trace=\(path)"] + settings)
    }
    if run.missing == 0 { return LiveIsReplayTests.expect(run.frames, toBe: expected) }
    // What has arrived is still the replay's, in its order.
    var rest = expected[...]
    for frame in run.frames {
      let values = (Hundredths(px: frame.x), Hundredths(px: frame.y))
      let index = rest.firstIndex { ($0.x, $0.y) == values }
      rest = try rest[(#require(index, "\(frame)") + 1)...]
    }
    #expect(expected.count - run.frames.count <= run.missing)
  }

  /// What a subscriber received, and the number of frames that it did not receive according to the daemon.
  private struct Run {
    var frames: [Line] = []
    var missing = 0
  }

  private static func play(_ settings: [String]) throws -> Run {
    let daemon = try DaemonProcess(settings)
    let client = try daemon.subscribe()
    var run = Run()
    while let line = try client.next(), line["state"] != "ended" {
      guard line.name == "OFFSET" else { continue }
      run.frames.append(line)
      run.missing += Int(line.number("dropped") ?? 0)
    }
    let control = try daemon.control()
    control.send(#"{"class":"STATUS"}"#)
    let drops = try #require(try control.next()?.object("drops"))
    for key in ["stale", "skipped"] { run.missing += Int(drops.number(key) ?? 0) }
    #expect(try daemon.terminate().exitCode == 0)
    return run
  }

  /// A complete line is answered after the end of the input, and the stream continues.
  @Test func endOfInputKeepsTheStream() throws {
    let daemon = try DaemonProcess(["source.kind=synthetic"])
    let client = try daemon.subscribe()
    client.send(#"{"class":"WATCH","rate":5}"#)
    client.endInput()
    #expect(try client.next("WATCH")?.number("rate") == 5)
    for _ in 0..<3 { #expect(try client.next("OFFSET") != nil) }
    let control = try daemon.control()
    control.send(#"{"class":"STATUS"}"#)
    control.endInput()
    #expect(try control.rest().map(\.name) == ["STATUS"])
  }

  /// The kernel's buffer is small: a client that does not read finds a few old frames, then the newest
  /// with the number of lost ones.
  @Test func aClientThatDoesNotReadFindsFewOldFrames() throws {
    let daemon = try DaemonProcess([
      "source.kind=synthetic", "sampling.rate=60", "sampling.resample=linear",
    ])
    let (stuck, reader) = (try daemon.subscribe(), try daemon.subscribe())
    let first = try #require(try stuck.next("OFFSET")).seq
    // 1.5 s, in which 90 frames are published.
    while let frame = try reader.next("OFFSET"), frame.seq < first + 90 {}
    var old = [first]
    var newest = try #require(try stuck.next("OFFSET"))
    while newest.number("dropped") == nil, old.count <= 90 {
      old.append(newest.seq)
      newest = try #require(try stuck.next("OFFSET"))
    }
    #expect(old == Array(first..<(first + old.count)))
    // Up to 11 in the kernel, and the few that the first read returned.
    #expect((2...30).contains(old.count), "\(old.count)")
    #expect(newest.seq == first + old.count + Int(newest.number("dropped") ?? 0))
    #expect(newest.seq >= first + 60)
  }

  @Test func closingTheConnectionEndsItsInhibit() throws {
    let daemon = try DaemonProcess(["source.kind=synthetic"])
    let client = try daemon.subscribe()
    #expect(try client.next("OFFSET") != nil)
    var inhibitor: SocketClient? = try daemon.control()
    inhibitor?.send(#"{"class":"INHIBIT","reason":"password"}"#)
    #expect(try inhibitor?.next()?.name == "ACK")
    #expect(try client.next("GATE")?.reasons == ["inhibit"])
    #expect(try client.next("OFFSET")?.isZero == true)
    inhibitor = nil
    #expect(try client.next("GATE")?.reasons == [])
    #expect(try client.next("OFFSET") != nil)
  }

  /// Two users with one daemon.
  @Test(.needsRoot) func anotherUserIsRefusedOrRestricted() throws {
    let daemon = try DaemonProcess(["source.kind=synthetic"])
    let refused = try Program.parallax.run(
      ["subscribe", "--count", "1", "--socket", daemon.streamPath], as: 4242)
    #expect(!refused.output.contains("OFFSET"))
    #expect((refused.output + refused.errors).contains("join the group parallax"))

    let open = try DaemonProcess(["source.kind=synthetic", "socket.access=all"])
    let admitted = try Program.parallax.run(
      ["subscribe", "--count", "1", "--socket", open.streamPath], as: 4242)
    #expect(admitted.exitCode == 0, "\(admitted.errors)")
    let denied = try Program.parallax.run(
      ["set", "paused", "on", "--control", open.controlPath], as: 4242)
    #expect(denied.exitCode == 77, "\(denied.errors)")
    let status = try Program.parallax.run(
      ["status", "--json", "--control", open.controlPath], as: 4242)
    #expect(status.exitCode == 0 && status.output.contains("\"STATUS\""), "\(status.errors)")
  }

  @Test func theDaemonHasOneThread() throws {
    let daemon = try DaemonProcess(["source.kind=synthetic"])
    let client = try daemon.subscribe()
    #expect(try client.next("OFFSET") != nil)
    let status = try text(ofFile: "/proc/\(daemon.program.processID)/status")
    #expect(status.contains("Threads:\t1\n"))
  }
}
