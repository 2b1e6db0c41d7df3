// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxTestSupport
import Testing

@Suite struct DecimalTextTests {
  @Test(
    arguments: [
      (0.0, "0.000000"), (-0.0, "0.000000"), (-0.0000001, "0.000000"), (1, "1.000000"),
      (-0.5, "-0.500000"), (0.1, "0.100000"), (2.675, "2.675000"), (1e6, "1000000.000000"),
      // Exact halves of the sixth decimal exist only at odd multiples of 1/128.
      (0.0078125, "0.007813"), (-0.0078125, "-0.007813"), (0.0234375, "0.023438"),
      // The product with 10^6 rounds to an exact half, the number itself is not one.
      (0.0000005, "0.000000"), (0.0000015, "0.000002"), (.leastNonzeroMagnitude, "0.000000"),
      (4_503_599_627.370497, "4503599627.370497"), (9e12, "9000000000000.000000"),
      (.nan, "0.000000"), (.infinity, "9223372036854.775807"),
      (-1e300, "-9223372036854.775808"),
    ] as [(Double, String)])
  func sixDecimalsRoundHalfAwayFromZeroWithoutNegativeZero(value: Double, expected: String) {
    var buffer = OutputBuffer()
    buffer.append(value, fixedDecimals: 6)
    let text = buffer.text
    #expect(text == expected)
  }

  /// printf rounds exact halves to even.
  @Test func agreesWithPrintfExceptOnHalves() {
    var state: UInt64 = 0x5EED_0001
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
    var buffer = OutputBuffer()
    for index in 0..<200_000 {
      // Magnitudes from 1e-9 to 1e13 and, every other time, numbers next to a half.
      let value: Double
      if index % 2 == 0 {
        value =
          Double(Int64(bitPattern: next()) >> 11) * 0x1p-53
          * pow(10, Double(next() % 22) - 9)
      } else {
        value = (Double(next() % 1_000_000_000) + 0.5) / 1e6
      }
      guard value.magnitude < 9e12, (value * 128).rounded() != value * 128 else { continue }
      buffer.removeAll()
      buffer.append(value, fixedDecimals: 6)
      var expected = [CChar](repeating: 0, count: 64)
      withVaList([value]) { _ = vsnprintf(&expected, expected.count, "%.6f", $0) }
      var printed = String(decoding: expected.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      if printed == "-0.000000" { printed = "0.000000" }
      let text = buffer.text
      #expect(text == printed, "case \(index), \(value.debugDescription)")
    }
  }

  @Test(
    arguments: [
      (0, "0.000000000"), (1, "0.000000001"), (-1, "-0.000000001"),
      (12_345_678_901, "12.345678901"), (.max, "9223372036.854775807"),
      (.min, "-9223372036.854775808"), (1_760_565_906_248_623_000, "1760565906.248623000"),
    ] as [(Int64, String)])
  func secondsHaveNineDecimals(nanoseconds: Int64, expected: String) {
    var buffer = OutputBuffer()
    buffer.append(seconds: MotionInstant(nanoseconds: nanoseconds))
    buffer.append(byte: UInt8(ascii: " "))
    buffer.append(seconds: MotionDuration(nanoseconds: nanoseconds))
    let text = buffer.text
    #expect(text == "\(expected) \(expected)")
  }

  @Test(
    arguments: [
      (123, 2, "1.23"), (120, 2, "1.2"), (100, 2, "1"), (0, 2, "0"), (-50, 2, "-0.5"),
      (2460, 4, "0.246"), (-1, 4, "-0.0001"), (10_000, 4, "1"), (700, 0, "700"),
    ] as [(Int64, Int, String)])
  func trailingZerosAreTrimmed(scaled: Int64, decimals: Int, expected: String) {
    var buffer = OutputBuffer()
    buffer.append(scaled: scaled, trimmedDecimals: decimals)
    let text = buffer.text
    #expect(text == expected)
  }

  @Test func integersOnBothSidesOfEveryPowerOfTen() {
    var value: UInt64 = 1
    for _ in 0..<20 {
      for candidate in [value &- 1, value, value &+ 1, value | 7] {
        var buffer = OutputBuffer()
        buffer.append(unsigned: candidate)
        let text = buffer.text
        #expect(text == "\(candidate)")
      }
      value = value.multipliedReportingOverflow(by: 10).partialValue
    }
    for value in [Int64.min, -1, 0, 9, 10, .max] {
      var buffer = OutputBuffer()
      buffer.append(integer: value)
      let text = buffer.text
      #expect(text == "\(value)")
    }
  }
}
