// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxLoop
import ParallaxTestSupport
import Testing

@Suite struct FollowedPropertyTests {
  let rig: BusRig

  init() throws {
    rig = try BusRig()
    try rig.connect()
  }

  private func followed() -> FollowedProperty {
    FollowedProperty(
      rig.bus, destination: echoName, path: echoPath, interface: echoName, name: "Mood"
    ) { _ in }
  }

  @Test func aPropertyIsFollowedAcrossARestartOfItsOwner() throws {
    let property = followed()
    #expect(property.state == .pending)
    try rig.loop.run("no owner") { property.state == .absent }
    var peer: BusPeer? = try BusPeer(rig.loop, rig.daemon.address)
    peer?.answer = { call in
      call.arguments == [.string(echoName), .string("Mood")]
        ? .values([.variant("s", .string("calm"))]) : .error(name: "org.example.No", words: "")
    }
    try peer?.own(echoName)
    try rig.loop.run("the first value") { property.state == .value(.string("calm")) }
    try peer?.emitPropertyChanged(echoPath, echoName, "Other", "s", .string("x"))
    try peer?.emitPropertyChanged(echoPath, echoName, "Mood", "s", .string("wild"))
    try rig.loop.run("the change") { property.state == .value(.string("wild")) }
    peer = nil
    try rig.loop.run("its end") { property.state == .absent }
    let other = try BusPeer(rig.loop, rig.daemon.address)
    other.answer = { _ in .values([.variant("u", .uint32(7))]) }
    try other.own(echoName)
    try rig.loop.run("another's value") { property.state == .value(.uint32(7)) }
  }

  @Test func anInvalidatedPropertyIsReadAgain() throws {
    let peer = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    var mood = "calm"
    peer.answer = { _ in .values([.variant("s", .string(mood))]) }
    let property = followed()
    try rig.loop.run("the first value") { property.state == .value(.string("calm")) }
    mood = "wild"
    try peer.emit(
      echoPath, Bus.properties, "PropertiesChanged",
      [.string(echoName), .array("{sv}", []), .array("s", [.string("Mood")])])
    try rig.loop.run("the change") { property.state == .value(.string("wild")) }
  }

  @Test(arguments: [
    [PeerValue.string(echoName)],
    [.string(echoName), .string("no dictionary")],
    [.string(echoName), .array("s", [.string("Mood")]), .uint32(1)],
  ])
  func aMalformedChangeReadsThePropertyAgain(_ body: [PeerValue]) throws {
    let peer = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    peer.answer = { _ in .values([.variant("s", .string("calm"))]) }
    let property = followed()
    try rig.loop.run("the first value") { property.state == .value(.string("calm")) }
    try peer.emit(echoPath, Bus.properties, "PropertiesChanged", body)
    try rig.loop.run("the second read") { peer.calls.count == 2 }
    try rig.settle()
    #expect(property.state == .value(.string("calm")))
  }

  /// Ten times as impatient as a test can wait.
  private let timing = BusQuestion.Timing(
    patience: .milliseconds(10), firstPause: .milliseconds(10), timeoutMilliseconds: 50)

  @Test(arguments: [true, false])
  func aSilentOwnerIsAskedAgainUntilItAnswers(answersWithErrors: Bool) throws {
    let peer = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    peer.answer = { _ in answersWithErrors ? .error(name: "org.example.No", words: "") : .nothing }
    let property = FollowedProperty(
      rig.bus, destination: echoName, path: echoPath, interface: echoName, name: "Mood",
      timing: timing
    ) { _ in }
    try rig.loop.run("the silence") { property.state == .silent }
    try rig.loop.run("two more questions") { peer.calls.count >= 3 }
    peer.answer = { _ in .values([.variant("s", .string("calm"))]) }
    try rig.loop.run("the answer") { property.state == .value(.string("calm")) }
  }

  @Test func anOwnerWithoutAnAnswerLeavesThePropertyUnknown() throws {
    let peer = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    peer.answer = { _ in .nothing }
    let property = followed()
    try rig.loop.run("the read") { peer.calls.count == 1 }
    #expect(property.state == .unknown)
    try peer.emitPropertyChanged(echoPath, echoName, "Mood", "b", .bool(true))
    try rig.loop.run("a change") { property.state == .value(.bool(true)) }
  }
}
