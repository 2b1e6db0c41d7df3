// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxGates
import ParallaxLoop
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// A bus, a watch on it, and a proxy that the test plays.
private final class OrientationRig {
  let loop: EventLoop
  let daemon: PrivateBus
  let bus: Bus
  let watch: OrientationWatch
  private let record: Record

  private final class Record {
    var log: [String] = []
    var reported: [Orientation?] = []
    weak var watch: OrientationWatch?
  }

  var log: [String] { record.log }
  var reported: [Orientation?] { record.reported }

  init() throws {
    loop = try EventLoop()
    daemon = try PrivateBus()
    let record = Record()
    self.record = record
    bus = try Bus(
      loop, .address(daemon.address), firstPause: 10_000_000,
      log: { _, _ in })
    watch = try OrientationWatch(
      loop, bus, log: { record.log.append($1) },
      changed: { record.reported.append(record.watch?.orientation) })
    record.watch = watch
    bus.open()
  }

  /// - Parameter word: the proxy's orientation.
  func proxy(
    has: Bool = true, _ word: String = "left-up", claim: PeerAnswer = .values([])
  ) throws -> BusPeer {
    let peer = try BusPeer(loop, daemon.address)
    peer.answer = { call in
      switch (call.member, call.arguments.last) {
      case ("Get", .string("HasAccelerometer")): .values([.variant("b", .bool(has))])
      case ("Get", .string("AccelerometerOrientation")):
        .values([.variant("s", .string(word))])
      case ("ClaimAccelerometer", _): claim
      case ("ReleaseAccelerometer", _): .values([])
      default: .error(name: "org.freedesktop.DBus.Error.UnknownMethod", words: call.member)
      }
    }
    try peer.own(OrientationWatch.name)
    return peer
  }

  func turn(_ peer: BusPeer, _ word: String) throws {
    try peer.emitPropertyChanged(
      OrientationWatch.path, OrientationWatch.name, "AccelerometerOrientation", "s",
      .string(word))
  }
}

extension BusPeer {
  fileprivate func count(_ member: String) -> Int { calls.count { $0.member == member } }
}

@Suite(.timeLimit(.minutes(5)))
struct OrientationWatchTests {
  @Test func theAccelerometerIsClaimedFollowedAndReleased() throws {
    let rig = try OrientationRig()
    let proxy = try rig.proxy()
    rig.watch.isRequested = true
    try rig.loop.run("the first orientation") { rig.watch.orientation == .leftUp }
    try rig.turn(proxy, "bottom-up")
    try rig.loop.run("the second one") { rig.watch.orientation == .bottomUp }
    try rig.turn(proxy, "undefined")
    try rig.turn(proxy, "sideways")
    try rig.turn(proxy, "right-up")
    try rig.loop.run("the third one") { rig.watch.orientation == .rightUp }
    #expect(rig.reported == [.leftUp, .bottomUp, .rightUp])
    #expect(proxy.count("ClaimAccelerometer") == 1)
    rig.watch.isRequested = false
    #expect(rig.watch.orientation == nil)
    try rig.loop.run("the release") { proxy.count("ReleaseAccelerometer") == 1 }
    #expect(rig.log.isEmpty)
  }

  @Test func nothingIsReadUnlessRequested() throws {
    let rig = try OrientationRig()
    let proxy = try rig.proxy()
    try rig.loop.run("the bus") { rig.bus.isConnected }
    try rig.turn(proxy, "left-up")
    rig.watch.isRequested = true
    rig.watch.isRequested = false
    rig.watch.isRequested = true
    try rig.loop.run("the orientation") { rig.watch.orientation != nil }
    #expect(proxy.count("ClaimAccelerometer") == 1)
  }

  @Test func aRestartedProxyIsClaimedAgain() throws {
    let rig = try OrientationRig()
    rig.watch.isRequested = true
    let first = try rig.proxy("left-up")
    try rig.loop.run("the first orientation") { rig.watch.orientation == .leftUp }
    try first.disown(OrientationWatch.name)
    let next = try rig.proxy("bottom-up")
    try rig.loop.run("the next one's") { rig.watch.orientation == .bottomUp }
    // The orientation never became unknown.
    #expect(rig.reported == [.leftUp, .bottomUp])
    #expect(next.count("ClaimAccelerometer") == 1)
  }

  @Test func aRestartedBusIsHandled() throws {
    let rig = try OrientationRig()
    rig.watch.isRequested = true
    let first = try rig.proxy("left-up")
    try rig.loop.run("the first orientation") { rig.watch.orientation == .leftUp }
    rig.daemon.kill()
    try rig.loop.run("the loss") { !rig.bus.isConnected }
    try rig.daemon.start()
    let next = try rig.proxy("bottom-up")
    try rig.loop.run("the next one's") { rig.watch.orientation == .bottomUp }
    #expect(next.count("ClaimAccelerometer") == 1)
    _ = first
  }

  @Test func aForbiddenClaimIsLoggedOnce() throws {
    let rig = try OrientationRig()
    rig.watch.isRequested = true
    let proxy = try rig.proxy(
      claim: .error(name: "org.freedesktop.DBus.Error.AccessDenied", words: "Not Authorized"))
    try rig.loop.run("the refusal") { rig.watch.isForbidden }
    #expect(rig.log.count == 1)
    #expect(rig.log.first?.contains("parallax agent") == true)
    rig.watch.isRequested = false
    #expect(!rig.watch.isForbidden)
    rig.watch.isRequested = true
    try rig.loop.run("the second refusal") { rig.watch.isForbidden }
    #expect(rig.log.count == 1)
    #expect(proxy.count("ReleaseAccelerometer") == 0)
  }

  @Test func withoutAnAccelerometerNothingIsClaimed() throws {
    let rig = try OrientationRig()
    rig.watch.isRequested = true
    let proxy = try rig.proxy(has: false)
    try rig.loop.run("the read") { proxy.count("Get") == 1 }
    try rig.loop.run("a while") { rig.bus.isConnected }
    #expect(proxy.count("ClaimAccelerometer") == 0)
    #expect(rig.log.isEmpty && rig.reported.isEmpty)
  }

  /// Any program may send a signal like the proxy's.
  @Test func signalsOfOtherSendersAreIgnored() throws {
    let rig = try OrientationRig()
    rig.watch.isRequested = true
    let proxy = try rig.proxy("left-up")
    try rig.loop.run("the orientation") { rig.watch.orientation == .leftUp }
    let stranger = try BusPeer(rig.loop, rig.daemon.address)
    try rig.turn(stranger, "bottom-up")
    try rig.turn(proxy, "right-up")
    try rig.loop.run("the proxy's signal") { rig.watch.orientation == .rightUp }
    #expect(rig.reported == [.leftUp, .rightUp])
  }

  @Test(arguments: [
    [PeerValue.string("net.hadess.SensorProxy")], [.uint32(4)], [],
    [.string("net.hadess.SensorProxy"), .array("s", [.string("x")])],
  ])
  func malformedSignalsChangeNothing(values: [PeerValue]) throws {
    let rig = try OrientationRig()
    rig.watch.isRequested = true
    let proxy = try rig.proxy("left-up")
    try rig.loop.run("the orientation") { rig.watch.orientation == .leftUp }
    try proxy.emit(OrientationWatch.path, Bus.properties, "PropertiesChanged", values)
    try proxy.emitPropertyChanged(
      OrientationWatch.path, OrientationWatch.name, "AccelerometerOrientation", "u", .uint32(4))
    try rig.turn(proxy, "right-up")
    try rig.loop.run("the next signal") { rig.watch.orientation == .rightUp }
  }
}
