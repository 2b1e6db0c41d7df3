// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// How a template prints one value: the part of Python's format specification that numbers of a stream
/// need, `[<>^][+- ][0][WIDTH][.Nf]`.
///
/// A number that rounds to 0 has no minus sign, because a display at rest must not flicker. Halves are
/// rounded away from zero, as everywhere in parallax.
struct FormatSpec: Equatable {
  enum Alignment: Character {
    case left = "<"
    case right = ">"
    case center = "^"
  }

  enum Sign: Character {
    /// Only negative numbers have a sign.
    case minus = "-"
    case plus = "+"
    /// A space in the place of the plus sign.
    case space = " "
  }

  /// nil: numbers to the right, words to the left.
  var alignment: Alignment?
  var sign = Sign.minus
  /// Zeros instead of spaces, after the sign.
  var padsWithZeros = false
  /// The minimum number of characters.
  var width = 0
  /// nil: as many decimals as the stream has.
  var decimals: Int?

  static let maxWidth = 99
  static let maxDecimals = 9

  init() {}

  /// - Throws: the number of characters before the one that is wrong, and the reason.
  init(parsing text: Substring) throws(SpecError) {
    var rest = text
    func failure(_ problem: String) -> SpecError {
      SpecError(offset: text.distance(from: text.startIndex, to: rest.startIndex), problem: problem)
    }
    func number(upTo limit: Int, _ name: String) throws(SpecError) -> Int {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard let value = Int(digits), value <= limit else {
        throw failure("the \(name) must be 0 to \(limit)")
      }
      rest = rest.dropFirst(digits.count)
      return value
    }
    if let first = rest.first, let alignment = Alignment(rawValue: first) {
      self.alignment = alignment
      rest = rest.dropFirst()
    }
    if let first = rest.first, let sign = Sign(rawValue: first) {
      self.sign = sign
      rest = rest.dropFirst()
    }
    if rest.first == "0" {
      guard alignment == nil else {
        throw failure("zeros go before the number; omit the alignment")
      }
      padsWithZeros = true
      rest = rest.dropFirst()
    }
    if rest.first?.isNumber == true { width = try number(upTo: Self.maxWidth, "width") }
    if rest.first == "." {
      rest = rest.dropFirst()
      let start = rest
      decimals = try number(upTo: Self.maxDecimals, "number of decimals")
      guard rest.first == "f" else {
        throw failure("write 'f' after the decimals, as in .\(start.prefix(while: \.isNumber))f")
      }
    }
    if rest.first == "f" {
      decimals = decimals ?? 6
      rest = rest.dropFirst()
    }
    guard let stray = rest.first else { return }
    throw failure("unexpected '\(stray)'; a format is [<>^][+- ][0][WIDTH][.Nf], as in +.1f")
  }

  /// Returns a word, padded to the width.
  func text(_ word: String) -> String { padded(word, alignment ?? .left) }

  /// Returns the text of a number.
  func text(_ value: Double) -> String {
    guard let decimals else {
      return text(magnitude: SettingText.text(value.magnitude), isNegative: value < 0)
    }
    return text(scaled: DecimalText.scaled(value, decimals: decimals), decimals: decimals)
  }

  /// Returns the text of a whole number.
  func text(_ value: UInt64) -> String {
    let zeros = decimals.map { $0 > 0 ? "." + String(repeating: "0", count: $0) : "" } ?? ""
    return text(magnitude: "\(value)\(zeros)", isNegative: false)
  }

  /// Returns the text of an instant in seconds, exact to the nanosecond, with 9 decimals by default.
  func text(_ instant: MotionInstant) -> String {
    let decimals = decimals ?? 9
    let unit = Int64(DecimalText.powerOfTen(9 - decimals))
    let (whole, rest) = instant.nanoseconds.quotientAndRemainder(dividingBy: unit)
    return text(
      scaled: rest.magnitude * 2 >= unit.magnitude ? whole + 1 : whole, decimals: decimals)
  }

  private func text(scaled: Int64, decimals: Int) -> String {
    var buffer = OutputBuffer()
    buffer.append(scaled: Int64(clamping: scaled.magnitude), fixedDecimals: decimals)
    return text(magnitude: buffer.text, isNegative: scaled < 0)
  }

  private func text(magnitude: String, isNegative: Bool) -> String {
    let mark =
      switch (isNegative, sign) {
      case (true, _): "-"
      case (false, .plus): "+"
      case (false, .space): " "
      case (false, .minus): ""
      }
    let missing = width - mark.count - magnitude.count
    if padsWithZeros, missing > 0 {
      return mark + String(repeating: "0", count: missing) + magnitude
    }
    return padded(mark + magnitude, alignment ?? .right)
  }

  private func padded(_ text: String, _ alignment: Alignment) -> String {
    let missing = max(0, width - text.count)
    let before =
      switch alignment {
      case .left: 0
      case .right: missing
      case .center: missing / 2
      }
    return String(repeating: " ", count: before) + text
      + String(repeating: " ", count: missing - before)
  }
}

/// What is wrong with a format specification.
struct SpecError: Error, Equatable {
  /// The number of characters before the error.
  let offset: Int
  let problem: String
}
