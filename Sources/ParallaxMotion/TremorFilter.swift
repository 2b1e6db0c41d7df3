// SPDX-License-Identifier: Apache-2.0

import ParallaxTime

/// Removes tremor and vibration around 10 Hz from the rates, for `auto:calm`.
///
/// A damped oscillator x'' + 2 z w x' + w^2 x = w^2 s follows the rate s. The filter's output is
/// x + B x''/w^2, whose gain is exactly 0 at w / sqrt(B) = 10 Hz, at most 0.31 from 8 to 12 Hz, and B far
/// above. Slow motion is late by 2 z / w = 27 ms. Hand tremor is at 8 to 12 Hz (Elble and Koller, "Tremor",
/// 1990); engines and roads add more from there up.
///
/// Each step is the exact solution over dt with the rate held at the mean of its two samples, so that it is
/// stable at any interval.
struct TremorFilter: Sendable {
  /// w / 2 pi.
  static let naturalHertz = 7.0
  /// z.
  static let damping = 0.6
  /// B: (7 Hz / 10 Hz)^2.
  static let residue = 0.49

  private let angularFrequency = 2 * Double.pi * Self.naturalHertz
  private var input = AngularRate.zero
  private var position = AngularRate.zero
  /// rad/s per second.
  private var velocity = AngularRate.zero
  private var lastTime = MotionInstant.zero

  /// Returns the filtered rate at a sample, newer than the last one.
  mutating func step(
    _ rate: AngularRate, time: MotionInstant, startsSegment: Bool
  ) -> AngularRate {
    defer {
      input = rate
      lastTime = time
    }
    guard !startsSegment else {
      position = rate
      velocity = .zero
      return rate
    }
    let transition = SpringTransition(
      angularFrequency: angularFrequency, damping: Self.damping,
      dtSeconds: (time - lastTime).seconds)
    return AngularRate(
      x: step(\.x, to: rate, transition), y: step(\.y, to: rate, transition),
      z: step(\.z, to: rate, transition))
  }

  private mutating func step(
    _ axis: WritableKeyPath<AngularRate, Double>, to rate: AngularRate,
    _ transition: SpringTransition
  ) -> Double {
    let held = (input[keyPath: axis] + rate[keyPath: axis]) / 2
    let (distance, speed) = transition.apply(
      distance: position[keyPath: axis] - held, velocity: velocity[keyPath: axis])
    position[keyPath: axis] = held + distance
    velocity[keyPath: axis] = speed
    // x''/w^2 from the equation above.
    let acceleration =
      rate[keyPath: axis] - position[keyPath: axis] - 2 * Self.damping / angularFrequency * speed
    return position[keyPath: axis] + Self.residue * acceleration
  }
}
