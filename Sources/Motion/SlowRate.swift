// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The mean rate of a device in a hand or a pocket, without tremor and steps: what remains is bias,
/// or a slow turn.
///
/// Three averages one after the other, each with a time constant of 1 s: a gain of 1/250 at the 1 Hz
/// of a step, less than 1e-5 at the 8 Hz of tremor. They would show a deliberate turn for ten seconds,
/// so after it they start again.
struct SlowRate: Sendable {
  static let timeConstantSeconds = 1.0
  /// How long the averages fill after a start.
  static let settlingSeconds = 2.0
  /// An average that differs from the bias by more than this is a turn, rad/s.
  static let turnLimitRadPerSec = 0.15

  /// The first average, but it never starts again: steps alone are no turn.
  private var turn = AngularRate.zero
  private var first = AngularRate.zero
  private var second = AngularRate.zero
  private var third = AngularRate.zero
  private var start: MotionInstant?

  /// Adds a sample, newer than the last one by `dtSeconds`.
  ///
  /// - Returns: The mean rate, rad/s; nil within 2 s of the first sample and of a turn.
  mutating func add(
    _ rate: AngularRate, time: MotionInstant, dtSeconds: Double, around bias: AngularRate
  ) -> AngularRate? {
    let share = dtSeconds / (Self.timeConstantSeconds + dtSeconds)
    turn = start == nil ? rate : turn + (rate - turn) * share
    guard let start, turn.isWithin(Self.turnLimitRadPerSec, of: bias) else {
      (first, second, third) = (rate, rate, rate)
      self.start = time
      return nil
    }
    // At first the mean of all samples, so that the first one does not weigh more than the others.
    let seconds = (time - start).seconds
    let filling = dtSeconds / (min(Self.timeConstantSeconds, seconds) + dtSeconds)
    first = first + (rate - first) * filling
    second = second + (first - second) * filling
    third = third + (second - third) * filling
    return seconds >= Self.settlingSeconds ? third : nil
  }
}
