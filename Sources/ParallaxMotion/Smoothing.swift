/// How motion is smoothed after the first clamp.
package enum Smoothing: Equatable, Sendable {
  case none
  /// Exponential moving average with a time constant in seconds: larger is calmer and later.
  case ema(timeConstantSeconds: Double)
  /// The 1 Euro filter (Casiez, Roussel, Vogel, CHI 2012): calm at rest, quick in motion.
  case oneEuro(OneEuroParameters)
  /// A damped spring that follows the newest sample. `damping` 1 is critical, below it overshoots.
  case spring(responseSeconds: Double, damping: Double)

  /// Time constants and spring responses lie in this range, seconds.
  package static let secondsRange = 1e-3...1e3
  /// Cutoff frequencies lie in this range, Hz.
  package static let hertzRange = 1e-3...1e3
  package static let dampingRange = 0.01...100.0
  package static let betaRange = 0.0...1e6

  /// Parses `none`, `ema:TAU`, `one-euro:MINCUTOFF,BETA[,DCUTOFF]` or `spring:RESPONSE[,DAMPING]`.
  package init(parsing text: String) throws(SettingError) {
    let allowed =
      "use none, ema:TAU, one-euro:MINCUTOFF,BETA[,DCUTOFF] or spring:RESPONSE[,DAMPING], "
      + "as in ema:0.12, one-euro:1,0.2 or spring:0.5,0.825"
    let head = text.prefix { $0 != ":" }
    let tail = text.dropFirst(head.count)
    let cells =
      tail.isEmpty ? [] : tail.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
    let numbers = cells.compactMap { SettingText.number($0) }
    guard numbers.count == cells.count else {
      throw SettingError("'\(text)' is no smoothing; \(allowed)")
    }
    func inRange(
      _ value: Double, _ range: ClosedRange<Double>, _ name: String
    ) throws(SettingError) -> Double {
      guard range.contains(value) else {
        throw SettingError(
          "\(name) in '\(text)' is out of range; it lies in \(range.lowerBound)...\(range.upperBound)"
        )
      }
      return value
    }
    switch (String(head), numbers.count) {
    case ("none", 0):
      self = .none
    case ("ema", 1):
      self = .ema(timeConstantSeconds: try inRange(numbers[0], Self.secondsRange, "TAU (s)"))
    case ("one-euro", 2...3):
      self = .oneEuro(
        OneEuroParameters(
          minimumCutoffHertz: try inRange(numbers[0], Self.hertzRange, "MINCUTOFF (Hz)"),
          betaX: try inRange(numbers[1], Self.betaRange, "BETA"), betaY: numbers[1],
          derivativeCutoffHertz: numbers.count == 3
            ? try inRange(numbers[2], Self.hertzRange, "DCUTOFF (Hz)") : 1))
    case ("spring", 1...2):
      self = .spring(
        responseSeconds: try inRange(numbers[0], Self.secondsRange, "RESPONSE (s)"),
        damping: numbers.count == 2 ? try inRange(numbers[1], Self.dampingRange, "DAMPING") : 1)
    default:
      throw SettingError("'\(text)' is no smoothing; \(allowed)")
    }
  }

  /// What is used where nothing is said: 1 Euro with MINCUTOFF 1 Hz and, on each axis, BETA
  /// 1 / max(|lo|, hi), so that the filter opens alike whatever the range.
  package static func standard(rangeX: PixelRange, rangeY: PixelRange) -> Smoothing {
    .oneEuro(
      OneEuroParameters(
        minimumCutoffHertz: 1, betaX: 1 / rangeX.reach, betaY: 1 / rangeY.reach,
        derivativeCutoffHertz: 1))
  }
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
