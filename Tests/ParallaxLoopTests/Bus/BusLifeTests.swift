// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxLoop
import ParallaxTestSupport
import Testing

@Suite struct BusLifeTests {
  @Test func anAbsentBusIsLoggedOnceAndFoundWhenItStarts() throws {
    let rig = try BusRig()
    rig.daemon.kill()
    var changes: [Bool] = []
    let slot = rig.bus.followConnection { changes.append($0) }
    rig.bus.open()
    try rig.loop.run("an attempt that failed") { !rig.log.isEmpty }
    #expect(!rig.bus.isConnected)
    try rig.daemon.start()
    try rig.loop.run("the bus is there") { rig.bus.isConnected }
    #expect(changes == [false, true])
    #expect(rig.log.count == 2, "\(rig.log)")
    #expect(rig.log.first?.contains("Connection refused") == true, "\(rig.log)")
    slot.cancel()
  }

  @Test func subscriptionsAreRenewedAfterARestartOfTheBus() throws {
    let rig = try BusRig()
    try rig.connect()
    var changes: [Bool] = []
    var owners: [String?] = []
    let slots = [
      rig.bus.followConnection { changes.append($0) },
      rig.bus.followOwner(of: echoName) { owners.append($0) },
    ]
    let first = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    try rig.loop.run("an owner") { owners.last == first.uniqueName }
    rig.daemon.kill()
    try rig.loop.run("the loss") { changes.last == false }
    #expect(owners.last == .some(nil))
    try rig.daemon.start()
    try rig.loop.run("the return") { changes.last == true }
    let second = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    try rig.loop.run("an owner again") { owners.last == second.uniqueName }
    #expect(changes == [true, false, true])
    for slot in slots { slot.cancel() }
  }

  @Test func openCallsHaveNoAnswerWhenTheBusIsKilled() throws {
    let rig = try BusRig()
    try rig.connect()
    let peer = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    peer.answer = { _ in .nothing }
    var answers: [BusError?] = []
    let slots = (0..<3).map { _ in
      rig.bus.call(echoName, echoPath, echoName, "Echo") { answers.append($0.error) }
    }
    try rig.loop.run("the calls come") { peer.calls.count == 3 }
    rig.daemon.kill()
    try rig.loop.run("their end") { answers.count == 3 }
    #expect(answers == [.noAnswer, .noAnswer, .noAnswer])
    for slot in slots { slot.cancel() }
  }

  @Test func aBusThatNeverAnswersDelaysNothing() throws {
    let folder = try TemporaryFolder()
    let listener = try UnixListener(path: folder("mute"), mode: 0o600)
    let rig = try BusRig("unix:path=\(folder("mute"))")
    let before = MonotonicClock.now()
    rig.bus.open()
    var answer: BusError?
    let slot = rig.bus.call(echoName, echoPath, echoName, "Echo") { answer = $0.error }
    let follow = rig.bus.followOwner(of: echoName) { _ in Issue.record("the owner cannot be known")
    }
    // The loop keeps running.
    var ticks = 0
    let timer = try rig.loop.timer { ticks += 1 }
    timer.arm(at: MonotonicClock.now())
    try rig.loop.run("a timer and a failed call") { ticks == 1 && answer != nil }
    #expect(answer == .notConnected)
    #expect(!rig.bus.isConnected)
    rig.bus.close()
    rig.loop.exit(code: 0)
    #expect(try rig.loop.run() == 0)
    // The time limit for the bus's first answer is 5 s: nothing here waited for it.
    #expect(MonotonicClock.now() - before < .seconds(4))
    for slot in [slot, follow] { slot.cancel() }
    _ = listener
  }

  @Test func theLoopMayEndWhileABusDoesNotAnswer() throws {
    let folder = try TemporaryFolder()
    let listener = try UnixListener(path: folder("mute"), mode: 0o600)
    let rig = try BusRig("unix:path=\(folder("mute"))")
    rig.bus.open()
    rig.loop.exit(code: 3)
    #expect(try rig.loop.run() == 3)
    _ = listener
  }

  @Test func aClosedBusReportsNothingAndOpensAgain() throws {
    let rig = try BusRig()
    try rig.connect()
    var owners: [String?] = []
    let slot = rig.bus.followOwner(of: echoName) { owners.append($0) }
    try rig.loop.run("no owner") { owners.count == 1 }
    rig.bus.close()
    try rig.loop.drain()
    let peer = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    try rig.loop.drain()
    #expect(owners == [nil])
    try rig.connect()
    try rig.loop.run("the owner") { owners.count == 2 }
    #expect(owners == [nil, peer.uniqueName])
    #expect(rig.log.isEmpty)
    slot.cancel()
  }

  @Test func slotsOfADroppedBusReportNothing() throws {
    let loop = try EventLoop()
    let daemon = try PrivateBus()
    var bus: Bus? = try Bus(loop, .address(daemon.address), log: { _, _ in })
    bus?.open()
    try loop.run("the bus is there") { bus?.isConnected == true }
    let slots = [
      bus?.followOwner(of: echoName) { _ in },
      bus?.call(echoName, echoPath, echoName, "Echo") { _ in Issue.record("answered") },
    ]
    bus = nil
    try loop.drain()
    for slot in slots { slot?.cancel() }
  }

  @Test func pausesGrowTo30SecondsAndRestartAfterALongConnection() {
    var retry = BusRetry()
    func pauses(_ count: Int) -> [Double] {
      (0..<count).map { _ in retry.nextPause() / .seconds(1) }
    }
    #expect(pauses(8) == [1, 2, 4, 8, 16, 30, 30, 30])
    retry.connectionEnded(after: 9_999_999_999)
    #expect(pauses(1) == [30])
    retry.connectionEnded(after: 10_000_000_000)
    #expect(pauses(2) == [1, 2])
  }
}
