// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// `parallax record` with parallaxd.
@Suite("Recordings of a daemon", .timeLimit(.minutes(10)))
struct LiveRecordTests {
  private static func seconds(_ nanoseconds: Int) -> String {
    "\(nanoseconds / 1_000_000_000).\(String(1_000_000_000 + nanoseconds % 1_000_000_000).dropFirst())"
  }

  private static func row(_ index: Int, _ x: Double, _ y: Double, _ z: Double) -> String {
    // The intervals are uneven, to the nanosecond.
    "\(seconds(index * 10_000_000 + index * index % 977)),\(x),\(y),\(z)"
  }

  /// Motion in every axis.
  private static let motion: [String] = (0..<260).map { (index: Int) -> String in
    let turn = index % 60 < 8 ? 0.3 : 0
    return row(
      index, 0.1 + 0.001 * Double(index % 7), turn - 0.02 * Double(index % 3), Double(index) / 3)
  }

  /// Motion for 1.5 s, then a rest of 1.9 s at a bias of (0.02, 0, 0.5) rad/s. The estimate, which
  /// starts at (0.09, 0, 0.5), moves in the last 0.4 s.
  private static let rest: [String] = (0..<340).map { (index: Int) -> String in
    let (fifth, third, seventh) = (Double(index % 5), Double(index % 3), Double(index % 7))
    if index < 150 { return row(index, 0.3 * fifth, 0.1 * third, 0.5) }
    return row(index, 0.02 + 0.001 * seventh, 0.002 * third, 0.5)
  }

  private func nanoseconds(_ text: Substring) -> Int? {
    let parts = text.split(separator: ".")
    guard parts.count == 2, let whole = Int(parts[0]), let rest = Int(parts[1]) else { return nil }
    return whole * 1_000_000_000 + rest
  }

  private func field(_ key: String, of line: String) -> Substring? {
    line.firstRange(of: "\"\(key)\":").map { line[$0.upperBound...].prefix { !",}".contains($0) } }
  }

  /// The daemon's settings and replay's options.
  @Test(
    arguments: [
      ([], []), (["motion.mode=tilt"], ["--mode=tilt"]),
      (["sampling.rate=50", "motion.mount-matrix=0,0,1;1,0,0;0,1,0"], ["--rate=50"]),
    ] as [([String], [String])])
  func theReplayEqualsTheStream(settings: [String], options: [String]) throws {
    let (header, _) = try compare(Self.motion, ["motion.bias=off"] + settings, options)
    #expect(header.contains("# bias: off,0,0,0\n"))
  }

  /// The estimate in the header is the one at the start of the recording, and it moves afterwards.
  @Test func theReplayEqualsTheStreamWhileTheBiasEstimateMoves() throws {
    let (header, offsets) = try compare(
      Self.rest, ["motion.bias=auto", "motion.smoothing=ema:0.1"], ["--smoothing=ema:0.1"])
    try #require(header.contains("# bias: auto,0.09,0,0.5\n"), "\(header)")
    try #require(offsets.count > 60)
    // y follows the rotation about x. 0.4 s before the end, the old bias still applies.
    let (before, last) = (offsets[offsets.count - 14], offsets[offsets.count - 1])
    #expect((-0.4 ... -0.3).contains(before) && last > before + 0.03, "\(before), \(last)")
  }

  /// Plays a trace with the daemon, records it, and replays the recording.
  ///
  /// - Returns: The header of the recording, and y of the offsets.
  private func compare(
    _ rows: [String], _ settings: [String], _ options: [String]
  ) throws -> (header: String, offsets: [Double]) {
    let folder = try TemporaryFolder()
    let trace = try folder.write(
      (["# rate: 100", "# bias: auto,0.09,0,0.5", "t,x,y,z"] + rows)
        .joined(separator: "\n") + "\n", to: "walk.csv")
    let daemon = try LiveDaemon(["source.kind=trace", "source.trace=\(trace)"] + settings)
    let stream = try Program.parallax.start(["subscribe", "--socket", daemon.socket])
    while let line = try stream.nextLine(), !line.contains("OFFSET") {}

    let recording = try Program.parallax.run(
      ["record", "-o", folder("own.csv"), "--socket", daemon.socket])
    #expect(recording.exitCode == 0, "\(recording.errors)")
    #expect(recording.errors == "")
    var published: [String] = []
    while let line = try stream.nextLine(), !line.contains(#""state":"ended""#) {
      if line.contains("OFFSET") { published.append(line) }
    }
    #expect(published.allSatisfy { !$0.contains("dropped") })

    let text = try folder.text(of: "own.csv")
    #expect(text.contains("# device: walk.csv\n# rate: 100\n"))
    try expectRows(of: text, toBe: rows)

    let replay = try Program.parallax.run(["replay", folder("own.csv")] + options)
    #expect(replay.exitCode == 0, "\(replay.errors)")
    let frames = replay.outputLines.dropFirst().map { $0.split(separator: ",") }
    // Most of the trace is still to come when the recording starts.
    #expect(frames.count > 20)
    // Both end with the trace. A daemon that is late on a busy machine skips frames, but not the last.
    let lines = published.reduce(into: [Int: String]()) { lines, line in
      lines[field("time", of: line).flatMap(nanoseconds) ?? 0] = line
    }
    let start = try #require(lines.keys.max()) - (frames.last.flatMap { nanoseconds($0[0]) } ?? 0)
    let shown = frames.filter { lines[start + (nanoseconds($0[0]) ?? 0)] != nil }
    #expect(shown.count > 20 && shown.count == lines.keys.count { $0 >= start })
    for frame in shown {
      let line = lines[start + (nanoseconds(frame[0]) ?? 0)] ?? ""
      for (key, value) in zip(["x", "y"], frame[1...]) {
        let (given, expected) = (field(key, of: line).flatMap { Double($0) }, Double(value))
        #expect(abs((given ?? .nan) - (expected ?? .nan)) <= 0.005_001, "\(line) \(frame)")
      }
    }
    return (text, frames.compactMap { Double($0[2]) })
  }

  /// Every row is the trace's, from some row to the last: the same nanoseconds between them, and
  /// every bit of the rates, z too.
  private func expectRows(of recording: String, toBe rows: [String]) throws {
    let own = recording.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst()
      .map { $0.split(separator: ",") }
    let played = rows.suffix(own.count).map { $0.split(separator: ",") }
    try #require(own.count > 60 && played.count == own.count)
    let start = try #require(nanoseconds(played[0][0]))
    for (row, expected) in zip(own, played) {
      #expect(nanoseconds(row[0]) == nanoseconds(expected[0]).map { $0 - start })
      #expect(row.dropFirst().map { Double($0) } == expected.dropFirst().map { Double($0) })
    }
  }

  @Test func aDaemonThatIsKilled() throws {
    let daemon = try LiveDaemon()
    let program = try Program.parallax.start(["record", "-o", "-", "--socket", daemon.socket])
    while let line = try program.nextLine(), !line.hasPrefix("0.1") {}
    daemon.program.send(signal: SIGKILL)
    let result = try program.finish()
    #expect(result.exitCode == 69)
    #expect(result.errors.hasPrefix("parallax: the daemon ended the connection; "))
    #expect(result.output.hasSuffix("\n"))
  }

  @Test func aDaemonThatEnds() throws {
    let daemon = try LiveDaemon()
    let program = try Program.parallax.start(["record", "-o", "-", "--socket", daemon.socket])
    while let line = try program.nextLine(), !line.hasPrefix("0.1") {}
    #expect(try daemon.end().exitCode == 0)
    let result = try program.finish()
    #expect(result.exitCode == 69)
    #expect(result.errors.contains("the daemon ended the connection"))
  }

  @Test func aDaemonThatHasNothingToRecord() throws {
    let daemon = try LiveDaemon(["source.kind=trace", "source.trace=/nowhere/walk.csv"])
    let result = try Program.parallax.run(
      ["record", "-o", daemon.folder("own.csv"), "--socket", daemon.socket])
    #expect(result.exitCode == 69)
    #expect(
      result.errors.hasPrefix("parallax: cannot record: /nowhere/walk.csv"),
      "\(result.errors)")
    #expect(!daemon.folder.exists("own.csv"))
  }

  @Test(.needsRoot) func aClientWithoutPrivilege() throws {
    let daemon = try LiveDaemon(["socket.access=all"])
    daemon.folder.openToAll()
    let result = try Program.parallax.run(
      ["record", "-o", "-", "--socket", daemon.socket], as: 4242)
    #expect(result.exitCode == 77)
    #expect(
      result.errors.contains("sudo") && result.errors.contains("socket.control-users"),
      "\(result.errors)")
    #expect(result.output == "")
  }
}
