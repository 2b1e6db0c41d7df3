// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxMotion

/// Reads a curve in CSS notation: `ease-out`, `cubic-bezier(.42, 0, .58, 1)`, `steps(4, jump-end)`,
/// `linear(0, .25 75%, 1)`; also `spring(response, damping)`.
enum CurveText {
  private static let named: [(name: String, curve: Curve)] = [
    ("linear", .linear), ("ease", .ease), ("ease-in", .easeIn), ("ease-out", .easeOut),
    ("ease-in-out", .easeInOut), ("step-start", .steps(StepCurve(1, .jumpStart))),
    ("step-end", .steps(StepCurve(1, .jumpEnd))), ("spring", spring(response: nil, damping: nil)),
    ("smooth", .smooth), ("snappy", .snappy), ("bouncy", .bouncy),
  ]

  private static let allowed =
    named.map(\.name).joined(separator: ", ")
    + ", cubic-bezier(x1, y1, x2, y2), steps(n, position), linear(...), spring(response, damping)"

  /// Returns a spring. The defaults are 0.5 s and 0.825.
  static func spring(response: Double?, damping: Double?, velocity: Double? = nil) -> Curve {
    .spring(
      Spring(
        responseSeconds: response ?? 0.5, damping: damping ?? 0.825,
        initialVelocity: velocity ?? 0))
  }

  /// Returns the name of a curve; nil if it has none.
  static func name(of curve: Curve) -> String? { named.first { $0.curve == curve }?.name }

  static func curve(_ text: String) throws(SettingError) -> Curve {
    let bare = trimmed(text[...])
    if let known = named.first(where: { $0.name == bare }) { return known.curve }
    guard let open = bare.firstIndex(of: "("), bare.last == ")" else {
      let guess = NearestName.of(String(bare), among: named.map(\.name))
      throw SettingError(
        "unknown curve \(QuotedText.of(text))\(guess.map { "; did you mean \"\($0)\"?" } ?? ";") "
          + "allowed: \(allowed)")
    }
    let inner = bare[bare.index(after: open)...].dropLast()
    let arguments = inner.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
    switch trimmed(bare[..<open]) {
    case "cubic-bezier": return try bezier(arguments)
    case "steps": return try steps(arguments)
    case "linear": return try points(arguments)
    case "spring": return try spring(arguments)
    default: throw SettingError("unknown curve \(QuotedText.of(text)); allowed: \(allowed)")
    }
  }

  // MARK: - Functions

  private static func bezier(_ arguments: [Substring]) throws(SettingError) -> Curve {
    guard arguments.count == 4 else {
      throw SettingError("cubic-bezier() takes x1, y1, x2, y2, not \(arguments.count) values")
    }
    return .bezier(
      CubicBezier(
        x1: try number(arguments[0], in: 0...1),
        y1: try number(arguments[1], in: DocumentLimits.progress),
        x2: try number(arguments[2], in: 0...1),
        y2: try number(arguments[3], in: DocumentLimits.progress)))
  }

  private static func steps(_ arguments: [Substring]) throws(SettingError) -> Curve {
    guard (1...2).contains(arguments.count) else {
      throw SettingError("steps() takes a count and a position, as in steps(4, jump-end)")
    }
    let position = arguments.count == 2 ? try position(String(arguments[1])) : .jumpEnd
    let minimum: Int64 = position == .jumpNone ? 2 : 1
    let range = minimum...DocumentLimits.stepCount.upperBound
    guard let count = Int64(arguments[0]), range.contains(count) else {
      throw SettingError(
        "steps(): expected a whole number from \(minimum) to \(range.upperBound), got "
          + QuotedText.of(String(arguments[0])))
    }
    return .steps(StepCurve(Int(count), position))
  }

  /// Returns the position with a name. `start` and `end` are the older names of the first two.
  static func position(_ text: String) throws(SettingError) -> StepCurve.Position {
    switch text {
    case "start": return .jumpStart
    case "end": return .jumpEnd
    default:
      if let position = StepCurve.Position(rawValue: text) { return position }
      let names = StepCurve.Position.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingError(
        "unknown step position \(QuotedText.of(text)); allowed: \(names), start, end")
    }
  }

  private static func points(_ arguments: [Substring]) throws(SettingError) -> Curve {
    guard DocumentLimits.points.contains(arguments.count) else {
      throw SettingError(
        "linear() takes \(DocumentLimits.points.lowerBound) to \(DocumentLimits.points.upperBound) "
          + "points, got \(arguments.count)")
    }
    var stops: [PointCurve.Stop] = []
    for argument in arguments {
      var outputs: [Double] = []
      var inputs: [Double] = []
      for word in argument.split(whereSeparator: \.isWhitespace) {
        if word.last == "%" {
          inputs.append(try number(word.dropLast(), in: -1e5...1e5) / 100)
        } else {
          outputs.append(try number(word, in: DocumentLimits.progress))
        }
      }
      guard outputs.count == 1, inputs.count <= 2 else {
        throw SettingError(
          "linear(): \(QuotedText.of(String(argument))) is not a point; expected a number and at most two "
            + "percentages, as in linear(0, 0.8 25%, 1)")
      }
      if inputs.isEmpty { stops.append(PointCurve.Stop(output: outputs[0])) }
      for input in inputs { stops.append(PointCurve.Stop(output: outputs[0], input: input)) }
    }
    return .points(PointCurve(stops: stops))
  }

  private static func spring(_ arguments: [Substring]) throws(SettingError) -> Curve {
    guard (1...2).contains(arguments.count) else {
      throw SettingError("spring() takes a response (s) and a damping, as in spring(0.5, 0.825)")
    }
    return spring(
      response: try number(arguments[0], in: DocumentLimits.response),
      damping: arguments.count == 2 ? try number(arguments[1], in: DocumentLimits.damping) : nil)
  }

  // MARK: - Text

  private static func number(
    _ text: Substring, in range: ClosedRange<Double>
  ) throws(SettingError) -> Double {
    guard let number = SettingText.number(text), range.contains(number) else {
      throw SettingError(
        "expected a number from \(SettingText.text(range.lowerBound)) to "
          + "\(SettingText.text(range.upperBound)), got \(QuotedText.of(String(text)))")
    }
    return number
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
    return start[...last]
  }
}
