// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import ParallaxTestSupport
import Testing

/// What happens to motion when the daemon is late: stopped, overloaded, or given a trace with more
/// samples than it can take.
struct LatenessTests {
  /// Returns the counts of STATUS that a late daemon raises.
  private static func drops(_ control: Client) throws -> (stale: Double?, skipped: Double?) {
    let drops = try #require(control.ask(#"{"class":"STATUS"}"#).first?.object("drops"))
    return (drops.number("stale"), drops.number("skipped"))
  }

  /// Advances the rig until nothing is due; time passes only as a backlog demands.
  ///
  /// - Returns: The number of turns.
  private static func catchUp(_ rig: Rig) -> Int {
    var turns = 0
    while let due = rig.core.deadline, due <= rig.now + .milliseconds(1), turns < 10_000 {
      rig.clock.now = max(rig.now, due)
      rig.core.advance(at: rig.now)
      turns += 1
    }
    return turns
  }

  @Test(arguments: ["1 ns apart", "duplicates"])
  func aTurnTakesABoundedNumberOfSamples(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let rows = (0..<20_000).map { index in
      let nanoseconds = String(1_000_000_000 + (kind == "duplicates" ? 0 : index)).dropFirst()
      return "0.\(nanoseconds),0.1,0.2,0"
    }
    // Times that are all equal would be an error.
    let text = "t,x,y,z\n\(rows.joined(separator: "\n"))\n0.1,0.1,0.2,0\n"
    let trace = try folder.write(text, to: "t.csv")
    let rig = try Rig(["source.kind=trace", "source.trace=\(trace)"])
    let client = rig.subscribe()
    rig.clock.advance(seconds: 1)
    var most: UInt64 = 0
    var turns = 0
    while let due = rig.core.deadline, due <= rig.now + .milliseconds(1), turns < 1_000 {
      rig.clock.now = max(rig.now, due)
      let before = rig.core.hub.engine.counts
      rig.core.advance(at: rig.now)
      let after = rig.core.hub.engine.counts
      most = max(most, after.kept + after.duplicate - before.kept - before.duplicate)
      turns += 1
      // Others have a turn before the next one.
      if let next = rig.core.deadline { #expect(next > rig.now) }
    }
    #expect(most <= 64)
    #expect((312...400).contains(turns))
    #expect(client.lines().last { $0.name == "DEVICE" }?["state"] == "ended")
  }

  /// Returns the settings to play 30 s at 100 samples and 60 frames per second.
  private static func walk(in folder: TemporaryFolder) throws -> [String] {
    let rows = (0..<3_000).map { "\(Double($0) / 100),0.1,\(Double($0 % 9) / 10),0" }
    let trace = try folder.write("t,x,y,z\n\(rows.joined(separator: "\n"))\n", to: "t.csv")
    return ["source.kind=trace", "source.trace=\(trace)", "sampling.rate=60"]
  }

  @Test func afterAStopOnlyNewFramesAreShown() throws {
    let folder = try TemporaryFolder()
    let rig = try Rig(Self.walk(in: folder))
    let (client, control) = (rig.subscribe(), rig.control())
    rig.run(seconds: 1)
    let before = client.frames().compactMap(\.seq)
    let kept = rig.core.hub.engine.counts.kept
    let stop = rig.now
    rig.clock.advance(seconds: 10)
    _ = Self.catchUp(rig)
    let frames = client.frames()
    let oldest = frames.compactMap { $0.number("time") }.min() ?? 0
    #expect(oldest >= (stop + .seconds(10)).seconds - 2.01 / 60)
    #expect((1...4).contains(frames.count))
    // They continue the numbers, and every sample counts for the filters.
    #expect(frames.first?.seq == (before.last ?? 0) + 1)
    #expect(rig.core.hub.engine.counts.kept >= kept + 999)
    let drops = try Self.drops(control)
    #expect((970...980).contains(drops.stale ?? 0))
    #expect((10...14).contains(drops.skipped ?? 0))
  }

  /// A loop that needs 100 ms for a turn shows one new frame a turn, instead of every frame later and
  /// later.
  @Test func aSlowLoopFallsBehindByABoundedTime() throws {
    let folder = try TemporaryFolder()
    let rig = try Rig(Self.walk(in: folder))
    let (client, control) = (rig.subscribe(), rig.control())
    rig.run(seconds: 1)
    _ = client.lines()
    for _ in 0..<100 {
      rig.clock.advance(seconds: 0.1)
      rig.core.advance(at: rig.now)
      let frames = client.frames()
      #expect((1...3).contains(frames.count))
      let late = rig.now.seconds - (frames.last?.number("time") ?? 0)
      #expect(late < 2.1 / 60)
    }
    #expect(try Self.drops(control).skipped ?? 0 > 300)
  }

  /// The frames of a pause shorter than a gap are shown one after the other, as if the daemon were late,
  /// and the samples that wait for them are shown as well.
  @Test func theFramesOfAShortPauseAreAllShown() throws {
    let folder = try TemporaryFolder()
    let times = (0..<60).map { Double($0) / 60 } + (0..<60).map { 1.45 + Double($0) / 60 }
    let rows = times.map { "\($0),0.1,0.2,0" }.joined(separator: "\n")
    let trace = try folder.write("t,x,y,z\n\(rows)\n", to: "t.csv")
    let rig = try Rig([
      "source.kind=trace", "source.trace=\(trace)", "sampling.rate=60", "sampling.resample=linear",
    ])
    let (client, control) = (rig.subscribe(), rig.control())
    rig.run(seconds: 3)
    let frames = client.frames()
    #expect((146...149).contains(frames.count))
    #expect(frames.map(\.seq) == Array(0..<frames.count))
    let drops = try Self.drops(control)
    #expect(drops.stale == 0 && drops.skipped == 0)
  }

  @Test func aSensorsBacklogIsSkipped() throws {
    let test = try GyroRig(["sampling.rate=native"])
    let (client, control) = (test.rig.subscribe(), test.rig.control())
    test.gyro.open()
    test.stream(seconds: 1)
    _ = client.lines()
    test.rig.clock.advance(seconds: 0.2)
    for age in stride(from: 190 as Int64, through: 0, by: -10) {
      test.gyro.scan(0.5, -0.8, ago: .milliseconds(age))
    }
    test.gyro.callHandlers()
    _ = Self.catchUp(test.rig)
    let frames = client.frames()
    let oldest = (frames.first?.number("time") ?? 0) - test.rig.now.seconds
    #expect(oldest >= -0.036)
    let drops = try Self.drops(control)
    #expect(drops.stale == 0)
    #expect((15...17).contains(drops.skipped ?? 0))
  }

  /// The samples of a device that always reports them late are as new as it gets.
  @Test func aSlowSensorIsShown() throws {
    let test = try GyroRig()
    let (client, control) = (test.rig.subscribe(), test.rig.control())
    test.gyro.open()
    for _ in 0..<100 {
      test.rig.run(seconds: 0.01)
      test.gyro.scan(0.5, -0.8, ago: .milliseconds(120))
      test.gyro.callHandlers()
    }
    #expect(client.frames().count >= 29)
    let drops = try Self.drops(control)
    #expect(drops.stale == 0 && drops.skipped == 0)
  }
}
