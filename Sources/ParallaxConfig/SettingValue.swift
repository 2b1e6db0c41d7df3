import ParallaxMotion

/// A value as it was written, before a key has read it.
package enum SettingValue: Equatable, Sendable {
  /// From the command line or the environment: whatever type the key has.
  case text(String)
  case string(String)
  case integer(Int64)
  case float(Double)
  case boolean(Bool)
  case dateTime
  case array
  case table
}

/// Reading a value as a type. `allowed` says what the key takes and ends every message.
extension SettingValue {
  /// The value as messages name it.
  var name: String {
    switch self {
    case .text(let text): "'\(text)'"
    case .string(let text): "the string \"\(text)\""
    case .integer(let value): "\(value)"
    case .float(let value): "\(value)"
    case .boolean(let value): "\(value)"
    case .dateTime: "a date or time"
    case .array: "an array"
    case .table: "a table"
    }
  }

  /// A finite number. Whole numbers are numbers too.
  func number(
    in range: ClosedRange<Double>, allowed: SettingKey.Description
  ) throws(SettingError) -> Double {
    let value: Double
    switch self {
    case .integer(let integer): value = Double(integer)
    case .float(let float): value = float
    case .text(let text):
      guard let number = SettingText.number(text) else { throw wrongType("number", allowed) }
      value = number
    default: throw wrongType("number", allowed)
    }
    // NaN is in no range.
    guard range.contains(value) else {
      throw SettingError("\(name) is out of range; use \(allowed())")
    }
    return value
  }

  func integer(in range: ClosedRange<Int>, allowed: SettingKey.Description) throws(SettingError)
    -> Int
  {
    let value: Int64
    switch self {
    case .integer(let integer): value = integer
    case .text(let text):
      guard let integer = Int64(text) else { throw wrongType("whole number", allowed) }
      value = integer
    default: throw wrongType("whole number", allowed)
    }
    guard let small = Int(exactly: value), range.contains(small) else {
      throw SettingError("\(name) is out of range; use \(allowed())")
    }
    return small
  }

  func boolean(allowed: SettingKey.Description) throws(SettingError) -> Bool {
    switch self {
    case .boolean(let value): return value
    case .text("true"), .text("on"): return true
    case .text("false"), .text("off"): return false
    default: throw wrongType("boolean", allowed)
    }
  }

  func string(allowed: SettingKey.Description) throws(SettingError) -> String {
    switch self {
    case .text(let text), .string(let text):
      guard text.utf8.count <= TomlDocument.lineLimit else {
        throw SettingError(
          "\(text.utf8.count) bytes are too long for any value here; use \(allowed())")
      }
      guard !text.unicodeScalars.contains("\0") else {
        throw SettingError("a NUL is in no value here; use \(allowed())")
      }
      return text
    default: throw wrongType("string", allowed)
    }
  }

  /// Whether this is a number written as one (in a file) or that reads as one (elsewhere).
  var isNumber: Bool {
    switch self {
    case .integer, .float: true
    case .text(let text): SettingText.number(text) != nil
    default: false
    }
  }

  private func wrongType(_ wanted: String, _ allowed: SettingKey.Description) -> SettingError {
    if case .string(let text) = self, wanted.hasSuffix("number"), SettingText.number(text) != nil {
      return SettingError("\"\(text)\" in quotes is a string; write it without: \(allowed())")
    }
    if wanted == "string" {
      return SettingError("\(name) is no string; write a string in quotes: \(allowed())")
    }
    return SettingError("\(name) is no \(wanted); use \(allowed())")
  }
}
