// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// How a value is read, written and described, wherever it is on a line.
package struct FieldFormat<Value>: Sendable {
  package typealias Read = @Sendable (JSONNode, _ isStrict: Bool) throws(JSONShapeError) -> Value
  package typealias Write = @Sendable (Value, inout OutputBuffer) -> Void

  package let schema: @Sendable () -> FieldSchema
  package let read: Read
  package let write: Write
  /// Whether null is a value rather than an absent field.
  let takesNull: Bool

  init(
    _ schema: @autoclosure @escaping @Sendable () -> FieldSchema, takesNull: Bool = false,
    read: @escaping Read, write: @escaping Write
  ) {
    self.schema = schema
    self.takesNull = takesNull
    self.read = read
    self.write = write
  }
}

/// The schema of a value.
package indirect enum FieldSchema: Sendable {
  /// In the words of JSON Schema.
  case rules(JSONObject)
  case list(of: FieldSchema, rules: JSONObject)
  /// An object whose members have the same form.
  case map(of: FieldSchema, names: FieldSchema, description: String, rules: JSONObject)
  case group(any FieldGroup.Type)
  /// Words: in an answer, a later release may have more, so they are examples.
  case words([String])
  /// Words that other modules define.
  case vocabulary(Vocabulary)
  case alternatives([FieldSchema])
  case either(request: FieldSchema, answer: FieldSchema)

  package enum Vocabulary: Sendable {
    case settings
    case gateReasons
  }
}

extension FieldFormat<String> {
  static let text = text(rules: [:])

  /// - Parameter rules: What the schema says about it, besides its type.
  static func text(rules: JSONObject) -> Self { text(.rules(rules.adding("type", "string"))) }

  package static func text(_ schema: FieldSchema) -> Self {
    FieldFormat(
      schema, read: { (node, _) throws(JSONShapeError) in try node.string() },
      write: { $1.append(jsonString: $0) })
  }

  /// The id of a document or an animation.
  static let id = text(rules: ["pattern": #"^[A-Za-z0-9._-]{1,128}$"#])
}

extension FieldFormat<Bool> {
  static let flag = FieldFormat(
    .rules(["type": "boolean"]),
    read: { (node, _) throws(JSONShapeError) in try node.bool() },
    write: { $1.append(jsonBool: $0) })
}

extension FieldFormat<Double> {
  /// A number.
  ///
  /// - Parameters:
  ///   - decimals: The most that are written; nil: as many as it needs.
  ///   - limit: The largest magnitude, of values whose sums must be finite.
  ///   - range: The values of a request, and of the schema.
  ///   - limits: The range in words.
  ///   - rules: What else the schema says.
  static func number(
    decimals: Int? = nil, limit: Double = .infinity, in range: ClosedRange<Double>? = nil,
    limits: String? = nil, rules: JSONObject = [:]
  ) -> Self {
    FieldFormat(
      .rules(numberRules(range, rules)),
      read: { (node, isStrict) throws(JSONShapeError) in
        let value = try node.number()
        guard value.magnitude <= limit, value.isFinite else {
          throw node.error("\(value) is out of range")
        }
        guard isStrict, let range, !range.contains(value) else { return value }
        let limits = limits ?? "\(range.lowerBound) to \(range.upperBound)"
        throw node.error("\(value) is out of range; use \(limits)")
      },
      write: { value, buffer in
        guard let decimals else { return buffer.append(jsonNumber: value) }
        buffer.append(
          scaled: DecimalText.scaled(value, decimals: decimals), trimmedDecimals: decimals)
      })
  }

  /// No value of the protocol is near 1e9; sums of smaller ones are finite.
  static var sumLimit: Double { 1e9 }

  private static func numberRules(_ range: ClosedRange<Double>?, _ rules: JSONObject) -> JSONObject
  {
    var all: JSONObject = ["type": "number"]
    if let range {
      if range.lowerBound.isFinite { all = all.adding("minimum", .number(range.lowerBound)) }
      if range.upperBound.isFinite { all = all.adding("maximum", .number(range.upperBound)) }
    }
    return JSONObject(all.members + rules.members)
  }

  /// Hz.
  static let rate = number(
    decimals: 3, limit: sumLimit, rules: ["exclusiveMinimum": 0])
}

extension FieldFormat where Value: FixedWidthInteger & Sendable {
  /// A whole number.
  ///
  /// - Parameter range: The values, for the schema.
  static func integer(in range: PartialRangeFrom<Int64> = 0...) -> Self {
    FieldFormat(
      .rules(["type": "integer", "minimum": .integer(range.lowerBound)]),
      read: { (node, _) throws(JSONShapeError) in
        guard let value: Value = try node.wholeNumber() else { throw node.error("out of range") }
        return value
      },
      write: { value, buffer in
        if Value.isSigned {
          buffer.append(integer: Int64(clamping: value))
        } else {
          buffer.append(unsigned: UInt64(clamping: value))
        }
      })
  }
}

extension FieldFormat
where
  Value: CaseIterable & RawRepresentable & Sendable, Value.RawValue == String,
  Value.AllCases: Sendable
{
  /// One of the words of an enumeration.
  static var word: Self { word(.words(words)) }

  /// The words in their order.
  static var words: [String] { Value.allCases.map(\.rawValue) }

  static func word(_ schema: @autoclosure @escaping @Sendable () -> FieldSchema) -> Self {
    FieldFormat(
      schema(), read: { (node, _) throws(JSONShapeError) in try node.choice() },
      write: { $1.append(jsonString: $0.rawValue) })
  }
}

extension FieldFormat where Value: FieldGroup {
  /// An object.
  static var group: Self {
    FieldFormat(
      .group(Value.self),
      read: { (node, isStrict) throws(JSONShapeError) in
        try FieldReader.read(node, isStrict: isStrict)
      },
      write: { $1.append(group: $0) })
  }
}

extension FieldFormat {
  /// A list.
  ///
  /// - Parameter rules: What the schema says about it, besides its elements.
  static func list<Element>(
    of element: FieldFormat<Element>, rules: JSONObject = [:]
  ) -> Self where Value == [Element] {
    FieldFormat(
      .list(of: element.schema(), rules: rules),
      read: { (node, isStrict) throws(JSONShapeError) in
        var elements: [Element] = []
        for node in try node.elements() { elements.append(try element.read(node, isStrict)) }
        return elements
      },
      write: { elements, buffer in
        buffer.append(byte: UInt8(ascii: "["))
        for (index, each) in elements.enumerated() {
          if index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
          element.write(each, &buffer)
        }
        buffer.append(byte: UInt8(ascii: "]"))
      })
  }
}

extension FieldFormat<MotionInstant> {
  /// Seconds of CLOCK_MONOTONIC, to the nanosecond.
  static let seconds = FieldFormat(
    .rules(["type": "number", "minimum": 0]),
    read: { (node, _) throws(JSONShapeError) in
      MotionInstant(nanoseconds: try node.nanoseconds())
    },
    write: { $1.append(seconds: $0) })
}
