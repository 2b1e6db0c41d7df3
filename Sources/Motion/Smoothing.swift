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

extension Smoothing {
  /// The text forms, for help and messages. What is in brackets may be omitted and is then 1.
  package static let forms = [
    "auto[:calm]", "none", "ema:TAU", "one-euro:MINCUTOFF,BETA[,DCUTOFF]",
    "spring:RESPONSE[,DAMPING]",
  ]

  /// One of each kind, with parameters to begin with.
  package static let examples = [
    "auto:normal", "auto:calm", "none", "ema:0.12", "one-euro:1,0.2", "spring:0.5,0.825",
  ]

  /// The text forms in a sentence: `auto[:calm], none, ... or spring:RESPONSE[,DAMPING]`.
  package static var syntax: String { SettingText.alternatives(forms) }

  /// Parses one of `forms`.
  ///
  /// - Throws: an error that lists the forms, or the range of a parameter that is out of it.
  package init(parsing text: String) throws(SettingError) {
    let head = text.prefix { $0 != ":" }
    let tail = text.dropFirst(head.count)
    let cells =
      tail.isEmpty ? [] : tail.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
    let numbers = head == "auto" ? [] : cells.compactMap { SettingText.number($0) }
    func number(
      _ index: Int, in range: ClosedRange<Double>, _ name: String
    ) throws(SettingError) -> Double {
      guard range.contains(numbers[index]) else {
        throw SettingError(
          "\(name) in '\(text)' is out of range; use \(SettingText.text(range.lowerBound)) to "
            + SettingText.text(range.upperBound))
      }
      return numbers[index]
    }
    switch (String(head), numbers.count) {
    case ("auto", 0) where tail.isEmpty || tail == ":normal": self = .auto(.normal)
    case ("auto", 0) where tail == ":calm": self = .auto(.calm)
    case _ where head != "auto" && numbers.count < cells.count:
      throw Self.unknown(text)
    case ("none", 0):
      self = .none
    case ("ema", 1):
      self = .ema(timeConstantSeconds: try number(0, in: Self.secondsRange, "TAU (s)"))
    case ("one-euro", 2...3):
      let minimumCutoff = try number(0, in: Self.hertzRange, "MINCUTOFF (Hz)")
      let beta = try number(1, in: Self.betaRange, "BETA")
      self = .oneEuro(
        OneEuroParameters(
          minimumCutoffHertz: minimumCutoff, betaX: beta, betaY: beta,
          derivativeCutoffHertz: numbers.count == 3
            ? try number(2, in: Self.hertzRange, "DCUTOFF (Hz)") : 1))
    case ("spring", 1...2):
      self = .spring(
        responseSeconds: try number(0, in: Self.secondsRange, "RESPONSE (s)"),
        damping: numbers.count == 2 ? try number(1, in: Self.dampingRange, "DAMPING") : 1)
    default:
      throw Self.unknown(text)
    }
  }

  private static func unknown(_ text: String) -> SettingError {
    SettingError(
      "invalid smoothing '\(text)'; use \(syntax), as in ema:0.12, one-euro:1,0.2 or "
        + "spring:0.5,0.825")
  }

  /// The text that parses to this filter, with every parameter.
  package var text: String { text(number: SettingText.text) }

  /// Returns the text form with numbers in the given form.
  package func text(number: (Double) -> String) -> String {
    switch self {
    case .auto(.normal): "auto"
    case .auto(.calm): "auto:calm"
    case .none: "none"
    case .ema(let seconds): "ema:" + number(seconds)
    case .oneEuro(let parameters):
      "one-euro:"
        + [
          parameters.minimumCutoffHertz, parameters.betaX, parameters.derivativeCutoffHertz,
        ].map(number).joined(separator: ",")
    case .spring(let seconds, let damping): "spring:\(number(seconds)),\(number(damping))"
    }
  }
}
