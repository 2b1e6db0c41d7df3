// SPDX-License-Identifier: Apache-2.0

/// Numbers of JSON, from their digits.
enum JSONNumbers {
  /// Returns a whole number; nil beyond `Int64`.
  static func integer(_ digits: UnsafeRawBufferPointer) -> Int64? {
    let isNegative = digits[0] == UInt8(ascii: "-")
    var number: Int64 = 0
    for byte in digits[(isNegative ? 1 : 0)...] {
      let digit = Int64(byte - UInt8(ascii: "0"))
      let (tenfold, overflows) = number.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = tenfold.addingReportingOverflow(isNegative ? -digit : digit)
      if overflows || overflow { return nil }
      number = sum
    }
    return number
  }

  /// 10^0 to 10^22, the powers that a `Double` holds exactly.
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Returns the nearest number; infinite beyond `Double`.
  static func double(_ text: UnsafeRawBufferPointer) -> Double {
    // Up to 2^53 and 10^22, digits and power are exact, and so is the rounding of one operation
    // (William Clinger, "How to Read Floating Point Numbers Accurately", 1990).
    var digits: UInt64 = 0
    var exponent = 0
    var isFraction = false
    var index = text[0] == UInt8(ascii: "-") ? 1 : 0
    while index < text.count, text[index] | 0x20 != UInt8(ascii: "e") {
      let byte = text[index]
      index += 1
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      guard digits < 1 << 53 / 10 else { return slow(text) }
      digits = digits * 10 + UInt64(byte - UInt8(ascii: "0"))
      if isFraction { exponent -= 1 }
    }
    if index < text.count {
      let written = text[(index + 1)...].drop { $0 == UInt8(ascii: "+") }
      guard written.count < 6, let number = Int(String(decoding: written, as: UTF8.self)) else {
        return slow(text)
      }
      exponent += number
    }
    guard exponent.magnitude <= 22 else { return slow(text) }
    let power = powers[Int(exponent.magnitude)]
    let number = exponent < 0 ? Double(digits) / power : Double(digits) * power
    return text[0] == UInt8(ascii: "-") ? -number : number
  }

  /// Returns the nearest number to a text; infinite beyond `Double`.
  static func double(_ text: String) -> Double {
    var text = text
    return text.withUTF8 { double(UnsafeRawBufferPointer($0)) }
  }

  /// Returns a number times a power of ten, rounded half away from zero; nil beyond `Int64`.
  static func scaled(_ text: String, decimals: Int) -> Int64? {
    let bytes = text.utf8.drop { $0 == UInt8(ascii: "-") }
    let mantissa = bytes.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    var exponent = decimals
    if mantissa.endIndex != bytes.endIndex {
      let written = bytes[mantissa.endIndex...].dropFirst().drop { $0 == UInt8(ascii: "+") }
      guard let number = Int(Substring(written)), number.magnitude < 1000 else { return nil }
      exponent += number
    }
    var digits: UInt128 = 0
    var isFraction = false
    for byte in mantissa {
      if byte == UInt8(ascii: ".") {
        isFraction = true
      } else if digits < maxDigits {
        digits = digits * 10 + UInt128(byte - UInt8(ascii: "0"))
        if isFraction { exponent -= 1 }
      } else if !isFraction {
        exponent += 1
      }
    }
    for _ in 0..<max(exponent, 0) where digits != 0 {
      guard digits < maxDigits else { return nil }
      digits *= 10
    }
    var remainder: UInt128 = 0
    for _ in 0..<max(-exponent, 0) {
      (digits, remainder) = digits.quotientAndRemainder(dividingBy: 10)
    }
    if remainder >= 5 { digits += 1 }
    return text.hasPrefix("-") ? Int64(exactly: -Int128(digits)) : Int64(exactly: digits)
  }

  /// Beyond these, further digits do not matter.
  private static let maxDigits: UInt128 = 1_000_000_000_000_000_000_000_000_000_000

  private static func slow(_ text: UnsafeRawBufferPointer) -> Double {
    // The grammar of JSON is a part of Swift's, which reads too large numbers as infinity.
    Double(String(decoding: text, as: UTF8.self)) ?? .infinity
  }
}

/// Strings of JSON and their escape sequences.
enum JSONStrings {
  /// A surrogate without its pair.
  struct LoneSurrogate: Error {
    var message: String
  }

  static func isHexadecimal(_ byte: UInt8) -> Bool { hexadecimal(byte) != nil }

  private static func hexadecimal(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Returns what a letter after a backslash stands for; nil for `u` and all others.
  static func replacement(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// Returns a string without its escape sequences, which are well formed.
  static func unescaped(_ content: Slice<UnsafeRawBufferPointer>) -> Result<String, LoneSurrogate> {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.count)
    var index = content.startIndex
    /// Reads four digits after `\u`.
    func unit(at index: Int) -> UInt32 {
      content[index..<index + 4].reduce(0) { $0 << 4 | (hexadecimal($1) ?? 0) }
    }
    while index < content.endIndex {
      guard content[index] == UInt8(ascii: "\\") else {
        bytes.append(content[index])
        index += 1
        continue
      }
      if let byte = replacement(content[index + 1]) {
        bytes.append(byte)
        index += 2
        continue
      }
      var value = unit(at: index + 2)
      index += 6
      let first = "\\u\(hexadecimal(value))"
      if (0xD800...0xDBFF).contains(value) {
        guard index + 5 < content.endIndex, content[index] == UInt8(ascii: "\\"),
          content[index + 1] == UInt8(ascii: "u")
        else { return .failure(LoneSurrogate(message: "invalid Unicode '\(first)'")) }
        let low = unit(at: index + 2)
        guard (0xDC00...0xDFFF).contains(low) else {
          return .failure(
            LoneSurrogate(message: "invalid Unicode '\(first)\\u\(hexadecimal(low))'"))
        }
        value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        index += 6
      }
      guard let scalar = Unicode.Scalar(value) else {
        return .failure(LoneSurrogate(message: "invalid Unicode '\(first)'"))
      }
      bytes.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
    }
    return .success(String(decoding: bytes, as: UTF8.self))
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  // MARK: - UTF-8

  /// Returns whether a text begins with a scalar.
  static func isScalar(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    var parser = UTF8.ForwardParser()
    var bytes = text.makeIterator()
    if case .valid = parser.parseScalar(from: &bytes) { return true }
    return false
  }

  /// Returns how many bytes at the start of a text are UTF-8.
  static func validCount(_ text: Slice<UnsafeRawBufferPointer>) -> Int {
    var parser = UTF8.ForwardParser()
    var bytes = text.makeIterator()
    var count = 0
    while case .valid(let scalar) = parser.parseScalar(from: &bytes) { count += scalar.count }
    return count
  }

  /// Returns a position, or the end of the scalar in which it is.
  static func endOfScalar(_ text: UnsafeRawBufferPointer, at position: Int) -> Int {
    var end = position
    while end < text.count, end - position < 3, text[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
