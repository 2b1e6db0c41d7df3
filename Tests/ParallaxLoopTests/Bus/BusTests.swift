// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxLoop
import ParallaxTestSupport
import Testing

@Suite struct BusTests {
  @Test func aCallReturnsAValueOrAnErrorReply() throws {
    let rig = try BusRig()
    try rig.connect()
    let peer = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    peer.answer = { call in
      switch (call.member, call.arguments.first) {
      case ("Echo", .string(let text)): .values([.string(text)])
      default: .error(name: "org.example.Error", words: "not that")
      }
    }
    #expect(try rig.ask(echoName, "Echo", [.string("äöü")]).value() == .string("äöü"))
    #expect(
      try rig.ask(echoName, "Other").error
        == .errorReply(name: "org.example.Error", message: "not that"))
  }

  @Test func aCallStartsNoService() throws {
    let rig = try BusRig()
    try rig.connect()
    let answer = try rig.ask("org.example.Missing", "Echo")
    #expect(
      answer.error?.hasName("org.freedesktop.DBus.Error.NameHasNoOwner") == true
        || answer.error?.hasName("org.freedesktop.DBus.Error.ServiceUnknown") == true)
  }

  @Test func aLateAnswerIsNoAnswer() throws {
    let rig = try BusRig()
    try rig.connect()
    let peer = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    peer.answer = { _ in .nothing }
    #expect(try rig.ask(echoName, "Echo", timeoutMilliseconds: 20).error == .noAnswer)
  }

  @Test func aPeerThatDisconnectsGivesNoAnswer() throws {
    let rig = try BusRig()
    try rig.connect()
    var peer: BusPeer? = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    peer?.answer = { _ in .nothing }
    var answer: Result<BusMessage, BusError>?
    let slot = rig.bus.call(echoName, echoPath, echoName, "Echo") { answer = $0 }
    try rig.loop.run("the call comes") { peer?.calls.count == 1 }
    peer = nil
    try rig.loop.run("the end of the peer") { answer != nil }
    #expect(answer?.error == .noAnswer)
    slot.cancel()
  }

  @Test func theAnswerToADroppedSlotIsIgnored() throws {
    let rig = try BusRig()
    try rig.connect()
    let peer = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    peer.answer = { _ in .values([.string("late")]) }
    var answers = 0
    var slot: BusSlot? = rig.bus.call(echoName, echoPath, echoName, "Echo") { _ in answers += 1 }
    try rig.loop.run("the call comes") { peer.calls.count == 1 }
    _ = slot
    slot = nil
    try rig.settle()
    #expect(answers == 0)
  }

  @Test func aHandlerMayDropItsSlotAndCallAgain() throws {
    let rig = try BusRig()
    try rig.connect()
    let peer = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    peer.answer = { _ in .values([.bool(true)]) }
    var slot: BusSlot?
    var answers = 0
    func ask() {
      slot = rig.bus.call(echoName, echoPath, echoName, "Echo") { _ in
        slot = nil
        answers += 1
        if answers < 3 { ask() }
      }
    }
    ask()
    try rig.loop.run("three answers") { answers == 3 }
    #expect(slot == nil)
  }

  @Test func withoutAConnectionACallFailsInALaterTurn() throws {
    let rig = try BusRig()
    var answer: Result<BusMessage, BusError>?
    let slot = rig.bus.call(echoName, echoPath, echoName, "Echo") { answer = $0 }
    #expect(answer == nil)
    try rig.loop.run("a failure") { answer != nil }
    #expect(answer?.error == .notConnected)
    slot.cancel()
  }

  @Test(arguments: ["", "no name", "org..example", String(repeating: "a.", count: 200)])
  func anInvalidNameFails(name: String) throws {
    let rig = try BusRig()
    try rig.connect()
    guard case .failed = try rig.ask(name, "Echo").error else {
      Issue.record("the call was sent")
      return
    }
  }

  // MARK: - Signals

  @Test func aSignalIsReportedUntilItsSlotIsDropped() throws {
    let rig = try BusRig()
    try rig.connect()
    let peer = try BusPeer(rig.loop, rig.daemon.address)
    var heard: [BusValue] = []
    var slot: BusSlot? = rig.bus.follow(
      BusSignal(sender: peer.uniqueName, interface: echoName, member: "Rang")
    ) { message in if let value = try? message.next() { heard.append(value) } }
    try rig.settle()
    try peer.emit(echoPath, echoName, "Rang", [.uint32(1)])
    try peer.emit(echoPath, echoName, "Other", [.uint32(2)])
    try peer.emit(echoPath, echoName, "Rang", [.double(3)])
    try rig.loop.run("two signals") { heard.count == 2 }
    #expect(heard == [.uint32(1), .double(3)])
    _ = slot
    slot = nil
    try peer.emit(echoPath, echoName, "Rang", [.uint32(4)])
    try rig.settle()
    try rig.settle()
    #expect(heard.count == 2)
  }

  @Test func aSignalFromAnotherSenderIsIgnored() throws {
    let rig = try BusRig()
    try rig.connect()
    let peer = try BusPeer(rig.loop, rig.daemon.address)
    let liar = try BusPeer(rig.loop, rig.daemon.address)
    var heard: [BusValue] = []
    let slot = rig.bus.follow(
      BusSignal(sender: peer.uniqueName, interface: echoName, member: "Rang")
    ) { message in if let value = try? message.next() { heard.append(value) } }
    try rig.settle()
    let us = try rig.uniqueName()
    try liar.emit(echoPath, echoName, "Rang", [.string("lie")], to: us)
    try peer.emit(echoPath, echoName, "Rang", [.string("truth")])
    try rig.loop.run("a signal") { !heard.isEmpty }
    #expect(heard == [.string("truth")])
    slot.cancel()
  }

  // MARK: - Names

  @Test func theOwnerOfANameIsReportedAndEveryChange() throws {
    let rig = try BusRig()
    try rig.connect()
    var owners: [String?] = []
    let slot = rig.bus.followOwner(of: echoName) { owners.append($0) }
    try rig.loop.run("no owner") { owners.count == 1 }
    let first = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    try rig.loop.run("the first") { owners.count == 2 }
    try first.disown(echoName)
    try rig.loop.run("no owner again") { owners.count == 3 }
    let second = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    try rig.loop.run("the second") { owners.count == 4 }
    #expect(owners == [nil, first.uniqueName, nil, second.uniqueName])
    slot.cancel()
  }

  @Test func onlyTheBusReportsOwners() throws {
    let rig = try BusRig()
    try rig.connect()
    let owner = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    var owners: [String?] = []
    let slot = rig.bus.followOwner(of: echoName) { owners.append($0) }
    try rig.loop.run("the owner") { owners.count == 1 }
    let liar = try BusPeer(rig.loop, rig.daemon.address)
    let us = try rig.uniqueName()
    try liar.emit(
      "/org/freedesktop/DBus", Bus.driver, "NameOwnerChanged",
      [.string(echoName), .string(owner.uniqueName), .string("")], to: us)
    try rig.settle()
    try rig.settle()
    #expect(owners == [owner.uniqueName])
    slot.cancel()
  }
}

extension BusRig {
  /// The unique name of `bus` on the bus.
  func uniqueName() throws -> String {
    let answer = try askDriver("ListNames")
    // Names are numbered in the order of connections, and `bus` connected first.
    let names = try answer.get().strings().filter { $0.hasPrefix(":") }
    return try #require(names.min { $0.count < $1.count || ($0.count == $1.count && $0 < $1) })
  }

  private func askDriver(_ member: String) throws -> Result<BusMessage, BusError> {
    var answer: Result<BusMessage, BusError>?
    let slot = bus.call(Bus.driver, "/org/freedesktop/DBus", Bus.driver, member) { answer = $0 }
    try loop.run("the bus's answer") { answer != nil }
    slot.cancel()
    return try #require(answer)
  }
}
