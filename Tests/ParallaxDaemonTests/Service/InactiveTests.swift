// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxLoop
import ParallaxTestSupport
import Testing

/// Users whose sessions are in the background.
struct InactiveTests {
  private static let open = #"{"class":"GATE","open":true,"gain":1,"reasons":[]}"#
  private static let closed = #"{"class":"GATE","open":false,"gain":0,"reasons":["inactive"]}"#

  private func gate(_ client: Client) -> String? {
    client.lines().last { $0.name == "GATE" }?.text
  }

  @Test func switchingAwayFadesToZeroAndBack() throws {
    let rig = try Rig(["source.kind=synthetic", "motion.smoothing=none"])
    let (mine, other) = (rig.subscribe(1000), rig.subscribe(1001))
    rig.run(seconds: 1)
    #expect(gate(mine) == Self.open)
    _ = other.lines()
    rig.sessions.set(.inactive, ofUser: 1000)
    rig.run(seconds: 1)
    let lines = mine.lines()
    #expect(lines.first { $0.name == "GATE" }?.text == Self.closed)
    #expect(lines.last { $0.name == "OFFSET" }?.isZero == true)
    // Other users are not affected.
    #expect(gate(other) == nil)
    rig.sessions.set(.active, ofUser: 1000)
    rig.run(seconds: 1)
    #expect(gate(mine) == Self.open)
    #expect(rig.subscribe(1001).lines().contains { $0.text == Self.open })
  }

  @Test func aBackgroundUserGetsAClosedGate() throws {
    let rig = try Rig()
    // Admitted by the group; an inactive session is not enough.
    rig.sessions.set(.inactive, ofUser: 1003)
    let client = rig.subscribe(1003, groups: [50])
    #expect(client.lines().map(\.name) == ["VERSION", "DEVICE", "GATE"])
    rig.run(seconds: 10)
    #expect(client.frames().isEmpty)
    #expect(rig.core.hub.gates.message(for: 1003).reasons == ["inactive"])
  }

  @Test(arguments: [
    ("session", SessionPresence.inactive, ["inactive"]), ("session", .none, []),
    ("session", .active, []), ("group", .inactive, []), ("all", .inactive, []),
  ])
  func accessAndPresenceClose(access: String, presence: SessionPresence, reasons: [String]) throws {
    let rig = try Rig(["source.kind=synthetic", "socket.access=\(access)"])
    rig.sessions.set(presence, ofUser: 1003)
    _ = rig.subscribe(1003, groups: [50])
    #expect(rig.core.hub.gates.message(for: 1003).reasons == reasons)
  }

  @Test func noSessionIsWatchedWithoutSubscribers() throws {
    let rig = try Rig()
    #expect(rig.sessions.watchCount == 0)
    let (first, second) = (rig.subscribe(1000), rig.subscribe(1001))
    #expect(rig.sessions.watchCount == 1)
    first.hangUp()
    #expect(rig.sessions.watchCount == 1)
    second.hangUp()
    #expect(rig.sessions.watchCount == 0)
  }

  @Test func aReloadedAccessAppliesAtOnce() throws {
    let rig = try Rig(["source.kind=synthetic"])
    rig.sessions.set(.inactive, ofUser: 1003)
    let client = rig.subscribe(1003, groups: [50])
    _ = client.lines()
    rig.core.hub.reconfigure(
      try Rig.configuration(["source.kind=synthetic", "socket.access=group"]),
      at: rig.now)
    rig.run(seconds: 0)
    #expect(gate(client) == Self.open)
  }
}
