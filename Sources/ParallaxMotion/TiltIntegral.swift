// SPDX-License-Identifier: Apache-2.0

import ParallaxTime

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The angle turned, leaking back to 0 with the time constant T: neither drift nor a new way of
/// holding the device shifts the picture permanently. For tilt mode.
///
/// r_k = r_{k-1} e^{-dt/T} + q_k T (1 - e^{-dt/T}): the exact solution of r' = q - r/T over dt with
/// q held at the newest sample.
struct TiltIntegral: Sendable {
  private let timeConstantSeconds: Double
  private var lastTime = MotionInstant.zero
  private var angle = DrivingMotion.zero
  /// The angle at the start of recentering, which keeps leaking and is weighted by a share that
  /// falls to 0. The sum stays continuous, and motion during recentering counts in full.
  private var leaving = DrivingMotion.zero
  private var recenterStart: MotionInstant?
  private let fade: MotionDuration

  init(timeConstantSeconds: Double, fadeSeconds: Double) {
    self.timeConstantSeconds = timeConstantSeconds
    fade = MotionDuration(seconds: fadeSeconds)
  }

  /// Adds the rate `motion` (rad/s) at `time` and returns the angle (rad), 0 at a segment's start.
  mutating func add(time: MotionInstant, motion: DrivingMotion, startsSegment: Bool)
    -> DrivingMotion
  {
    if startsSegment {
      angle = .zero
      leaving = .zero
      recenterStart = nil
    } else {
      let seconds = (time - lastTime).seconds
      let kept = exp(-seconds / timeConstantSeconds)
      let gained = -expm1(-seconds / timeConstantSeconds) * timeConstantSeconds
      angle = DrivingMotion(
        a: angle.a * kept + motion.a * gained, b: angle.b * kept + motion.b * gained)
      leaving = DrivingMotion(a: leaving.a * kept, b: leaving.b * kept)
    }
    lastTime = time
    return output(at: time)
  }

  mutating func recenter(at time: MotionInstant) {
    let now = output(at: time)
    leaving = now
    angle = .zero
    recenterStart = time
  }

  private mutating func output(at time: MotionInstant) -> DrivingMotion {
    guard let start = recenterStart else { return angle }
    let elapsed = max(.zero, time - start)
    guard elapsed < fade else {
      recenterStart = nil
      leaving = .zero
      return angle
    }
    let share = 1 - CubicBezier.easeInOut.value(at: elapsed / fade)
    return DrivingMotion(a: angle.a + share * leaving.a, b: angle.b + share * leaving.b)
  }
}
