// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

/// One of the figures, as it is printed.
struct FeelColumn: Sendable {
  /// What a figure is measured on.
  enum Need: Sendable {
    case motion
    case rest
    case stops
    /// On motion in tilt mode.
    case tilt
  }

  /// In words.
  let name: String
  /// In tables and JSON.
  let short: String
  /// Follows the value, with its space.
  let unit: String
  let decimals: Int
  let needs: Need
  let meaning: String
  let value: @Sendable (FeelFigures) -> Double?

  /// In the heading of a table.
  var tableUnit: String { unit.filter { $0 != " " } }
  var width: Int { max(8, short.count + 2) }

  func applies(to mode: MotionMode) -> Bool { needs != .tilt || mode == .tilt }

  func text(_ value: Double) -> String { Figures.fixed(value, decimals) }

  static let all: [FeelColumn] = [
    FeelColumn(
      name: "lag", short: "lag", unit: " ms", decimals: 1, needs: .motion,
      meaning: "the picture moves this much later than the hand", value: \.lagMilliseconds),
    FeelColumn(
      name: "slow", short: "slow", unit: " ms", decimals: 1, needs: .motion,
      meaning: "the same for the quieter half of the motion", value: \.slowLagMilliseconds),
    FeelColumn(
      name: "err", short: "err", unit: "", decimals: 3, needs: .motion,
      meaning: "RMS error over the motion's own size; 0 is perfect", value: \.error),
    FeelColumn(
      name: "p99", short: "p99", unit: " px", decimals: 2, needs: .motion,
      meaning: "99 of 100 pictures are closer to the ideal than this", value: \.errorPercentile),
    FeelColumn(
      name: "judder", short: "judder", unit: "", decimals: 2, needs: .motion,
      meaning: "unevenness of the steps from picture to picture; 0 is smooth", value: \.judder),
    FeelColumn(
      name: "tremor", short: "tremor", unit: "", decimals: 2, needs: .motion,
      meaning: "gain of hand tremor, 8 to 12 Hz; 1 shows all of it", value: \.tremor),
    FeelColumn(
      name: "rest", short: "rest", unit: " mpx", decimals: 1, needs: .rest,
      meaning: "jitter of a picture at rest, RMS in 0.001 px", value: \.rest),
    FeelColumn(
      name: "step", short: "step", unit: " mpx", decimals: 1, needs: .rest,
      meaning: "its steps from picture to picture, RMS in 0.001 px", value: \.restStep),
    FeelColumn(
      name: "overshoot", short: "over", unit: " %", decimals: 1, needs: .stops,
      meaning: "how far the picture runs past an abrupt stop, of the turn's peak",
      value: \.overshoot),
    FeelColumn(
      name: "settle", short: "settle", unit: " ms", decimals: 0, needs: .stops,
      meaning: "from such a stop until the picture stays in place", value: \.settleMilliseconds),
    FeelColumn(
      name: "onset", short: "onset", unit: " ms", decimals: 1, needs: .stops,
      meaning: "the picture leaves a rest this much later than the hand",
      value: \.onsetMilliseconds),
    FeelColumn(
      name: "windup", short: "windup", unit: " %", decimals: 1, needs: .tilt,
      meaning: "of the motion, the picture stays at the end of the range though it should return",
      value: \.windup),
    FeelColumn(
      name: "reversal", short: "reversal", unit: " ms", decimals: 0, needs: .tilt,
      meaning: "until the picture follows when a turn of up to 170 degrees is reversed",
      value: \.reversalMilliseconds),
    FeelColumn(
      name: "false rest", short: "false", unit: " px", decimals: 2, needs: .stops,
      meaning: "error after a slow turn that was taken for a rest", value: \.falseRestPx),
    FeelColumn(
      name: "frames", short: "frames", unit: " /s", decimals: 1, needs: .stops,
      meaning: "frames per second that the client gets", value: \.framesPerSecond),
  ]
}
