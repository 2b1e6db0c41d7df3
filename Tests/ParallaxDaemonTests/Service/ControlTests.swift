// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxDaemon
import ParallaxMotion
import ParallaxTestSupport
import Testing

struct ControlTests {
  @Test func aRequestHasAtMost64KiB() throws {
    let rig = try Rig()
    let client = rig.control()
    let fits = #"{"class":"STATUS","x":""# + String(repeating: "a", count: 65_000) + "\"}"
    #expect(client.ask(fits).map(\.name) == ["STATUS"])
    let tooLong = #"{"class":"STATUS","x":""# + String(repeating: "a", count: 65_600) + "\"}"
    #expect(client.ask(tooLong).map(\.name) == ["ERROR"])
    #expect(client.isClosed)
  }

  /// PLAY and ANIMATE may contain an animation: 2.2 MiB, for users who may play.
  @Test(
    arguments: [
      (0, 2_306_868, #"{"class":"PLAY","layer":1,"document":""#, "$.layer", false),
      (
        0, 2_306_869, #"{"class":"PLAY","layer":1,"document":""#, "2306868 for PLAY and ANIMATE",
        true
      ),
      (0, 2_306_868, #"{"class":"ANIMATE","id":"a","text":""#, "action", false),
      (0, 100_000, #"{"class":"STATUS","x":""#, "at most 65536 bytes", true),
      (1000, 60_000, #"{"class":"PLAY","id":"a","document":""#, "PLAY is reserved for root", false),
      (1000, 100_000, #"{"class":"PLAY","id":"a","document":""#, "at most 65536 bytes", true),
    ] as [(UInt32, Int, String, String, Bool)])
  func aRequestWithADocumentMayBeLonger(
    _ uid: UInt32, _ bytes: Int, _ start: String, _ answer: String, _ closes: Bool
  ) throws {
    let client = try Rig().control(uid)
    let line = start + String(repeating: "a", count: bytes - start.utf8.count - 2) + "\"}"
    let answers = client.ask(line)
    #expect(answers.map(\.name) == ["ERROR"])
    #expect(answers.first?["message"]?.contains(answer) == true, "\(answers)")
    #expect(client.isClosed == closes)
  }

  /// Each count is a different number: three duplicates, one earlier sample, two that are not finite, and
  /// four that are too old to show.
  @Test func statusCountsEachKindOfDrop() throws {
    let source = ScriptSource()
    let rig = try Rig { _ in source }
    let (client, control) = (rig.subscribe(), rig.control())
    rig.run(seconds: 1)
    source.isMoving = false
    // The newest sample has this time.
    let newest = rig.now
    func add(_ time: MotionInstant, x: Double = 0.5, count: Int = 1) {
      for _ in 0..<count {
        source.events.append(
          .sample(GyroSample(time: time, rateRadPerSec: AngularRate(x: x, y: 0, z: 0))))
      }
    }
    add(newest, count: 3)
    add(newest - .milliseconds(5))
    add(newest + .milliseconds(1), x: .nan)
    add(newest + .milliseconds(1), x: .infinity)
    rig.clock.advance(seconds: 1)
    for step in 1...4 as ClosedRange<Int64> { add(newest + .milliseconds(10) * step) }
    rig.core.hub.advance(at: rig.now)
    let drops = try #require(control.ask(#"{"class":"STATUS"}"#).first?.object("drops"))
    #expect(drops.number("duplicate") == 3)
    #expect(drops.number("backwards") == 1)
    #expect(drops.number("nonfinite") == 2)
    #expect(drops.number("stale") == 4)
    #expect(drops.number("behind") == 0)
    withExtendedLifetime(client) {}
  }

  /// From a sample's timestamp to the end of `send`: here every sample is 4 ms old.
  @Test func statusReportsTheLatency() throws {
    let source = ScriptSource()
    source.isMoving = false
    let rig = try Rig(["sampling.rate=native"]) { _ in source }
    let (client, control) = (rig.subscribe(), rig.control())
    func latency() throws -> Line {
      try #require(control.ask(#"{"class":"STATUS"}"#).first?.object("latency"))
    }
    #expect(try latency()["reason"] == "no frame has been published yet")
    for _ in 0..<100 {
      rig.run(seconds: 0.01)
      source.events = [.sample(ScriptSource.sample(at: rig.now - .milliseconds(4)))]
      rig.core.hub.advance(at: rig.now)
    }
    #expect(client.frames().count > 50)
    for key in ["p50", "p99", "max"] { #expect(try latency().number(key) == 0.004) }
  }

  @Test func setSurvivesAReload() throws {
    let rig = try Rig()
    rig.core.control.reload = { [weak rig] now in
      let new = Result { try Rig.configuration(["source.kind=synthetic", "motion.scale=1"]) }
      if case .success(let new) = new {
        rig?.core.hub.reconfigure(new, at: now)
      }
      return .success(nil)
    }
    let control = rig.control()
    control.send(
      #"{"class":"SET","key":"scale","value":"20"}"#,
      #"{"class":"SET","key":"orientation","value":"left-up"}"#)
    #expect(
      control.ask(#"{"class":"RELOAD","tag":1}"#).map(\.text) == [#"{"class":"ACK","tag":1}"#])
    #expect(rig.core.hub.configuration.motion.scale?.x == 20)
    #expect(rig.core.hub.orientations.common.source == .set)
    control.send(#"{"class":"SET","key":"scale","value":"auto"}"#)
    #expect(rig.core.hub.configuration.motion.scale?.x == 1)
  }

  @Test func aBadReloadReportsEveryError() throws {
    let rig = try Rig()
    rig.core.control.reload = { _ in
      var builder = ConfigurationBuilder()
      builder.add(file: "bad.toml", bytes: Array("[motion]\nscale = true\nmood = 1\n".utf8))
      do throws(ConfigurationErrors) {
        _ = try builder.build()
        return .success(nil)
      } catch {
        return .failure(error)
      }
    }
    let answer = try #require(rig.control().ask(#"{"class":"RELOAD","tag":"r"}"#).first)
    #expect(answer["code"] == "bad-configuration")
    #expect(answer["tag"] == "r")
    #expect(answer.text.contains("bad.toml:2") && answer.text.contains("bad.toml:3"))
  }
}
