// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

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

  private static let angularFrequency = 2 * Double.pi * naturalHertz

  private var x = Axis()
  private var y = Axis()
  private var z = Axis()
  private var lastTime = MotionInstant.zero

  private struct Axis {
    var input = 0.0
    var position = 0.0
    /// rad/s per second.
    var velocity = 0.0

    mutating func start(_ rate: Double) {
      input = rate
      position = rate
      velocity = 0
    }

    mutating func step(_ rate: Double, _ transition: SpringTransition) -> Double {
      let held = (input + rate) / 2
      let (distance, speed) = transition.apply(distance: position - held, velocity: velocity)
      position = held + distance
      velocity = speed
      input = rate
      // x''/w^2 from the equation above.
      let acceleration =
        rate - position - 2 * TremorFilter.damping / TremorFilter.angularFrequency * speed
      return position + TremorFilter.residue * acceleration
    }
  }

  /// Returns the filtered rate at a sample, newer than the last one.
  mutating func step(
    _ rate: AngularRate, time: MotionInstant, startsSegment: Bool
  ) -> AngularRate {
    defer { lastTime = time }
    guard !startsSegment else {
      x.start(rate.x)
      y.start(rate.y)
      z.start(rate.z)
      return rate
    }
    let transition = SpringTransition(
      angularFrequency: Self.angularFrequency, damping: Self.damping,
      dtSeconds: (time - lastTime).seconds)
    return AngularRate(
      x: x.step(rate.x, transition), y: y.step(rate.y, transition), z: z.step(rate.z, transition))
  }
}
