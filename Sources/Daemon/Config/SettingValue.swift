// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// A value as written, before its key reads it.
package enum SettingValue: Equatable, Sendable {
  /// From the command line or the environment, of the key's type.
  case text(String)
  case string(String)
  case integer(Int64)
  case float(Double)
  case boolean(Bool)
  case dateTime
  case array
  case table
}

extension SettingValue {
  /// The value as on the command line: `on`, `5`, `ema:0.1`.
  package var text: String {
    switch self {
    case .text(let text), .string(let text): text
    case .boolean(let flag): flag ? "on" : "off"
    case .integer(let number): "\(number)"
    case .float(let number): SettingText.text(number)
    case .dateTime, .array, .table: ""
    }
  }

  /// The value as TOML: `"tilt"`, `30`, `true`.
  package var toml: String {
    switch self {
    case .text(let text), .string(let text): TomlText.quoted(text)
    case .boolean(let flag): flag ? "true" : "false"
    default: text
    }
  }
}

// Reading a value as a type. `allowed` describes the key's values and ends each message.
extension SettingValue {
  /// The value's description in messages.
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

  /// Reads a finite number, whole or not.
  func number(
    in range: ClosedRange<Double>, allowed: SettingKey.Description
  ) throws(SettingError) -> Double {
    let value: Double
    switch self {
    case .integer(let integer): value = Double(integer)
    case .float(let float): value = float
    case .text(let text):
      guard let number = SettingText.number(text) else { throw wrongType(.number, allowed) }
      value = number
    default: throw wrongType(.number, allowed)
    }
    // NaN is not in any range.
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
      guard let integer = Int64(text) else { throw wrongType(.wholeNumber, allowed) }
      value = integer
    default: throw wrongType(.wholeNumber, allowed)
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
    default: throw wrongType(.boolean, allowed)
    }
  }

  func string(allowed: SettingKey.Description) throws(SettingError) -> String {
    switch self {
    case .text(let text), .string(let text):
      guard text.utf8.count <= TomlDocument.lineLimit else {
        throw SettingError(
          "the value has \(text.utf8.count) bytes, which is too long; use \(allowed())")
      }
      guard !text.unicodeScalars.contains("\0") else {
        throw SettingError("the value contains a NUL character; use \(allowed())")
      }
      return text
    default: throw wrongType(.string, allowed)
    }
  }

  /// Whether this is a number: by type in a file, by text elsewhere.
  var isNumber: Bool {
    switch self {
    case .integer, .float: true
    case .text(let text): SettingText.number(text) != nil
    default: false
    }
  }

  /// The number of a text such as `5px`; nil for other values.
  private var numberBeforeUnit: String? {
    switch self {
    case .text(let text), .string(let text): SettingText.numberBeforeUnit(text)
    default: nil
    }
  }

  /// The types of values, as messages name them.
  private enum ValueType: String {
    case number, boolean
    case wholeNumber = "whole number"
    case string = "string in quotes"
  }

  private func wrongType(
    _ expected: ValueType, _ allowed: SettingKey.Description
  ) -> SettingError {
    let isNumeric = expected == .number || expected == .wholeNumber
    var advice = "use \(allowed())"
    if isNumeric, case .string(let text) = self, SettingText.number(text) != nil {
      advice = "remove the quotes and \(advice)"
    } else if isNumeric, let number = numberBeforeUnit {
      advice = "write \(number), without a unit; \(advice)"
    }
    return SettingError("expected a \(expected.rawValue), got \(name); \(advice)")
  }
}
