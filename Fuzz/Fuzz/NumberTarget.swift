// SPDX-License-Identifier: Apache-2.0

import CFuzzer
import Glibc
import ParallaxBase
@testable import ParallaxTrace

/// Random lines as numbers. Whatever reads a number gives the same double as strtod in the C locale, in
/// every locale: recordings, settings and JSON. A printed number is its exact expansion, rounded.
enum NumberTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.count < 2000 {
      check(Array(line))
    }
    var draw = Draw(bytes)
    while !draw.isAtEnd {
      let value = draw.double()
      checkPrinted(value, decimals: Int(draw.byte() % 10))
    }
  }

  /// Compares that many random decimal numbers with strtod's, and prints a line.
  static func compare(count: Int, seed: UInt64) {
    var numbers = RandomNumbers(state: seed)
    var read = 0
    for _ in 0..<count {
      let text = numbers.next()
      check(text)
      read += isDecimal(text) ? 1 : 0
    }
    print("\(count) numbers from seed \(seed): \(read) read, all equal to strtod's")
  }

  /// Returns strtod's result if it reads all of the text.
  private static func strtodOfAll(_ text: [UInt8]) -> Double? {
    let terminated = text.map { CChar(bitPattern: $0) } + [0]
    return terminated.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return nil }
      var end: UnsafeMutablePointer<CChar>?
      let value = parallax_strtod(start, &end)
      return end == UnsafeMutablePointer(mutating: start + text.count) ? value : nil
    }
  }

  private static func check(_ text: [UInt8]) {
    let isNumber = isDecimal(text)
    let right = isNumber ? strtodOfAll(text) : nil
    require(isNumber == (right != nil), "strtod does not read it")

    // Of a recording: up to where the number ends, with some bytes after it.
    let padded = text + [10] + [UInt8](repeating: 0, count: 24)
    var length = 0
    if let value = RateText.read(padded.span.bytes, &length, mark: UInt8(ascii: ".")) {
      if isNumber { require(length == text.count, "not read to its end") }
      let expected = length > 0 ? strtodOfAll(Array(text[..<length])) : nil
      require(length == 0 || isSame(value, expected), "\(value), not \(expected ?? .nan)")
    } else {
      require(!isNumber, "not read")
    }
    let (powers, exactPowers) = (ParallaxTrace.powers, ParallaxTrace.exactPowers)
    var end = 0
    if let scan = DecimalScan.plain(padded.span.bytes, &end, powers.span) {
      let value =
        RateText.value(of: scan, powers.span, exactPowers.span)
        ?? RateText.readSlowly(padded.span.bytes, 0..<end)
      require(isSame(value ?? .nan, strtodOfAll(Array(text[..<end]))), "another value if plain")
    }

    guard let string = String(validating: text, as: UTF8.self) else { return }
    if let value = SettingText.number(string), let right {
      require(isSame(value, right), "setting: \(value), not \(right)")
    } else if let right, right.isFinite {
      require(SettingText.number(string) != nil, "setting: not read")
    }
    if case .double(let value) = try? JSONValue.parse(string, limits: .streamLine), let right {
      require(isSame(value, right), "JSON: \(value), not \(right)")
    }
  }

  /// Compares the bits, so that -0 differs from 0.
  private static func isSame(_ value: Double, _ expected: Double?) -> Bool {
    guard let expected else { return false }
    return value.bitPattern == expected.bitPattern || value.isNaN && expected.isNaN
  }

  /// [+-]digits[.digits][e[+-]digits], with a digit before or after the point.
  private static func isDecimal(_ text: [UInt8]) -> Bool {
    var rest = text[...]
    func digits() -> Int {
      let count = rest.prefix { (48...57).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    var count = digits()
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      count += digits()
    }
    guard count > 0 else { return false }
    if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty
  }

  /// The printed number is the exact decimal expansion, rounded half away from zero.
  private static func checkPrinted(_ value: Double, decimals: Int) {
    guard value.magnitude < 9e8 else { return }
    var buffer = OutputBuffer()
    buffer.append(value, fixedDecimals: decimals)
    let printed = buffer.withBytes { String(decoding: $0, as: UTF8.self) }
    // A double below 2^30 has at most 1074 decimals.
    var expansion = [CChar](repeating: 0, count: 1200)
    withVaList([value.magnitude]) { _ = vsnprintf(&expansion, 1200, "%.1080f", $0) }
    let digits = expansion.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    // The locale may have another mark.
    let point = digits.count - 1081
    var number = digits[..<point] + digits[(point + 1)...].prefix(decimals)
    if digits[point + 1 + decimals] >= UInt8(ascii: "5") {
      var at = number.count - 1
      while at >= 0, number[at] == UInt8(ascii: "9") {
        number[at] = UInt8(ascii: "0")
        at -= 1
      }
      if at >= 0 { number[at] += 1 } else { number.insert(UInt8(ascii: "1"), at: 0) }
    }
    let isZero = number.allSatisfy { $0 == UInt8(ascii: "0") }
    if decimals > 0 { number.insert(UInt8(ascii: "."), at: number.count - decimals) }
    let right = (value < 0 && !isZero ? "-" : "") + String(decoding: number, as: UTF8.self)
    require(printed == right, "\(value) with \(decimals) decimals: \(printed), not \(right)")
  }
}

/// Decimal numbers of many lengths, near the limits and near ties.
private struct RandomNumbers {
  var state: UInt64

  /// SplitMix64 (Steele, Lea, Flood 2014).
  private mutating func random(below limit: UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return (value ^ value >> 31) % limit
  }

  mutating func next() -> [UInt8] {
    var text: [UInt8] = []
    if random(below: 3) == 0 { text.append(UInt8(ascii: random(below: 4) == 0 ? "+" : "-")) }
    switch random(below: 8) {
    case 0:
      // A double's shortest text, or the exact text of the middle between two.
      let value = Double(bitPattern: random(below: .max)).magnitude
      if value.isFinite { return text + Array(value.description.utf8) }
      text.append(UInt8(ascii: "0"))
    case 1: text += Array(middle().utf8)
    default:
      digits(random(below: 22), &text)
      if random(below: 4) != 0 || text.isEmpty {
        text.append(UInt8(ascii: "."))
        digits(1 + random(below: 24), &text)
      } else {
        text.append(UInt8(ascii: "7"))
      }
    }
    if random(below: 3) == 0 {
      text.append(UInt8(ascii: random(below: 2) == 0 ? "e" : "E"))
      if random(below: 2) == 0 { text.append(UInt8(ascii: random(below: 2) == 0 ? "-" : "+")) }
      text += Array(String(random(below: random(below: 4) == 0 ? 400 : 30)).utf8)
    }
    return text
  }

  private mutating func digits(_ count: UInt64, _ text: inout [UInt8]) {
    for _ in 0..<count { text.append(UInt8(ascii: "0") + UInt8(random(below: 10))) }
  }

  /// Returns a whole number of 54 or 55 bits that ends in a one: exactly between two doubles.
  private mutating func middle() -> String {
    let bits = 54 + random(below: 2)
    let value = 1 << (bits - 1) | random(below: 1 << (bits - 1)) | 1
    return String(value) + ["", ".0", ".00000000000000000001"][Int(random(below: 3))]
  }
}
