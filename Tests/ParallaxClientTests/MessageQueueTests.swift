// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ParallaxClient

/// Returns the message for a letter: `0`-`9` an OFFSET with that number, `d` DEVICE, `g` GATE, `a`
/// ANIMATION.
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
        seq: UInt64(String(letter)) ?? 0, time: 0, x: 0, y: 0, nx: 0, ny: 0))
  }
}

/// Returns the letters of the messages; an OFFSET after a loss with the number of lost ones: `5(2)`.
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

@Suite("Queued messages")
struct MessageQueueTests {
  /// The messages received, with room for three OFFSETs, and the messages read.
  @Test(
    arguments: [
      ("", ""), ("123", "123"), ("1234", "2(1)34"),
      ("123456", "4(3)56"), ("d1g2a3", "d1g2a3"), ("1d2g3a4", "d2(1)g3a4"),
      ("d1d2d", "12d"), ("g12g3g4g", "2(1)34g"), ("aa1aa", "aa1aa"),
    ])
  func newestOffsetsAreKept(received: String, read: String) {
    var queue = MessageQueue(offsetLimit: 3)
    for letter in received { queue.append(message(letter)) }
    #expect(letters(&queue) == read)
    #expect(queue.isEmpty)
  }

  @Test func lossesAddUp() {
    var queue = MessageQueue(offsetLimit: 1)
    var first = OffsetMessage(seq: 1, time: 0, x: 0, y: 0, nx: 0, ny: 0)
    first.dropped = 5
    var second = first
    second.seq = 2
    second.dropped = 10
    queue.append(.offset(first))
    queue.append(.offset(second))
    #expect(letters(&queue) == "2(16)")
  }

  @Test func queueHoldsAtLeastOneOffset() {
    var queue = MessageQueue(offsetLimit: -3)
    for letter in "123" { queue.append(message(letter)) }
    #expect(letters(&queue) == "3(2)")
  }

  @Test func newest64OtherMessagesAreKept() {
    var queue = MessageQueue(offsetLimit: 2)
    for letter in "1" + String(repeating: "a", count: 1_000) + "2" { queue.append(message(letter)) }
    #expect(letters(&queue) == "1" + String(repeating: "a", count: 64) + "2")
  }

  @Test func readingMakesRoom() {
    var queue = MessageQueue(offsetLimit: 2)
    for letter in "12" { queue.append(message(letter)) }
    #expect(queue.popFirst() == message("1"))
    queue.append(message("3"))
    #expect(letters(&queue) == "23")
  }
}
