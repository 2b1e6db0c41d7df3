// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxTestSupport
import Testing

@testable import ParallaxTrace

/// Reads a rate as in a row; nil unless the whole text is a number.
private func rate(_ text: String, mark: String = ".") -> Double? {
  parse(text) { RateText.read($0, &$1, mark: mark.utf8.first ?? 0) }
}

extension TimeText.Value {
  fileprivate static func nanoseconds(_ count: Int64) -> Self {
    .instant(MotionInstant(nanoseconds: count))
  }
}

private func time(_ text: String, _ scale: TimeScale) -> TimeText.Value? {
  parse(text) { TimeText.read($0, &$1, mark: UInt8(ascii: "."), scale: scale) }
}

private func parse<Value>(
  _ text: String, _ read: (borrowing RawSpan, inout Int) -> Value?
) -> Value? {
  let bytes = Array(text.utf8) + [UInt8](repeating: UInt8(ascii: "\n"), count: 24)
  var at = 0
  let value = read(bytes.span.bytes, &at)
  return at == text.utf8.count ? value : nil
}

@Suite("Numbers in traces")
struct NumberTests {
  @Test(
    arguments: [
      "0", "-0", "-0.00", "0.1", "1.6232e-035", "1.42469663191404E+018", "5.", ".5", "+1", "1e5",
      // Halfway between two doubles, just below and just above.
      "9007199254740993", "9007199254740993.0", "9007199254740992.9999999999999999999",
      "9007199254740993.0000000000000000001",
      "0.500000000000000166533453693773481063544750213623046875",
      "0.5000000000000001665334536937734810635447502136230468749",
      "0.5000000000000001665334536937734810635447502136230468751",
      "1.00000000000000011102230246251565404236316680908203125",
      "9007199254740991", "9007199254740992", "9007199254740994.5", "9007199254740995.5",
      // The limits of the fast paths.
      "9007199254740993e-1", "9007199254740993e22", "1e22", "1e23", "1e-22", "1e-23",
      "9999999999999999999e-19", "9999999999999999999e-20", "1234567890123456789.5",
      "18446744073709551615", "18446744073709551616", "99999999999999999999",
      // Denormals, the smallest and the largest double, and numbers beyond.
      "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
      "2.2250738585072011e-308", "2.2250738585072014e-308", "1.7976931348623157e308",
      "1.7976931348623158e308", "1.7976931348623159e308", "1e309", "-1e999999999999", "1e-400",
      "-1e-999999999999", "0e999999", "0.000000000000000000000000000000000000123456789e40",
      "0.99999999999999994448884876874217297881841659545898437500",
    ])
  func hardNumbersAreCorrectlyRounded(text: String) {
    let expected = Double(text.hasSuffix(".") ? text + "0" : text)
    #expect(rate(text)?.bitPattern == expected?.bitPattern)
    let comma = text.replacing(".", with: ",")
    #expect(rate(comma, mark: ",")?.bitPattern == expected?.bitPattern)
  }

  @Test(
    arguments: ["", "-", "+", ".", "e5", "1e", "1e+", "--1", "0x10", "1.2.3", "na", "infinit", " "])
  func otherTextIsNotANumber(text: String) {
    #expect(rate(text) == nil)
  }

  @Test(arguments: ["nan", "NaN", "-nan", "inf", "-Infinity", "+INF"])
  func wordsAreNonfinite(text: String) {
    #expect(rate(text)?.isFinite == false)
  }

  @Test func randomTextsReadAsDoubleReadsThem() {
    var generator = SeededGenerator.forTest()
    func digits(_ range: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: range, using: &generator)).map { _ in
          Character(UnicodeScalar(UInt8.random(in: 48...57, using: &generator)))
        })
    }
    for index in 0..<150_000 {
      var text = Bool.random(using: &generator) ? "-" : ""
      switch index % 6 {
      case 0: text += digits(1...3) + "." + digits(1...18)
      case 1: text += "0." + digits(14...20)
      case 2: text += digits(1...1) + "." + digits(9...9) + "E-" + digits(1...1)
      case 3: text += digits(1...25) + "." + digits(0...30) + "0e" + digits(1...3)
      case 4: text += digits(1...20) + "e-" + digits(1...3)
      default:
        // The shortest text of a random double.
        text = Double(bitPattern: .random(in: 0...UInt64.max, using: &generator)).description
        guard !text.contains("nan"), !text.contains("inf") else { continue }
      }
      let expected = Double(text)
      let got = rate(text)
      if got?.bitPattern != expected?.bitPattern {
        Issue.record("\(text): \(String(describing: got)) \(generator.note)")
        return
      }
    }
  }

  @Test func timesAreRoundedFromTheText() {
    var generator = SeededGenerator.forTest(salt: 1)
    let units: [TimeUnit] = [.seconds, .milliseconds, .microseconds, .nanoseconds]
    for _ in 0..<100_000 {
      let bits = Int.random(in: 1...60, using: &generator)
      let whole = UInt64.random(in: 0...(UInt64(1) << UInt64(bits)), using: &generator)
      let extra = Int.random(in: 0...12, using: &generator)
      let rest = String(
        (0..<extra).map { _ in
          Character(UnicodeScalar(UInt8.random(in: 48...57, using: &generator)))
        })
      let isNegative = Bool.random(using: &generator)
      let up: UInt64 = (rest.utf8.first ?? 0) >= UInt8(ascii: "5") ? 1 : 0
      let magnitude = Int64(whole + up)
      // All digits with the point at a random place, and an exponent that compensates for it.
      let all = "\(whole)\(rest)"
      let unit = units.randomElement(using: &generator) ?? .seconds
      let point = Int.random(in: 0...all.count, using: &generator)
      let exponent = all.count - point - extra - unit.scale.exponent
      let text =
        (isNegative ? "-" : "") + (point == 0 ? "0" : "") + all.prefix(point) + "."
        + all.dropFirst(point) + "0E\(exponent)"
      let got = time(text, unit.scale)
      let expected = TimeText.Value.nanoseconds(isNegative ? -magnitude : magnitude)
      if got != expected {
        Issue.record("\(text) \(unit): \(String(describing: got)) \(generator.note)")
        return
      }
    }
  }

  @Test(
    arguments: [
      ("1.42469663191404E+018", .nanoseconds, .nanoseconds(1_424_696_631_914_040_000)),
      ("1699734109.846237400", .seconds, .nanoseconds(1_699_734_109_846_237_400)),
      ("0.0000000005", .seconds, .nanoseconds(1)), ("0.00000000049999", .seconds, .nanoseconds(0)),
      ("-0.0000000005", .seconds, .nanoseconds(-1)), ("-0.0", .seconds, .nanoseconds(0)),
      ("2305843009213693952", .nanoseconds, .nanoseconds(1 << 61)),
      ("2305843009213693953", .nanoseconds, .outOfRange),
      ("2305843009.21369395200000000000", .seconds, .nanoseconds(1 << 61)),
      ("2305843009.21369395249999999999", .seconds, .nanoseconds(1 << 61)),
      ("2305843009.21369395250000000000", .seconds, .outOfRange), ("1e99", .seconds, .outOfRange),
      ("-1e999999999999999999", .seconds, .outOfRange), ("1e-99999", .seconds, .nanoseconds(0)),
      ("99999999999999999999999999999999999999999", .seconds, .outOfRange),
      ("0.000000000000000000000000000000000000000000001e45", .seconds, .nanoseconds(1_000_000_000)),
      ("nan", .seconds, .notFinite), ("-inf", .seconds, .notFinite), ("", .seconds, .notANumber),
      ("abc", .seconds, nil),
    ] as [(String, TimeUnit, TimeText.Value?)])
  func timesAtTheLimits(text: String, unit: TimeUnit, expected: TimeText.Value?) {
    #expect(time(text, unit.scale) == expected)
  }

  @Test(
    arguments: [
      ("3", 25, -1, 8), ("-3", 25, -1, -8), ("1e30", 18, 5, nil), ("0.1", 15, 0, 2),
      ("18446744073709551615", 18_446_744_073_709_551_615, -30, 340_282_367),
      ("99999999999999999999999", 3, -10, 30_000_000_000_000),
    ] as [(String, UInt64, Int, Int64?)])
  func scaleNeedNotBeAPowerOfTen(text: String, mantissa: UInt64, exponent: Int, expected: Int64?) {
    let value = time(text, TimeScale(mantissa: mantissa, exponent: exponent))
    #expect(value == expected.map { .nanoseconds($0) } ?? .outOfRange)
  }
}
