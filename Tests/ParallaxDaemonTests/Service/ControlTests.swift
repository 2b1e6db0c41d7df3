import ParallaxConfig
import ParallaxDaemon
import ParallaxTestSupport
import Testing

struct ControlTests {
  private static let requests = [
    #"{"class":"STATUS"}"#, #"{"class":"AGENT","reduce_motion":false}"#,
    #"{"class":"INHIBIT","reason":"a"}"#, #"{"class":"SET","key":"paused","value":"off"}"#,
    #"{"class":"RECENTER"}"#, #"{"class":"RELOAD"}"#, #"{"class":"RECORD"}"#,
  ]

  /// Who may ask for what, in the order of `requests`: + yes, - no.
  @Test(arguments: [
    (UInt32(0), [] as [UInt32], "+++++++"),
    (Rig.daemonUser, [], "+++++++"),
    (1000, [], "+++----"),
    // No active session, but a member of group parallax.
    (1002, [50], "++-----"),
    // control-users by name and by number, control-group.
    (1004, [], "++-++++"),
    (1005, [], "++-++++"),
    (1006, [60], "++-++++"),
    (1000, [60], "+++++++"),
  ])
  func authority(_ uid: UInt32, _ groups: [UInt32], _ expected: String) throws {
    let rig = try Rig([
      "source.kind=synthetic", "socket.control-users=nora,1005",
      "socket.control-group=steerers",
    ])
    var got = ""
    for request in Self.requests {
      let answer = rig.control(uid, groups: groups).ask(request).first
      got += answer?.name == "ERROR" ? "-" : "+"
      if answer?.name == "ERROR" { #expect(answer?["code"] == "denied") }
    }
    #expect(got == expected)
  }

  /// Who may connect: with an active session (1000), an inactive one (1001), none (1002), none but
  /// in group parallax by the process (50) or, where the kernel cannot tell, by the account (1003).
  @Test(arguments: [
    ("session", UInt32(0), [] as [UInt32]?, true), ("session", Rig.daemonUser, [], true),
    ("session", 1000, [], true), ("session", 1001, [], false), ("session", 1002, [], false),
    ("session", 1002, [50], true), ("session", 1003, [], false), ("session", 1003, nil, true),
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

  @Test func asManyAsAreAllowed() throws {
    let rig = try Rig([
      "source.kind=synthetic", "socket.max-subscribers=3", "socket.max-per-uid=2",
    ])
    let first = [rig.subscribe(0), rig.subscribe(0)]
    #expect(rig.subscribe(0).lines().first?["message"]?.contains("max-per-uid") == true)
    #expect(!rig.subscribe(1000).isClosed)
    let late = rig.subscribe(1001)
    #expect(late.isClosed)
    #expect(late.lines().first?["message"]?.contains("max-subscribers") == true)
    first[0].hangUp()
    #expect(!rig.subscribe(1001).isClosed)
  }

  @Test(arguments: [
    (#"{"class":"STATUS","tag":7}"#, #""tag":7"#),
    (#"{"class":"STATUS","tag":"é"}"#, #""tag":"é""#),
    (#"{"class":"SET","tag":1,"key":"speed","value":"1"}"#, "reduce-motion, low-power"),
    (#"{"class":"SET","tag":1,"key":"paused","value":"maybe"}"#, "on or off"),
    (#"{"class":"SET","tag":1,"key":"scale","value":"big"}"#, "scale"),
    (#"{"class":"SET","tag":1,"key":"smoothing","value":"ema"}"#, "one-euro"),
    (#"{"class":"SET","tag":1,"value":"1"}"#, "key"),
    (#"{"class":"SET","tag":1,"key":"paused","value":true}"#, "$.value"),
    (#"{"class":"INHIBIT","tag":1,"reason":"No Spaces"}"#, "a-z"),
    (#"{"class":"AGENT","tag":1,"orientation":"down"}"#, "left-up"),
    (#"{"class":"AGENT","tag":1,"wanted":1}"#, "$.wanted"),
    (#"{"class":"PLAY","tag":1}"#, #""id\" or \"document\" is missing"#),
    (#"{"class":"PLAY","tag":1,"id":7}"#, "$.id: expected a string"),
    (#"{"class":"PLAY","tag":1,"id":"x","layer":"a b"}"#, "$.layer"),
    (#"{"class":"PLAY","tag":1,"id":"x","detached":1}"#, "$.detached"),
    (#"{"class":"STOP","tag":1,"id":[]}"#, "$.id"),
    (#"{"class":"JUMP","tag":1}"#, "STATUS, SET, RECENTER"),
    (#"{"class":"STATUS","tag":[1]}"#, "$.tag"),
    ("{}", "class"),
  ])
  func answers(_ request: String, _ part: String) throws {
    let answer = try Rig().control().ask(request)
    #expect(answer.count == 1)
    #expect(answer.first?.text.contains(part) == true, "\(answer)")
    if request.contains("\"tag\":1") { #expect(answer.first?.number("tag") == 1) }
  }

  @Test func aRequestUpTo64KiB() throws {
    let rig = try Rig()
    let client = rig.control()
    let fits = #"{"class":"STATUS","x":""# + String(repeating: "a", count: 65_000) + "\"}"
    #expect(client.ask(fits).map(\.name) == ["STATUS"])
    let tooLong = #"{"class":"STATUS","x":""# + String(repeating: "a", count: 65_600) + "\"}"
    #expect(client.ask(tooLong).map(\.name) == ["ERROR"])
    #expect(client.isClosed)
  }

  /// An animation may be inside it: 1.1 MiB, for those who may play at all.
  @Test(
    arguments: [
      (0, 1_153_434, #"{"class":"PLAY","layer":1,"document":""#, "$.layer", false),
      (0, 1_153_435, #"{"class":"PLAY","layer":1,"document":""#, "a PLAY 1153434", true),
      (0, 100_000, #"{"class":"STATUS","x":""#, "at most 65536 bytes", true),
      (1000, 60_000, #"{"class":"PLAY","id":"a","document":""#, "PLAY is for root", false),
      (1000, 100_000, #"{"class":"PLAY","id":"a","document":""#, "at most 65536 bytes", true),
    ] as [(UInt32, Int, String, String, Bool)])
  func aPlayMayBeLonger(
    _ uid: UInt32, _ bytes: Int, _ start: String, _ answer: String, _ closes: Bool
  ) throws {
    let client = try Rig().control(uid)
    let line = start + String(repeating: "a", count: bytes - start.utf8.count - 2) + "\"}"
    let answers = client.ask(line)
    #expect(answers.map(\.name) == ["ERROR"])
    #expect(answers.first?["message"]?.contains(answer) == true, "\(answers)")
    #expect(client.isClosed == closes)
  }

  @Test func oneInhibitionAUser() throws {
    let rig = try Rig()
    let first = rig.control(1000)
    let request = #"{"class":"INHIBIT","reason":"password"}"#
    #expect(first.ask(request).map(\.name) == ["ACK"])
    #expect(rig.control(1000).ask(request).map(\.name) == ["ERROR"])
    #expect(first.ask(request).map(\.name) == ["ACK"])
    #expect(rig.control(1001).ask(request).map(\.name) == ["ACK"])
    // Who it is, is for the privileged.
    let own = try #require(rig.control(1000).ask(#"{"class":"STATUS"}"#).first)
    #expect(own.object["inhibitors"] == nil)
    #expect(own.object("gate")?.reasons == ["inhibit"])
    let all = try #require(rig.control(0).ask(#"{"class":"STATUS"}"#).first)
    #expect(
      all.text.contains(#"{"uid":1000,"reason":"password"},{"uid":1001,"reason":"password"}"#))
    first.hangUp()
    #expect(rig.core.hub.gate(for: 0).reasons == ["inhibit"])
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

  @Test func setLastsOverReloads() throws {
    let rig = try Rig()
    rig.core.control.reload = { [weak rig] now in
      let new = Result { try Rig.configuration(["source.kind=synthetic", "motion.scale=1"]) }
      if case .success(let new) = new {
        rig?.core.hub.reconfigure(new, atNanoseconds: now)
      }
      return .success(nil)
    }
    let control = rig.control()
    control.send(
      #"{"class":"SET","key":"scale","value":"20"}"#,
      #"{"class":"SET","key":"orientation","value":"left-up"}"#)
    #expect(
      control.ask(#"{"class":"RELOAD","tag":1}"#).map(\.text) == [#"{"class":"ACK","tag":1}"#])
    #expect(rig.core.hub.motionSettings.scale?.x == 20)
    #expect(rig.core.hub.configuration.motion.scale?.x == 1)
    #expect(rig.core.hub.orientations.common.source == .set)
    control.send(#"{"class":"SET","key":"scale","value":"auto"}"#)
    #expect(rig.core.hub.motionSettings.scale?.x == 1)
  }

  @Test func aBadReloadSaysAllThatIsWrong() throws {
    let rig = try Rig()
    rig.core.control.reload = { _ in
      var builder = ConfigurationBuilder()
      builder.add(file: "bad.toml", bytes: Array("[motion]\nscale = true\nmood = 1\n".utf8))
      do throws(ConfigError) {
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

  @Test func recenterSaysWhereItDoesNothing() throws {
    #expect(try Rig().control().ask(#"{"class":"RECENTER"}"#).first?["note"] != nil)
    let tilt = try Rig(["source.kind=synthetic", "motion.mode=tilt"])
    #expect(tilt.control().ask(#"{"class":"RECENTER"}"#).map(\.text) == [#"{"class":"ACK"}"#])
  }

  @Test func aConnectionThatHoldsNothingEndsWithItsInput() throws {
    let rig = try Rig()
    let asked = rig.control()
    asked.send(#"{"class":"STATUS"}"#)
    asked.endInput()
    #expect(asked.isClosed)
    let inhibits = rig.control()
    inhibits.send(#"{"class":"INHIBIT","reason":"password"}"#)
    inhibits.endInput()
    #expect(!inhibits.isClosed)
    #expect(rig.core.hub.gate(for: 0).reasons == ["inhibit"])
  }
}
