// SPDX-License-Identifier: Apache-2.0

import ParallaxTime

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Estimates a gyroscope's bias whenever the device is at rest, and subtracts it.
///
/// Only steadiness distinguishes a rest from a slow turn. So the first estimate requires a longer
/// rest than the later ones, and these accept only a rate that is nearly corrected already: a slow
/// pan is never taken for bias. The method (deviation from the mean over a window of 1.5 s) follows
/// VQF (Laidig and Seel 2023, parameters `restMinT`, `restThGyr`, `biasClip`); docs/sensors.md has
/// the figures.
struct BiasEstimator: Sendable {
  /// The length of the first rest, and the largest bias that it may show.
  static let firstWindowSeconds = 3.0
  static let firstLimitRadPerSec = 0.4
  /// The length of later rests, and the largest corrected rate that they may show.
  static let laterWindowSeconds = 1.5
  static let laterLimitRadPerSec = 0.1
  /// The time constant with which the bias follows later estimates.
  static let laterTimeConstantSeconds = 2.0

  private(set) var state: BiasState
  private var rest = RestDetector(.lying)
  private var lastTime = MotionInstant.zero

  init(_ state: BiasState) {
    self.state = state
  }

  /// Returns the rate (after the mount matrix) without the bias as known at this sample.
  mutating func correct(_ rate: AngularRate, time: MotionInstant, startsSegment: Bool)
    -> AngularRate
  {
    guard case .auto(let known) = state else { return rate }
    if startsSegment { rest.removeAll() }
    let seconds = known == nil ? Self.firstWindowSeconds : Self.laterWindowSeconds
    var estimate = known
    if let mean = rest.add(rate, time: time, span: MotionDuration(seconds: seconds)) {
      estimate = updated(known, towards: mean, dtSeconds: (time - lastTime).seconds)
    }
    lastTime = time
    state = .auto(estimate)
    guard let bias = estimate else { return rate }
    return AngularRate(x: rate.x - bias.x, y: rate.y - bias.y, z: rate.z - bias.z)
  }

  private func updated(
    _ known: AngularRate?, towards mean: AngularRate, dtSeconds: Double
  ) -> AngularRate? {
    guard let bias = known else {
      return mean.isWithin(Self.firstLimitRadPerSec, of: .zero) ? mean : nil
    }
    let left = AngularRate(x: mean.x - bias.x, y: mean.y - bias.y, z: mean.z - bias.z)
    guard left.isWithin(Self.laterLimitRadPerSec, of: .zero) else { return bias }
    let share = -expm1(-dtSeconds / Self.laterTimeConstantSeconds)
    return AngularRate(
      x: bias.x + share * left.x, y: bias.y + share * left.y, z: bias.z + share * left.z)
  }
}
