// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxLoop
import ParallaxTestSupport
import Testing

@Suite struct BusMessageTests {
  struct Answered: CustomTestStringConvertible, Sendable {
    var values: [PeerValue]
    var read: BusValue?
    var testDescription: String { "\(values)" }

    init(_ values: [PeerValue], _ read: BusValue?) {
      self.values = values
      self.read = read
    }
  }

  @Test(arguments: [
    Answered([.string("x")], .string("x")),
    Answered([.uint32(.max)], .uint32(.max)),
    Answered([.int32(-1)], .int32(-1)),
    Answered([.bool(true)], .bool(true)),
    Answered([.double(-0.5)], .double(-0.5)),
    Answered([.variant("u", .uint32(1))], .uint32(1)),
    Answered([.variant("v", .variant("u", .uint32(1)))], .uint32(1)),
    Answered([.variant("v", .variant("v", .variant("s", .string("deep"))))], .string("deep")),
    Answered([.int64(1)], .other(signature: "x")),
    Answered([.array("s", [.string("a")])], .other(signature: "as")),
    Answered([.variant("as", .array("s", []))], .other(signature: "as")),
    Answered([.structure("su", [.string("a"), .uint32(1)])], .other(signature: "rsu")),
    Answered([], nil),
  ])
  func everyTypeOfValueIsReadOrSkipped(_ answered: Answered) throws {
    let rig = try BusRig()
    try rig.connect()
    let peer = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    peer.answer = { _ in .values(answered.values + [.string("next")]) }
    let message = try rig.ask(echoName, "Echo").get()
    if let expected = answered.read { #expect(try message.next() == expected) }
    #expect(try message.next() == .string("next"))
    #expect(throws: BusError.self) { try message.next() }
  }

  /// The bus allows 64 levels of nesting and disconnects a peer that sends more.
  @Test(arguments: [(1, true), (60, true), (70, false)])
  func nestedVariantsAreReadAsFarAsTheBusAllowsThem(levels: Int, isAllowed: Bool) throws {
    let rig = try BusRig()
    try rig.connect()
    let peer = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    let value = (1..<levels).reduce(PeerValue.variant("u", .uint32(1))) { inner, _ in
      .variant("v", inner)
    }
    peer.answer = { _ in .values([value, .string("next")]) }
    let answer = try rig.ask(echoName, "Echo")
    if isAllowed {
      #expect(try answer.value() == .uint32(1))
      #expect(try answer.get().next() == .string("next"))
    } else {
      #expect(answer.error == .noAnswer)
    }
  }

  @Test func dictionariesAndArraysAreReadAndOtherTypesAreErrors() throws {
    let rig = try BusRig()
    try rig.connect()
    let peer = try BusPeer(rig.loop, rig.daemon.address, owning: [echoName])
    func entry(_ key: String, _ type: String, _ value: PeerValue) -> PeerValue {
      .entry("sv", [.string(key), .variant(type, value)])
    }
    peer.answer = { call in
      call.member == "Dictionary"
        ? .values([
          .array(
            "{sv}",
            [
              entry("a", "u", .uint32(1)), entry("b", "as", .array("s", [.string("x")])),
              entry("c", "s", .string("z")),
            ]),
          .array("s", [.string("one"), .string("two")]),
        ]) : .values([.string("none")])
    }
    var keys: [String] = []
    var values: [BusValue] = []
    var message = try rig.ask(echoName, "Dictionary").get()
    try message.entries { key, value in
      keys.append(key)
      values.append(value)
      return true
    }
    #expect(keys == ["a", "b", "c"])
    #expect(values == [.uint32(1), .other(signature: "as"), .string("z")])
    #expect(try message.strings() == ["one", "two"])

    message = try rig.ask(echoName, "Dictionary").get()
    var count = 0
    try message.entries { _, _ in
      count += 1
      return false
    }
    #expect(count == 1)
    #expect(try message.strings() == ["one", "two"])

    message = try rig.ask(echoName, "Other").get()
    #expect(throws: BusError.self) { try message.entries { _, _ in true } }
    #expect(throws: BusError.self) { try rig.ask(echoName, "Other").get().strings() }
  }
}
