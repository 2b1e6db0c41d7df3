#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Tilt mode: the angle turned, leaking back to 0 with the time constant T, so that neither drift nor
/// a new way of holding the device shifts the picture for good.
///
/// r_k = r_{k-1} e^{-dt/T} + q_k T (1 - e^{-dt/T}): the exact solution of r' = q - r/T over dt with q
/// held at the newest sample.
struct TiltIntegral: Sendable {
  private var timeConstantSeconds: Double
  private var lastTime: Int64 = 0
  private var angle = DrivingMotion.zero
  /// What is being eased away: the integral as it was when recentring began, decaying as it would
  /// have, weighted by a share that falls to 0. The sum stays continuous, and what is turned
  /// meanwhile counts in full.
  private var leaving = DrivingMotion.zero
  private var recentreStart: Int64?
  private var fadeNanoseconds: Int64

  init(timeConstantSeconds: Double, fadeSeconds: Double) {
    self.timeConstantSeconds = timeConstantSeconds
    fadeNanoseconds = Int64((fadeSeconds * 1e9).rounded())
  }

  /// Takes the rate `motion` (rad/s) at `time` and gives the angle (rad), 0 at a segment's start.
  mutating func add(time: Int64, motion: DrivingMotion, startsSegment: Bool) -> DrivingMotion {
    if startsSegment {
      angle = .zero
      leaving = .zero
      recentreStart = nil
    } else {
      let seconds = Double(time - lastTime) * 1e-9
      let kept = exp(-seconds / timeConstantSeconds)
      let gained = -expm1(-seconds / timeConstantSeconds) * timeConstantSeconds
      angle = DrivingMotion(
        a: angle.a * kept + motion.a * gained, b: angle.b * kept + motion.b * gained)
      leaving = DrivingMotion(a: leaving.a * kept, b: leaving.b * kept)
    }
    lastTime = time
    return output(at: time)
  }

  mutating func recentre(at time: Int64) {
    let now = output(at: time)
    leaving = now
    angle = .zero
    recentreStart = time
  }

  mutating func reconfigure(timeConstantSeconds: Double, fadeSeconds: Double) {
    self.timeConstantSeconds = timeConstantSeconds
    fadeNanoseconds = Int64((fadeSeconds * 1e9).rounded())
  }

  private mutating func output(at time: Int64) -> DrivingMotion {
    guard let start = recentreStart else { return angle }
    let elapsed = max(0, time - start)
    guard elapsed < fadeNanoseconds else {
      recentreStart = nil
      leaving = .zero
      return angle
    }
    let share = 1 - CubicBezier.easeInOut.value(at: Double(elapsed) / Double(fadeNanoseconds))
    return DrivingMotion(a: angle.a + share * leaving.a, b: angle.b + share * leaving.b)
  }
}
