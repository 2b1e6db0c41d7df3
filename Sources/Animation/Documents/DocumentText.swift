// SPDX-License-Identifier: Apache-2.0

public import ParallaxAnimation
import ParallaxBase

/// The value of a variable of a document, or of a slot of a Lottie file.
///
///     ["strength": 8, "curve": "ease-out", "place": [12, 0]]
public enum DocumentValue: Equatable, Sendable {
  /// A number, in the unit of its place.
  case number(Double)
  /// A text, such as a curve in CSS notation.
  case text(String)
  /// A list, such as `[x, y]` in px.
  case list([DocumentValue])
  /// A curve.
  case curve(Curve)

  var json: JSONValue {
    switch self {
    // As in a text: a whole number has no fraction.
    case .number(let number): Int64(exactly: number).map(JSONValue.integer) ?? .double(number)
    case .text(let text): .string(text)
    case .list(let values): .array(values.map(\.json))
    case .curve(let curve): CurveWriter.value(of: curve)
    }
  }
}

extension DocumentValue: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
  /// Creates a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Creates a number.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  /// Creates a text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Creates a list.
  public init(arrayLiteral elements: DocumentValue...) { self = .list(elements) }
}

extension AnimationDocument {
  /// Reads a document: a native one or a Lottie file.
  ///
  /// - Parameters:
  ///   - text: UTF-8 JSON, at most 1 MiB.
  ///   - name: The file or the id, for messages. Default: `document`.
  ///   - lottieLayer: The layer of a Lottie file to play. Default: the one that moves most of the picture.
  ///   - variables: The values of variables, or of the slots of a Lottie file. Default: those in the
  ///     document.
  /// - Throws: ``DocumentError`` with the place and what is allowed there.
  public init(
    _ text: some Sequence<UInt8>, name: String = "document", lottieLayer: String? = nil,
    variables: [String: DocumentValue] = [:]
  ) throws(DocumentError) {
    self = try DocumentReader.read(
      Array(text), name: name, driver: lottieLayer, mustHaveDriver: lottieLayer != nil,
      variables: VariableValues(variables))
  }
}

extension VariableValues {
  /// In the order of the names.
  package init(_ values: [String: DocumentValue]) {
    self.init(
      JSONObject(
        values.sorted { $0.key < $1.key }
          .map { JSONObject.Member(key: $0.key, value: $0.value.json) }))
  }
}
