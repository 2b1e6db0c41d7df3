// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The filter for hand tremor and sensor noise. `auto` works on the samples; the others on the frames, after
/// the first clamp.
package enum Smoothing: Equatable, Sendable {
  /// Still at rest and almost without lag in motion, by `MotionLine` and `RestHold`; in tilt mode the
  /// measured angle itself. The default.
  case auto(AutoVariant)
  case none
  /// Exponential moving average with a time constant in seconds: larger is calmer and later.
  case ema(timeConstantSeconds: Double)
  /// The 1 Euro filter (Casiez, Roussel, Vogel, CHI 2012): calm at rest, quick in motion.
  case oneEuro(OneEuroParameters)
  /// A damped spring that follows the newest sample. `damping` 1 is critical; less overshoots.
  case spring(responseSeconds: Double, damping: Double)

  /// The range of time constants and spring responses, seconds.
  package static let secondsRange = 1e-3...1e3
  /// The range of cutoff frequencies, Hz.
  package static let hertzRange = 1e-3...1e3
  package static let dampingRange = 0.01...100.0
  package static let betaRange = 0.0...1e6

  /// Whether it shows or publishes the slopes of the rate.
  var needsSlopes: Bool {
    switch self {
    case .auto, .none: true
    case .ema, .oneEuro, .spring: false
    }
  }
}

/// The variants of `auto` smoothing.
package enum AutoVariant: Equatable, Sendable {
  case normal
  /// Without hand tremor and vibration, and later, by `TremorFilter`: for vehicles and shaking hands.
  case calm
}

/// Parameters of the 1 Euro filter, named as in the paper.
package struct OneEuroParameters: Equatable, Sendable {
  /// Hz, default 1: lower removes more jitter at rest and lags more in slow motion.
  package var minimumCutoffHertz: Double
  /// Hz per px/s on the x axis: higher follows fast motion sooner.
  package var betaX: Double
  /// Hz per px/s on the y axis.
  package var betaY: Double
  /// Hz, default 1: the cutoff for the speed estimate itself.
  package var derivativeCutoffHertz: Double

  package init(
    minimumCutoffHertz: Double, betaX: Double, betaY: Double, derivativeCutoffHertz: Double
  ) {
    self.minimumCutoffHertz = minimumCutoffHertz
    self.betaX = betaX
    self.betaY = betaY
    self.derivativeCutoffHertz = derivativeCutoffHertz
  }
}

// MARK: - Text form

/// A kind of smoothing, by its name in text.
package enum SmoothingKind: String, CaseIterable, Sendable {
  case auto
  case calm = "auto:calm"
  case none
  case ema
  case oneEuro = "one-euro"
  case spring

  /// A number after the name.
  package struct Parameter: Sendable {
    /// The name in `Smoothing.forms`.
    package let name: String
    /// The unit in messages; empty if it has none.
    package let unit: String
    package let range: ClosedRange<Double>
    /// The value if it is omitted; nil: it must be there.
    package let fallback: Double?

    fileprivate init(
      _ name: String, unit: String = "", _ range: ClosedRange<Double>, fallback: Double? = nil
    ) {
      self.name = name
      self.unit = unit
      self.range = range
      self.fallback = fallback
    }
  }

  package var parameters: [Parameter] {
    switch self {
    case .auto, .calm, .none: []
    case .ema: [Parameter("TAU", unit: "s", Smoothing.secondsRange)]
    case .oneEuro:
      [
        Parameter("MINCUTOFF", unit: "Hz", Smoothing.hertzRange),
        Parameter("BETA", Smoothing.betaRange),
        Parameter("DCUTOFF", unit: "Hz", Smoothing.hertzRange, fallback: 1),
      ]
    case .spring:
      [
        Parameter("RESPONSE", unit: "s", Smoothing.secondsRange),
        Parameter("DAMPING", Smoothing.dampingRange, fallback: 1),
      ]
    }
  }

  /// The name with its parameters: `spring:RESPONSE[,DAMPING]`.
  fileprivate var form: String {
    let required = parameters.filter { $0.fallback == nil }.map(\.name)
    let optional = parameters.filter { $0.fallback != nil }.map { "[,\($0.name)]" }
    guard !required.isEmpty else { return rawValue }
    return "\(rawValue):\(required.joined(separator: ","))\(optional.joined())"
  }
}

extension Smoothing {
  /// The text forms, for help and messages. What is in brackets may be omitted; a number is then 1.
  package static let forms =
    ["auto[:calm]"] + SmoothingKind.allCases.filter { $0 != .auto && $0 != .calm }.map(\.form)

  /// What a text can begin with: a name, or a name with the colon before its parameters.
  package static let words = SmoothingKind.allCases.map { kind in
    kind.parameters.isEmpty ? kind.rawValue : kind.rawValue + ":"
  }

  /// One of each kind, with parameters to begin with.
  package static let examples: [Smoothing] = [
    .auto(.normal), .auto(.calm), .none, .ema(timeConstantSeconds: 0.12),
    Smoothing(.oneEuro, [1, 0.2, 1]), .spring(responseSeconds: 0.5, damping: 0.825),
  ]

  /// The text forms in a sentence: `auto[:calm], none, ... or spring:RESPONSE[,DAMPING]`.
  package static var syntax: String { SettingText.alternatives(forms) }

  package var kind: SmoothingKind {
    switch self {
    case .auto(.normal): .auto
    case .auto(.calm): .calm
    case .none: .none
    case .ema: .ema
    case .oneEuro: .oneEuro
    case .spring: .spring
    }
  }

  /// The values of the kind's parameters.
  package var parameters: [Double] {
    switch self {
    case .auto, .none: []
    case .ema(let seconds): [seconds]
    case .oneEuro(let filter):
      [filter.minimumCutoffHertz, filter.betaX, filter.derivativeCutoffHertz]
    case .spring(let seconds, let damping): [seconds, damping]
    }
  }

  /// - Parameter values: A value in its range for each of the kind's parameters.
  package init(_ kind: SmoothingKind, _ values: [Double]) {
    self =
      switch kind {
      case .auto: .auto(.normal)
      case .calm: .auto(.calm)
      case .none: .none
      case .ema: .ema(timeConstantSeconds: values[0])
      case .oneEuro:
        .oneEuro(
          OneEuroParameters(
            minimumCutoffHertz: values[0], betaX: values[1], betaY: values[1],
            derivativeCutoffHertz: values[2]))
      case .spring: .spring(responseSeconds: values[0], damping: values[1])
      }
  }

  /// Parses one of `forms`, or `auto:normal`.
  ///
  /// - Throws: an error that lists the forms, or the range of a parameter that is out of it.
  package init(parsing text: String) throws(SettingError) {
    if let kind = SmoothingKind(rawValue: text == Self.explicitAuto ? "auto" : text),
      kind.parameters.isEmpty
    {
      self.init(kind, [])
      return
    }
    let name = text.prefix { $0 != ":" }
    let cells = text.dropFirst(name.count + 1).split(
      separator: ",", omittingEmptySubsequences: false)
    let numbers = cells.compactMap { SettingText.number($0) }
    guard let kind = SmoothingKind(rawValue: String(name)), !kind.parameters.isEmpty,
      numbers.count == cells.count, numbers.count <= kind.parameters.count
    else { throw Self.unknown(text) }
    var values: [Double] = []
    for (index, parameter) in kind.parameters.enumerated() {
      guard let value = index < numbers.count ? numbers[index] : parameter.fallback else {
        throw Self.unknown(text)
      }
      values.append(value)
    }
    for (value, parameter) in zip(values, kind.parameters)
    where !parameter.range.contains(value) {
      let unit = parameter.unit.isEmpty ? "" : " (\(parameter.unit))"
      throw SettingError(
        "\(parameter.name)\(unit) in '\(text)' is out of range; use "
          + "\(SettingText.text(parameter.range.lowerBound)) to "
          + SettingText.text(parameter.range.upperBound))
    }
    self.init(kind, values)
  }

  private static func unknown(_ text: String) -> SettingError {
    SettingError(
      "invalid smoothing '\(text)'; use \(syntax), as in ema:0.12, one-euro:1,0.2 or "
        + "spring:0.5,0.825")
  }

  /// The text that parses to this filter, with every parameter.
  package var text: String {
    parameters.isEmpty
      ? kind.rawValue
      : "\(kind.rawValue):\(parameters.map { SettingText.text($0) }.joined(separator: ","))"
  }

  /// The text that SET reads as this filter: there, `auto` is the configured one.
  package var explicitText: String { kind == .auto ? Self.explicitAuto : text }

  private static let explicitAuto = "auto:normal"
}
