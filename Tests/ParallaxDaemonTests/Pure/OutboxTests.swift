// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import ParallaxTestSupport
import Testing

struct OutboxTests {
  /// A client's socket that accepts a number of bytes.
  private final class Pipe {
    var room: Int
    var isGone = false
    var received: [UInt8] = []

    init(room: Int = .max) { self.room = room }

    func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
      if isGone { return nil }
      let count = min(room, bytes.count)
      room -= count
      received.append(contentsOf: bytes.prefix(count))
      return count
    }

    var text: String { String(decoding: received, as: UTF8.self) }
  }

  private static func send(
    _ text: String, as kind: Outbox.Kind, at now: MotionInstant = 0, _ outbox: inout Outbox,
    _ pipe: Pipe
  ) -> Outbox.Outcome {
    Array(text.utf8).withUnsafeBytes {
      outbox.send($0, as: kind, at: now, through: pipe.write)
    }
  }

  /// Lines sent while the socket accepts nothing (letters: e event, d device, g gate, o offset, with a
  /// number), and the lines that arrive afterwards.
  @Test(arguments: [
    ("", ""),
    ("e1 e2 e3", "e1 e2 e3"),
    ("d1 g1 o1", "d1 g1 o1"),
    ("o1 o2 o3", "o3"),
    ("d1 o1 d2", "o1 d2"),
    ("d1 e1 d2 e2", "e1 d2 e2"),
    ("g1 o1 g2 o2 e1 o3", "g2 e1 o3"),
  ])
  func newestStateIsKeptInOrder(_ sent: String, _ received: String) {
    var outbox = Outbox()
    let pipe = Pipe(room: 0)
    for word in sent.split(separator: " ") {
      let kind: Outbox.Kind =
        switch word.first {
        case "d": .device
        case "g": .gate
        case "o": .offset(seq: UInt64(word.dropFirst()) ?? 0)
        default: .event
        }
      #expect(Self.send(word + " ", as: kind, &outbox, pipe) == .ok)
    }
    pipe.room = .max
    #expect(outbox.flush(at: 0, through: pipe.write) == .ok)
    #expect(pipe.text.split(separator: " ").joined(separator: " ") == received)
    #expect(outbox.isEmpty)
    #expect(outbox.deadline == nil)
  }

  @Test func droppedFramesAreCounted() {
    var outbox = Outbox()
    let pipe = Pipe(room: 0)
    for seq in UInt64(0)..<5 {
      #expect(outbox.droppedBefore(seq: seq) == seq)
      _ = Self.send("x", as: .offset(seq: seq), &outbox, pipe)
    }
    // The same frame again, as for POLL, is not a loss.
    #expect(outbox.droppedBefore(seq: 4) == 4)
    _ = Self.send("x", as: .offset(seq: 4), &outbox, pipe)
    #expect(outbox.dropped == 4)
    pipe.room = .max
    _ = outbox.flush(at: 0, through: pipe.write)
    #expect(outbox.droppedBefore(seq: 5) == 0)
    #expect(outbox.dropped == 4)
  }

  @Test func aPartialLineIsFinishedFirst() {
    var outbox = Outbox()
    let pipe = Pipe(room: 3)
    _ = Self.send("abcdef ", as: .offset(seq: 1), &outbox, pipe)
    _ = Self.send("second ", as: .offset(seq: 2), &outbox, pipe)
    #expect(outbox.droppedBefore(seq: 3) == 1)
    _ = Self.send("third ", as: .offset(seq: 3), &outbox, pipe)
    pipe.room = 2
    _ = outbox.flush(at: 0, through: pipe.write)
    #expect(pipe.text == "abcde")
    pipe.room = .max
    _ = outbox.flush(at: 0, through: pipe.write)
    #expect(pipe.text == "abcdef third ")
  }

  @Test func eventsQueueUpToTheLimit() {
    var outbox = Outbox()
    let pipe = Pipe(room: 0)
    for _ in 0..<64 { #expect(Self.send("e", as: .event, &outbox, pipe) == .ok) }
    #expect(Self.send("g", as: .gate, &outbox, pipe) == .ok)
    #expect(Self.send("e", as: .event, &outbox, pipe) == .overflow)
  }

  @Test func timeLimitRestartsWithEveryByte() {
    var outbox = Outbox()
    let pipe = Pipe(room: 0)
    _ = Self.send("abc", as: .event, at: 1_000, &outbox, pipe)
    #expect(outbox.deadline == 10_000_001_000)
    _ = Self.send("abc", as: .event, at: 5_000_000_000, &outbox, pipe)
    #expect(outbox.deadline == 10_000_001_000)
    pipe.room = 1
    _ = outbox.flush(at: 9_000_000_000, through: pipe.write)
    #expect(outbox.deadline == 19_000_000_000)
  }

  @Test func aGoneClientIsReported() {
    var outbox = Outbox()
    let pipe = Pipe()
    pipe.isGone = true
    #expect(Self.send("e", as: .event, &outbox, pipe) == .gone)
  }

  /// However many bytes are accepted and when: whole lines arrive in order, the last one always, and
  /// `dropped` explains every gap.
  @Test func droppedExplainsEveryGap() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<300 {
      var outbox = Outbox()
      let pipe = Pipe(room: 0)
      let last = UInt64.random(in: 1...40, using: &generator)
      for seq in 0...last {
        if Bool.random(using: &generator) {
          pipe.room = Int.random(in: 0...30, using: &generator)
        }
        _ = outbox.flush(at: 0, through: pipe.write)
        let missed = outbox.droppedBefore(seq: seq)
        _ = Self.send("\(seq):\(missed)\n", as: .offset(seq: seq), &outbox, pipe)
      }
      pipe.room = .max
      _ = outbox.flush(at: 0, through: pipe.write)
      var expected: UInt64 = 0
      for line in pipe.text.split(separator: "\n") {
        let numbers = line.split(separator: ":").compactMap { UInt64($0) }
        #expect(
          numbers.count == 2 && numbers[0] == expected + numbers[1], generator.commented(line))
        expected = numbers[0] + 1
      }
      #expect(expected == last + 1, generator.commented(pipe.text))
    }
  }
}
