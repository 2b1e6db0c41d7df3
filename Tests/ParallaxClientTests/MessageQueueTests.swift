import Testing

@testable import ParallaxClient

/// Letters for messages: `0`-`9` an OFFSET with that number, `d` DEVICE, `g` GATE, `a` ANIMATION.
private func message(_ letter: Character) -> StreamMessage {
  switch letter {
  case "d":
    .device(
      DeviceMessage(driver: "iio", name: nil, state: .idle, rateHertz: nil, reason: nil))
  case "g": .gate(GateMessage(open: true, gain: 1, reasons: []))
  case "a": .animation(AnimationMessage(id: "a", event: .step, position: nil))
  default:
    .offset(
      OffsetMessage(
        seq: UInt64(String(letter)) ?? 0, timeNanoseconds: 0, x: 0, y: 0, nx: 0, ny: 0))
  }
}

/// The letter, and for an OFFSET behind a loss the number of the lost ones: `5(2)`.
private func letters(_ queue: inout MessageQueue) -> String {
  var text = ""
  while let message = queue.popFirst() {
    switch message {
    case .device: text += "d"
    case .gate: text += "g"
    case .animation: text += "a"
    case .offset(let offset): text += "\(offset.seq)" + (offset.dropped.map { "(\($0))" } ?? "")
    default: text += "?"
    }
  }
  return text
}

@Suite("Messages that wait")
struct MessageQueueTests {
  /// What came, with room for three OFFSETs, and what is taken out.
  @Test(
    arguments: [
      ("", ""), ("123", "123"), ("1234", "2(1)34"),
      ("123456", "4(3)56"), ("d1g2a3", "d1g2a3"), ("1d2g3a4", "d2(1)g3a4"),
      ("d1d2d", "12d"), ("g12g3g4g", "2(1)34g"), ("aa1aa", "aa1aa"),
    ])
  func `the newest offsets are kept`(came: String, taken: String) {
    var queue = MessageQueue(offsetLimit: 3)
    for letter in came { queue.append(message(letter)) }
    #expect(letters(&queue) == taken)
    #expect(queue.isEmpty)
  }

  @Test func `losses add up, those of the daemon too`() {
    var queue = MessageQueue(offsetLimit: 1)
    var first = OffsetMessage(seq: 1, timeNanoseconds: 0, x: 0, y: 0, nx: 0, ny: 0)
    first.dropped = 5
    var second = first
    second.seq = 2
    second.dropped = 10
    queue.append(.offset(first))
    queue.append(.offset(second))
    #expect(letters(&queue) == "2(16)")
  }

  @Test func `there is room for one at least`() {
    var queue = MessageQueue(offsetLimit: -3)
    for letter in "123" { queue.append(message(letter)) }
    #expect(letters(&queue) == "3(2)")
  }

  @Test func `of other messages the newest 64 are kept`() {
    var queue = MessageQueue(offsetLimit: 2)
    for letter in "1" + String(repeating: "a", count: 1_000) + "2" { queue.append(message(letter)) }
    #expect(letters(&queue) == "1" + String(repeating: "a", count: 64) + "2")
  }

  @Test func `taking out makes room`() {
    var queue = MessageQueue(offsetLimit: 2)
    for letter in "12" { queue.append(message(letter)) }
    #expect(queue.popFirst() == message("1"))
    queue.append(message("3"))
    #expect(letters(&queue) == "23")
  }
}
