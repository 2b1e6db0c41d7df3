// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxGates
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon

struct RecordTests {
  private static let record = #"{"class":"RECORD","tag":3}"#

  @Test func everySampleFollowsTheHeader() throws {
    let source = ScriptSource()
    let rig = try Rig { _ in source }
    let recorder = rig.control()
    #expect(
      recorder.ask(Self.record).map(\.text) == [
        #"{"class":"ACK","tag":3,"device":"script","rate":100,"mount-matrix":"1.0,0.0,0.0;0.0,1.0,0.0;0.0,0.0,1.0","orientation":"normal","bias":"off"}"#
      ])
    // The recording keeps the sensor on.
    rig.run(seconds: 20)
    let samples = recorder.lines()
    #expect(samples.allSatisfy { $0.name == "SAMPLE" })
    #expect(samples.count == 2_001)
    #expect(
      samples.first?.x == 0.5 && samples.first?.y == -0.8 && samples.first?.number("z") == 0.1)
    recorder.hangUp()
    rig.run(seconds: 6)
    #expect(source.stops == 1)
    #expect(rig.core.deadline == nil)
  }

  @Test func aMissingSourceIsRefused() throws {
    let rig = try Rig(["source.kind=iio"])
    let answer = rig.control().ask(Self.record)
    #expect(answer.map(\.name) == ["ERROR"])
    #expect(answer.first?["message"]?.contains("none here") == true)
    #expect(answer.first?.number("tag") == 3)
  }

  @Test func ackWaitsForTheSource() throws {
    let source = ScriptSource()
    source.outcome = nil
    source.isMoving = false
    let rig = try Rig { _ in source }
    let recorder = rig.control()
    #expect(recorder.ask(Self.record).isEmpty)
    source.events = [.streaming(SourceStart(rateHertz: 50, isLive: true))]
    rig.core.hub.advance(at: rig.now)
    #expect(recorder.lines().map(\.name) == ["ACK"])
  }

  /// A replayed recording gives the frames that were published: for each rate, the number in 5 s. If
  /// frames are not samples, their grid begins with the recording.
  @Test(arguments: [("30", 150), ("native", 150), ("20", 100), ("50", 249), ("7", 35)])
  func aReplayEqualsTheStream(_ rate: String, _ count: Int) throws {
    let rig = try Rig([
      "source.kind=synthetic:7", "motion.smoothing=ema:0.1", "sampling.rate=\(rate)",
    ])
    let (client, recorder) = (rig.subscribe(), rig.control())
    rig.run(seconds: 2.015)
    _ = client.lines()
    recorder.send(Self.record)
    rig.run(seconds: 5)
    let (published, lines) = (client.frames(), recorder.lines())
    var pipeline = MotionPipeline(
      settings: rig.core.hub.configuration.motion, orientation: .normal,
      nominalRateHertz: lines[0].number("rate"), bias: .off)
    var replayed: [Line] = []
    for line in lines.dropFirst() {
      _ = pipeline.push(
        GyroSample(
          time: .zero + MotionDuration(seconds: line.number("time") ?? 0),
          rateRadPerSec: AngularRate(x: line.x, y: line.y, z: line.number("z") ?? 0)))
      while let frame = pipeline.nextFrame() {
        let (x, y) = (frame.offset.x, frame.offset.y)
        replayed += [Line("{\"x\":\(x),\"y\":\(y)}")].compactMap { $0 }
      }
    }
    #expect(published.count == replayed.count && abs(published.count - count) <= 1)
    #expect(
      zip(published, replayed).allSatisfy {
        abs($0.x - $1.x) <= 0.005_001 && abs($0.y - $1.y) <= 0.005_001
      })
  }

  /// The text of INHIBIT's GATE.
  private static func gate(_ open: Bool, _ reasons: String = "") -> String {
    #"{"class":"GATE","open":\#(open),"gain":\#(open ? 1 : 0),"reasons":[\#(reasons)]}"#
  }

  /// While the gate is closed for its user, a recording gets no samples, and the sensor is off.
  @Test(arguments: ["INHIBIT", "paused", "low-power", "sleep"])
  func aClosedGatePausesARecording(_ reason: String) throws {
    let source = ScriptSource()
    let rig = try Rig { _ in source }
    let (recorder, other) = (rig.control(), rig.control())
    recorder.send(Self.record)
    rig.run(seconds: 1)
    #expect(recorder.lines().count { $0.name == "SAMPLE" } == 101)
    let name =
      switch reason {
      case "INHIBIT": "inhibit"
      case "low-power": "low-power:set"
      default: reason
      }
    func set(_ closed: Bool) {
      switch reason {
      case "INHIBIT":
        if closed {
          other.send(#"{"class":"INHIBIT","reason":"password"}"#)
        } else {
          other.hangUp()
        }
      case "sleep":
        rig.core.hub.update(at: rig.now) {
          $0.gates.global = closed ? GateReasons(.sleep) : []
        }
      default: other.set(reason, closed ? "on" : "off")
      }
    }
    set(true)
    rig.run(seconds: 5)
    let paused = recorder.lines()
    #expect(paused.map(\.name) == ["GATE", "DEVICE"])
    #expect(paused.first?.text == Self.gate(false, #""\#(name)""#))
    #expect(source.stops == 1)
    set(false)
    rig.run(seconds: 1)
    let lines = recorder.lines()
    #expect(lines.filter { $0.name == "GATE" }.map(\.text) == [Self.gate(true)])
    #expect(lines.count { $0.name == "SAMPLE" } == 101)
    #expect(source.starts == 2)
    recorder.hangUp()
    rig.run(seconds: 6)
    #expect(rig.core.hub.isIdle)
  }

  /// A recording that begins while the gate is closed is informed at once, and starts when the gate opens.
  @Test func aClosedGateDelaysARecording() throws {
    let source = ScriptSource()
    let rig = try Rig { _ in source }
    let (recorder, other) = (rig.control(), rig.control())
    other.send(#"{"class":"INHIBIT","reason":"password"}"#)
    #expect(recorder.ask(Self.record).map(\.text) == [Self.gate(false, #""inhibit""#)])
    rig.run(seconds: 5)
    #expect(source.starts == 0)
    other.hangUp()
    rig.run(seconds: 1)
    let names = recorder.lines().map(\.name)
    #expect(names.prefix(3) == ["GATE", "ACK", "SAMPLE"])
  }

  /// The gate of a recording is its user's: another user's motion goes on.
  @Test func aRecordingObeysTheGateOfItsUser() throws {
    let source = ScriptSource()
    let rig = try Rig(["socket.control-users=nora"]) { _ in source }
    let (client, recorder) = (rig.subscribe(1000), rig.control(1004))
    let agent = rig.control(1004)
    agent.send(#"{"class":"AGENT","reduce_motion":true}"#)
    #expect(recorder.ask(Self.record).map(\.name) == ["GATE", "ACK"])
    rig.run(seconds: 1)
    #expect(recorder.lines().isEmpty)
    #expect(client.frames().count > 25)
    agent.send(#"{"class":"AGENT","reduce_motion":false}"#)
    rig.run(seconds: 1)
    #expect(recorder.lines().count { $0.name == "SAMPLE" } >= 100)
    recorder.hangUp()
    rig.run(seconds: 1)
    #expect(rig.core.hub.audience.users.map(\.uid) == [1000])
  }

  /// A recording client is informed why no more samples arrive.
  @Test func deviceChangesAreReported() throws {
    let source = ScriptSource()
    let rig = try Rig { _ in source }
    let (recorder, idle) = (rig.control(), rig.control())
    recorder.send(Self.record)
    rig.run(seconds: 1)
    _ = recorder.lines()
    source.isMoving = false
    source.events = [.failed(.lost, reason: "unplugged")]
    rig.core.hub.advance(at: rig.now)
    #expect(
      recorder.lines().map(\.text) == [
        #"{"class":"DEVICE","driver":"iio","name":"script","state":"lost","reason":"unplugged"}"#
      ])
    #expect(!recorder.isClosed)
    #expect(idle.lines().isEmpty)
  }

  @Test func aChangedSourceEndsARecording() throws {
    let rig = try Rig()
    let recorder = rig.control()
    recorder.send(Self.record)
    rig.run(seconds: 1)
    rig.core.hub.reconfigure(
      try Rig.configuration(["source.kind=synthetic", "motion.mode=tilt"]),
      at: rig.now)
    #expect(recorder.lines().last?.name == "ERROR")
    #expect(recorder.isClosed)
  }
}
