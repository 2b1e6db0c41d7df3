import Glibc
import ParallaxTestSupport
import Testing

/// `parallax record` from parallaxd itself.
@Suite("Recordings of a daemon", .timeLimit(.minutes(10)))
struct LiveRecordTests {
  private static func seconds(_ nanoseconds: Int) -> String {
    "\(nanoseconds / 1_000_000_000).\(String(1_000_000_000 + nanoseconds % 1_000_000_000).dropFirst())"
  }

  /// Nearly at rest about 0.1, so that a bias moves, with a turn now and then; odd times.
  private static let rows = (0..<260).map { index in
    let turn = index % 60 < 8 ? 0.3 : 0
    return
      "\(seconds(index * 10_000_000 + index * index % 977)),\(0.1 + 0.001 * Double(index % 7)),"
      + "\(turn - 0.02 * Double(index % 3)),\(Double(index) / 3)"
  }

  private func nanoseconds(_ text: Substring) -> Int? {
    let parts = text.split(separator: ".")
    guard parts.count == 2, let whole = Int(parts[0]), let rest = Int(parts[1]) else { return nil }
    return whole * 1_000_000_000 + rest
  }

  private func field(_ key: String, of line: String) -> Substring? {
    line.firstRange(of: "\"\(key)\":").map { line[$0.upperBound...].prefix { !",}".contains($0) } }
  }

  /// The daemon's settings, replay's options and the recording's bias.
  @Test(
    arguments: [
      ([], [], "off,0,0,0"), (["motion.mode=tilt"], ["--mode=tilt"], "off,0,0,0"),
      (["motion.bias=auto", "motion.smoothing=ema:0.1"], ["--smoothing=ema:0.1"], "auto,0."),
      (
        ["sampling.rate=50", "motion.mount-matrix=0,0,1;1,0,0;0,1,0"],
        ["--rate=50"], "off,0,0,0"
      ),
    ] as [([String], [String], String)])
  func `replayed it is the stream`(
    settings: [String], options: [String], bias: String
  ) throws {
    let folder = try TemporaryFolder()
    // The trace starts from an estimate where bias is on.
    let trace = try folder.write(
      (["# rate: 100", "# bias: auto,0.09,0,0.5", "t,x,y,z"] + Self.rows)
        .joined(separator: "\n") + "\n", to: "walk.csv")
    let bare = settings.contains("motion.bias=auto") ? [] : ["motion.bias=off"]
    let daemon = try LiveDaemon(
      ["source.kind=trace", "source.trace=\(trace)"] + bare + settings)
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
    #expect(text.contains("# bias: \(bias)"))
    try expectRows(of: text)

    let replay = try Program.parallax.run(["replay", folder("own.csv")] + options)
    #expect(replay.exitCode == 0, "\(replay.errors)")
    let frames = replay.outputLines.dropFirst().map { $0.split(separator: ",") }
    // Nobody hurries: most of the trace is still to come when it begins.
    #expect(frames.count > 20)
    let meanwhile = Array(published.suffix(frames.count))
    try #require(meanwhile.count == frames.count)
    let start = try #require(field("time", of: meanwhile[0]).flatMap(nanoseconds))
    for (line, frame) in zip(meanwhile, frames) {
      let time = field("time", of: line).flatMap(nanoseconds) ?? 0
      #expect(time - start == nanoseconds(frame[0]), "\(line)")
      for (key, value) in zip(["x", "y"], frame[1...]) {
        let (given, wanted) = (field(key, of: line).flatMap { Double($0) }, Double(value))
        #expect(abs((given ?? .nan) - (wanted ?? .nan)) <= 0.005_001, "\(line) \(frame)")
      }
    }
  }

  /// Every row is the trace's own, from some row to the last: the same nanoseconds between them,
  /// every bit of the rates, z too.
  private func expectRows(of recording: String) throws {
    let own = recording.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst()
      .map { $0.split(separator: ",") }
    let played = Self.rows.suffix(own.count).map { $0.split(separator: ",") }
    try #require(own.count > 60 && played.count == own.count)
    let start = try #require(nanoseconds(played[0][0]))
    for (row, wanted) in zip(own, played) {
      #expect(nanoseconds(row[0]) == nanoseconds(wanted[0]).map { $0 - start })
      #expect(row.dropFirst().map { Double($0) } == wanted.dropFirst().map { Double($0) })
    }
  }

  @Test func `a daemon that is killed`() throws {
    let daemon = try LiveDaemon()
    let program = try Program.parallax.start(["record", "-o", "-", "--socket", daemon.socket])
    while let line = try program.nextLine(), !line.hasPrefix("0.1") {}
    daemon.program.send(signal: SIGKILL)
    let result = try program.finish()
    #expect(result.exitCode == 69)
    #expect(result.errors.hasPrefix("parallax: the daemon ended the connection; "))
    #expect(result.output.hasSuffix("\n"))
  }

  @Test func `a daemon that ends`() throws {
    let daemon = try LiveDaemon()
    let program = try Program.parallax.start(["record", "-o", "-", "--socket", daemon.socket])
    while let line = try program.nextLine(), !line.hasPrefix("0.1") {}
    #expect(try daemon.end().exitCode == 0)
    let result = try program.finish()
    #expect(result.exitCode == 69)
    #expect(result.errors.contains("the daemon ended the connection"))
  }

  @Test func `a daemon that has nothing to record`() throws {
    let daemon = try LiveDaemon(["source.kind=trace", "source.trace=/nowhere/walk.csv"])
    let result = try Program.parallax.run(
      ["record", "-o", daemon.folder("own.csv"), "--socket", daemon.socket])
    #expect(result.exitCode == 69)
    #expect(
      result.errors.hasPrefix("parallax: nothing can be recorded: /nowhere/walk.csv"),
      "\(result.errors)")
    #expect(!daemon.folder.exists("own.csv"))
  }

  @Test(.needsRoot) func `who is not privileged`() throws {
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
