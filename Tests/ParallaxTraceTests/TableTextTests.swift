// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import ParallaxTrace
import Testing

/// Many rows at a time have the bytes of one number at a time.
@Suite struct TableTextTests {
  private func expect(
    _ times: [MotionInstant], _ x: [Double], _ y: [Double], from origin: MotionInstant = .zero,
    gain: Double = 1, _ note: String = ""
  ) {
    for hasVelocities in [false, true] {
      var expected = OutputBuffer()
      var frames = FrameColumns(hasVelocities: hasVelocities)
      for index in times.indices {
        let velocity = PixelVelocity(x: y[index], y: -x[index])
        frames.append(
          MotionFrame(
            time: times[index],
            motion: ScreenMotion(
              offset: PixelOffset(x: x[index], y: y[index]), velocity: velocity)))
        let isMoved = x[index] != 0 || y[index] != 0
        let values = [x[index], y[index]] + (isMoved ? [velocity.x, velocity.y] : [0, 0])
        expected.append(seconds: times[index] - origin)
        for value in values.prefix(hasVelocities ? 4 : 2) {
          expected.append(byte: UInt8(ascii: ","))
          expected.append(value * gain, fixedDecimals: 6)
        }
        expected.append(byte: UInt8(ascii: "\n"))
      }
      var rows = OutputBuffer()
      var whole = WholeSeconds()
      let middle = times.count / 3
      rows.append(frames, 0..<middle, from: origin, gain: gain, &whole)
      rows.append(frames, middle..<times.count, from: origin, gain: gain, &whole)
      #expect(rows.text == expected.text, "\(note)")
    }
  }

  @Test func numbersAtTheLimits() {
    let values: [Double] = [
      0, -0.0, 1, -1, 9.999_999_4, 9.999_999_5, -9.999_999_5, 10, 99.999_998, 99.999_999, 100,
      -100, 123_456.789, 1e300, -1e300, .infinity, -.infinity, .nan, 5e-7, 4.9e-7, -5e-7, -4.9e-7,
      0.000_000_5, 1.5e-6, 2.5e-6, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.062_5,
      0.000_001_5, 2_097_152.000_000_476_837, 0x1p-7 + 0x1p-21,
    ]
    for value in values {
      expect([.zero], [value], [1])
      expect([.zero], [1], [value])
      expect([.zero, .zero + .seconds(1)], [value, 2], [value, value], gain: 0.5)
    }
  }

  @Test func timesAtTheLimits() {
    let times: [Int64] = [
      0, 1, 999_999_999, 1_000_000_000, 9_999_999_999, 10_000_000_000, 99_999_999_999_999_999,
      100_000_000_000_000_000, 1 << 60, 5, 1_000_000_000, 100_000_000_000_000_001, 0, -1,
      -1_000_000_000, 7,
    ]
    let instants = times.map { MotionInstant(nanoseconds: $0) }
    let ones = [Double](repeating: 1, count: times.count)
    expect(instants, ones, ones)
    for instant in instants { expect([instant], [1], [1]) }
    expect(instants, ones, ones, from: MotionInstant(nanoseconds: 123_456_789))
  }

  @Test func randomRows() {
    var generator = SeededGenerator.forTest()
    let reaches = [1e-6, 1, 20, 101, 1e6]
    let steps: [Int64] = [1_000, 10_000_000, 3_000_000_000]
    for round in 0..<300 {
      var time: Int64 = .random(in: 0...(1 << 58), using: &generator)
      let origin = MotionInstant(nanoseconds: time)
      let (reach, step) = (reaches[round % reaches.count], steps[round % steps.count])
      var (times, x, y): ([MotionInstant], [Double], [Double]) = ([], [], [])
      for _ in 0..<Int.random(in: 0...400, using: &generator) {
        times.append(MotionInstant(nanoseconds: time))
        time += Int64.random(in: 0...step, using: &generator)
        x.append(.random(in: -reach...reach, using: &generator))
        // Many apparent ties.
        let micro = (Double.random(in: -reach...reach, using: &generator) * 1e6).rounded()
        y.append((micro + 0.5) / 1e6)
      }
      let gain = Bool.random(using: &generator) ? 1 : 0.37
      expect(times, x, y, from: origin, gain: gain, generator.note)
    }
  }
}
