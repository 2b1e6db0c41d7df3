// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The rate of a device in a hand or a pocket, without tremor and steps: what remains is bias, or a slow turn.
///
/// Three averages one after the other, each with a time constant of 1 s: a gain of 1/250 at the 1 Hz of a step,
/// less than 1e-5 at the 8 Hz of tremor.
struct SlowMean: Sendable {
  static let timeConstantSeconds = 1.0
  /// How long the averages fill after a start.
  static let settlingSeconds = 2.0

  private var first: AngularRate
  private var second: AngularRate
  private var third: AngularRate
  private let start: MotionInstant

  init(_ rate: AngularRate, at time: MotionInstant) {
    (first, second, third) = (rate, rate, rate)
    start = time
  }

  /// Adds a sample, newer than the last one by `dtSeconds`.
  ///
  /// - Returns: The mean rate, rad/s; nil while the averages fill.
  mutating func add(_ rate: AngularRate, time: MotionInstant, dtSeconds: Double) -> AngularRate? {
    // At first the mean of all samples, so that the first one does not weigh more than the others.
    let seconds = (time - start).seconds
    guard seconds > 0 else { return nil }
    let share = dtSeconds / (min(Self.timeConstantSeconds, seconds) + dtSeconds)
    first = first + (rate - first) * share
    second = second + (first - second) * share
    third = third + (second - third) * share
    return seconds >= Self.settlingSeconds ? third : nil
  }
}

/// The mean rate as evidence of the bias. The averages would show a deliberate turn for ten seconds, so after it
/// they start again.
struct SlowRate: Sendable {
  /// An average that differs from the bias by more than this is a turn, rad/s.
  static let turnLimitRadPerSec = 0.15

  /// An average with the same time constant that never starts again: steps alone are no turn.
  private var turn = AngularRate.zero
  private var mean: SlowMean?

  /// Adds a sample, newer than the last one by `dtSeconds`.
  ///
  /// - Returns: The mean rate, rad/s; nil within 2 s of the first sample and of a turn.
  mutating func add(
    _ rate: AngularRate, time: MotionInstant, dtSeconds: Double, around bias: AngularRate
  ) -> AngularRate? {
    let share = dtSeconds / (SlowMean.timeConstantSeconds + dtSeconds)
    turn = mean == nil ? rate : turn + (rate - turn) * share
    guard mean != nil, turn.isWithin(Self.turnLimitRadPerSec, of: bias) else {
      mean = SlowMean(rate, at: time)
      return nil
    }
    return mean?.add(rate, time: time, dtSeconds: dtSeconds)
  }
}
