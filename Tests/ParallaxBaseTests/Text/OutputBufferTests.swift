// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

@Suite struct OutputBufferTests {
  @Test func aBufferGrowsLendsItsBytesAndIsReused() {
    var buffer = OutputBuffer(capacity: 1)
    for _ in 0..<1000 {
      buffer.append("abc")
      buffer.append(byte: UInt8(ascii: "d"))
      buffer.append(text: "é")
    }
    let lengths = [buffer.count, buffer.withBytes { $0.count }]
    #expect(lengths == [6000, 6000])
    var texts = [String(buffer.text.prefix(5))]
    buffer.removeAll()
    texts.append(buffer.text)
    buffer.append("line")
    texts.append(buffer.text)
    #expect(texts == ["abcdé", "", "line"])
    let isEmpty = buffer.isEmpty
    #expect(!isEmpty)
  }

  @Test func aReusedBufferAllocatesNothing() {
    guard AllocationCount.isAvailable else { return }
    var buffer = OutputBuffer(capacity: 64)
    for _ in 0..<100 { buffer.append("12345678") }
    let count = AllocationCount.during {
      for _ in 0..<10 {
        buffer.removeAll()
        for index in 0..<100 { buffer.append(unsigned: UInt64(index)) }
      }
    }
    #expect(count == 0)
  }

  @Test func theShortestTextReadsBackAsTheSameNumber() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<10_000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      var buffer = OutputBuffer()
      buffer.append(shortest: value)
      let text = buffer.text
      #expect(Double(text) == value, "\(generator.note)")
    }
  }
}
