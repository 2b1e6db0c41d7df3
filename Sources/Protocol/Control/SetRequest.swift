// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// SET: a setting and its value, which only the daemon interprets.
public struct SetRequest: Equatable, Sendable {
  /// `key`: the name of the setting, such as `scale`.
  public var key: String
  /// `value`: in the unit of the configuration.
  public var value: Value

  /// The value of a setting.
  public enum Value: Equatable, Sendable {
    /// As on the command line: `ema:0.1`, but also `5` and `on`; `auto` is the configured value.
    case text(String)
    /// A number in the unit of the configuration.
    case number(Double)
    /// A number without a fraction.
    case integer(Int64)
    /// `on` or `off`.
    case boolean(Bool)

    /// The value as on the command line.
    package var text: String {
      switch self {
      case .text(let text): text
      case .number(let number): SettingText.text(number)
      case .integer(let number): "\(number)"
      case .boolean(let flag): flag ? "on" : "off"
      }
    }
  }

  /// Creates a setting with its value.
  public init(key: String, value: Value) {
    self.key = key
    self.value = value
  }
}

extension SetRequest.Value: ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  /// Creates a text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Creates a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Creates a number without a fraction.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates `on` or `off`.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension SetRequest: ProtocolMessage {
  package static let className = "SET"
  package static let description = "Sets a setting until the daemon ends."
  package static let blank = SetRequest(key: "", value: .text(""))

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required("key", &key, .text(.vocabulary(.settings)), "The setting.")
    try fields.required(
      "value", &value, .setting,
      "As on the command line, in the unit of the configuration; true and false are `on` and "
        + "`off`. `auto` or null: the configuration's value again."
    )
  }
}

extension FieldFormat<SetRequest.Value> {
  fileprivate static let setting = FieldFormat(
    .rules(["type": ["string", "number", "boolean", "null"]]),
    read: { (node, isStrict) throws(JSONShapeError) in
      switch node.value {
      case .string(let text): return .text(text)
      case .integer(let number): return isStrict ? .integer(number) : .number(Double(number))
      case .double, .decimal:
        return .number(try FieldFormat<Double>.number().read(node, isStrict))
      case .bool(let flag): return .boolean(flag)
      case .null: return .text("auto")
      case .array, .object:
        throw node.error("expected a string, a number or a boolean, got \(node.value.kind)")
      }
    },
    write: { value, buffer in
      switch value {
      case .text(let text): buffer.append(jsonString: text)
      case .number(let number): buffer.append(jsonNumber: number)
      case .integer(let number): buffer.append(integer: number)
      case .boolean(let flag): buffer.append(jsonBool: flag)
      }
    })
}

extension FieldFormat<[SetRequest]> {
  /// An object of settings, in alphabetical order. A reader leaves out values of other types, which a later
  /// daemon may have.
  static let settings = FieldFormat(
    .map(
      of: .rules(["type": ["string", "number", "boolean"]]), names: .vocabulary(.settings),
      description: "The value, in the unit of the configuration.", rules: ["type": "object"]),
    read: { (node, isStrict) throws(JSONShapeError) in
      var settings: [SetRequest] = []
      for (key, node) in try node.members().sorted(by: { $0.key < $1.key }) {
        guard let value = try? FieldFormat<SetRequest.Value>.setting.read(node, isStrict) else {
          continue
        }
        settings.append(SetRequest(key: key, value: value))
      }
      return settings
    },
    write: { settings, buffer in
      buffer.append(byte: UInt8(ascii: "{"))
      for (index, setting) in settings.enumerated() {
        if index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
        buffer.append(jsonString: setting.key)
        buffer.append(byte: UInt8(ascii: ":"))
        FieldFormat<SetRequest.Value>.setting.write(setting.value, &buffer)
      }
      buffer.append(byte: UInt8(ascii: "}"))
    })
}
