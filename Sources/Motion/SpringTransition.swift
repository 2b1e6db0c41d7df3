// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The motion of a damped spring over dt, exactly: the linear map (distance, velocity) ->
/// (distance, velocity) of x'' + 2 z w x' + w^2 x = 0.
package struct SpringTransition: Sendable {
  private let distanceFromDistance, distanceFromVelocity: Double
  private let velocityFromDistance, velocityFromVelocity: Double

  /// - Parameters:
  ///   - angularFrequency: w = 2 pi / response, rad/s.
  ///   - damping: z, the fraction of critical damping.
  package init(angularFrequency w: Double, damping z: Double, dtSeconds dt: Double) {
    if z < 1 {
      let wd = w * (1 - z * z).squareRoot()
      let decay = exp(-z * w * dt)
      let c = cos(wd * dt)
      let s = sin(wd * dt) / wd
      distanceFromDistance = decay * (c + z * w * s)
      distanceFromVelocity = decay * s
      velocityFromDistance = -decay * w * w * s
      velocityFromVelocity = decay * (c - z * w * s)
    } else if z == 1 {
      let decay = exp(-w * dt)
      distanceFromDistance = decay * (1 + w * dt)
      distanceFromVelocity = decay * dt
      velocityFromDistance = -decay * w * w * dt
      velocityFromVelocity = decay * (1 - w * dt)
    } else {
      // Two decays, slow and fast. With their difference neither a large z (cancellation) nor one
      // just above 1 (division by almost 0) loses digits.
      let root = (z * z - 1).squareRoot()
      let slow = -w / (z + root)
      let fast = -w * (z + root)
      let slowDecay = exp(slow * dt)
      let fastDecay = exp(fast * dt)
      let mixed = slowDecay * -expm1((fast - slow) * dt) / (slow - fast)
      distanceFromDistance = slowDecay - slow * mixed
      distanceFromVelocity = mixed
      velocityFromDistance = -slow * fast * mixed
      velocityFromVelocity = slow * mixed + fastDecay
    }
  }

  package func apply(distance: Double, velocity: Double) -> (distance: Double, velocity: Double) {
    (
      distanceFromDistance * distance + distanceFromVelocity * velocity,
      velocityFromDistance * distance + velocityFromVelocity * velocity
    )
  }
}
