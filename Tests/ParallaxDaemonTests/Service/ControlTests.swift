// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxDaemon
import ParallaxMotion
import ParallaxTestSupport
import Testing

struct ControlTests {
  private static let requests = [
    #"{"class":"STATUS"}"#, #"{"class":"AGENT","reduce_motion":false}"#,
    #"{"class":"INHIBIT","reason":"a"}"#, #"{"class":"SET","key":"paused","value":"off"}"#,
    #"{"class":"RECENTER"}"#, #"{"class":"RELOAD"}"#, #"{"class":"RECORD"}"#,
  ]

  /// Which of `requests` a user may send: + yes, - no.
  @Test(arguments: [
    (UInt32(0), [] as [UInt32], "+++++++"),
    (Rig.daemonUser, [], "+++++++"),
    (1000, [], "+++----"),
    // No active session, but a member of the group parallax.
    (1002, [50], "++-----"),
    // control-users by name and by number, control-group.
    (1004, [], "++-++++"),
    (1005, [], "++-++++"),
    (1006, [60], "++-++++"),
    (1000, [60], "+++++++"),
  ])
  func permissions(_ uid: UInt32, _ groups: [UInt32], _ expected: String) throws {
    let rig = try Rig([
      "source.kind=synthetic", "socket.control-users=nora,1005",
      "socket.control-group=operators",
    ])
    var allowed = ""
    for request in Self.requests {
      let answer = rig.control(uid, groups: groups).ask(request).first
      allowed += answer?.name == "ERROR" ? "-" : "+"
      if answer?.name == "ERROR" { #expect(answer?["code"] == "denied") }
    }
    #expect(allowed == expected)
  }

  /// Who may connect: users with an active session (1000), an inactive one (1001), none (1002), and
  /// members of the group parallax (50), if the kernel reports the groups of the process.
  @Test(arguments: [
    ("session", UInt32(0), [] as [UInt32]?, true), ("session", Rig.daemonUser, [], true),
    ("session", 1000, [], true), ("session", 1001, [], false), ("session", 1002, [], false),
    ("session", 1002, [50], true), ("session", 1002, nil, false), ("session", 50, nil, true),
    ("group", 0, [], true), ("group", 1000, [], false), ("group", 1002, [50], true),
    ("all", 1002, [], true),
  ])
  func admission(_ access: String, _ uid: UInt32, _ groups: [UInt32]?, _ isAdmitted: Bool) throws {
    let rig = try Rig(["source.kind=synthetic", "socket.access=\(access)"])
    rig.sessions.set(.inactive, ofUser: 1001)
    for client in [rig.subscribe(uid, groups: groups), rig.control(uid, groups: groups)] {
      #expect(client.isClosed == !isAdmitted)
      let lines = client.lines()
      if !isAdmitted {
        #expect(lines.map(\.name) == ["ERROR"])
        #expect(lines.first?["message"]?.contains("parallax") == true)
      }
    }
    #expect(rig.core.stream.subscribers.count == (isAdmitted ? 1 : 0))
  }

  @Test(arguments: ["stream", "control"])
  func connectionsAreLimited(_ socket: String) throws {
    let rig = try Rig([
      "source.kind=synthetic", "socket.access=all", "socket.max-subscribers=3",
      "socket.max-per-uid=2",
    ])
    func connect(_ uid: UInt32) -> Client {
      socket == "stream" ? rig.subscribe(uid) : rig.control(uid)
    }
    func refusal(_ client: Client) -> String? {
      let line = client.lines().first
      return client.isClosed && line?["code"] == "too-many" ? line?["message"] : nil
    }
    let first = [connect(1002), connect(1002)]
    #expect(refusal(connect(1002))?.contains("2 per user (socket.max-per-uid)") == true)
    #expect(!connect(1000).isClosed)
    #expect(refusal(connect(1001))?.contains("3 (socket.max-subscribers)") == true)
    // The other socket has its own limits.
    #expect(!(socket == "stream" ? rig.control(1002) : rig.subscribe(1002)).isClosed)
    first[0].hangUp()
    #expect(!connect(1001).isClosed)
  }

  @Test(arguments: [
    (#"{"class":"STATUS","tag":7}"#, #""tag":7"#),
    (#"{"class":"STATUS","tag":"é"}"#, #""tag":"é""#),
    (#"{"class":"SET","tag":1,"key":"speed","value":"1"}"#, "reduce-motion, low-power"),
    (#"{"class":"SET","tag":1,"key":"paused","value":"maybe"}"#, "on or off"),
    (#"{"class":"SET","tag":1,"key":"scale","value":"big"}"#, "scale"),
    (#"{"class":"SET","tag":1,"key":"smoothing","value":"ema"}"#, "one-euro"),
    (#"{"class":"SET","tag":1,"value":"1"}"#, "key"),
    (#"{"class":"SET","tag":1,"key":"paused","value":[]}"#, "$.value: expected a string, a number"),
    (
      #"{"class":"SET","tag":1,"key":"recenter","value":true}"#,
      "$.value: recenter: expected a number"
    ),
    (#"{"class":"SET","tag":1,"key":"rate","value":1e9}"#, "0.1 to 1000"),
    (
      #"{"class":"SET","tag":1,"key":"socket.path","value":"x"}"#,
      "$.key: socket.path cannot be set"
    ),
    (#"{"class":"INHIBIT","tag":1,"reason":"No Spaces"}"#, "a-z"),
    (#"{"class":"AGENT","tag":1,"orientation":"down"}"#, "left-up"),
    (#"{"class":"AGENT","tag":1,"wanted":1}"#, "$.wanted"),
    (#"{"class":"PLAY","tag":1}"#, #""id\", \"document\", \"text\" or \"chain\" is missing"#),
    (#"{"class":"PLAY","tag":1,"id":7}"#, "$.id: expected a string"),
    (#"{"class":"PLAY","tag":1,"id":"x","layer":"a b"}"#, "$.layer"),
    (#"{"class":"PLAY","tag":1,"id":"x","detached":1}"#, "$.detached"),
    (#"{"class":"STOP","tag":1,"id":[]}"#, "$.id"),
    (#"{"class":"JUMP","tag":1}"#, "STATUS, SET, RECENTER"),
    (#"{"class":"STATUS","tag":[1]}"#, "$.tag"),
    ("{}", "class"),
  ])
  func requestsAreAnswered(_ request: String, _ part: String) throws {
    let answer = try Rig().control().ask(request)
    #expect(answer.count == 1)
    #expect(answer.first?.text.contains(part) == true, "\(answer)")
    if request.contains("\"tag\":1") { #expect(answer.first?.number("tag") == 1) }
  }

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

  @Test func eachUserMayInhibitOnce() throws {
    let rig = try Rig()
    let first = rig.control(1000)
    let request = #"{"class":"INHIBIT","reason":"password"}"#
    #expect(first.ask(request).map(\.name) == ["ACK"])
    #expect(rig.control(1000).ask(request).map(\.name) == ["ERROR"])
    #expect(first.ask(request).map(\.name) == ["ACK"])
    #expect(rig.control(1001).ask(request).map(\.name) == ["ACK"])
    // Only privileged users see who inhibits.
    let own = try #require(rig.control(1000).ask(#"{"class":"STATUS"}"#).first)
    #expect(own.object["inhibitors"] == nil)
    #expect(own.object("gate")?.reasons == ["inhibit"])
    let all = try #require(rig.control(0).ask(#"{"class":"STATUS"}"#).first)
    #expect(
      all.text.contains(#"{"uid":1000,"reason":"password"},{"uid":1001,"reason":"password"}"#))
    first.hangUp()
    #expect(rig.core.hub.gates.message(for: 0).reasons == ["inhibit"])
  }

  @Test func statusShowsNoOtherUsersData() throws {
    let rig = try Rig()
    let clients = [rig.subscribe(1000), rig.subscribe(1001), rig.subscribe(1001)]
    rig.run(seconds: 3)
    let agent = rig.control(1001)
    agent.send(#"{"class":"AGENT","reduce_motion":true,"orientation":"left-up"}"#)
    func status(_ uid: UInt32) throws -> Line {
      try #require(rig.control(uid).ask(#"{"class":"STATUS"}"#).first)
    }
    let (own, other, root) = (try status(1000), try status(1001), try status(0))
    #expect(own.number("subscribers") == 1)
    #expect(other.number("subscribers") == 2)
    #expect(root.number("subscribers") == 3)
    #expect(own.object("gate")?.reasons == [])
    #expect(other.object("gate")?.reasons == ["reduce-motion:agent"])
    #expect(own.object("orientation")?["source"] == "default")
    #expect(other.object("orientation")?["source"] == "agent")
    #expect(own.object["agents"] == nil)
    for line in [other, root] {
      #expect(
        line.text.contains(
          #""agents":[{"uid":1001,"reduce_motion":true,"orientation":"left-up"}]"#))
    }
    #expect(root.object("device")?.number("measured_rate") == 30)
    #expect(root.number("uptime") == 3)
    #expect(root.number("frames") == 91)
    withExtendedLifetime(clients) {}
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

  @Test func recenterReportsThatItHasNoEffect() throws {
    #expect(try Rig().control().ask(#"{"class":"RECENTER"}"#).first?["note"] != nil)
    let tilt = try Rig(["source.kind=synthetic", "motion.mode=tilt"])
    #expect(tilt.control().ask(#"{"class":"RECENTER"}"#).map(\.text) == [#"{"class":"ACK"}"#])
  }

  @Test func aConnectionWithoutStateEndsWithItsInput() throws {
    let rig = try Rig()
    let asked = rig.control()
    asked.send(#"{"class":"STATUS"}"#)
    asked.endInput()
    #expect(asked.isClosed)
    let inhibits = rig.control()
    inhibits.send(#"{"class":"INHIBIT","reason":"password"}"#)
    inhibits.endInput()
    #expect(!inhibits.isClosed)
    #expect(rig.core.hub.gates.message(for: 0).reasons == ["inhibit"])
  }
}
