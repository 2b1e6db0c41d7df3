/// One number on a spring that can be given another target at any time and goes on from where it is, as
/// fast as it is: neither its value nor its velocity ever jumps.
///
/// Between two targets it is the exact solution of x'' + 2 z w x' + w^2 (x - target) = 0, so that any
/// time can be asked, in any order.
package struct RetargetableSpring: Equatable, Sendable {
  package private(set) var spring: Spring
  package private(set) var target: Double
  /// When it comes to rest: from then on it stays within 0.001 of its way from the target, and counts
  /// as being there.
  package private(set) var restNanoseconds: Int64

  private var sinceNanoseconds: Int64
  /// From the target, then.
  private var distance: Double
  /// A second, then.
  private var startVelocity: Double

  /// At rest.
  package init(_ spring: Spring, value: Double, atNanoseconds now: Int64) {
    self.spring = spring
    target = value
    sinceNanoseconds = now
    distance = 0
    startVelocity = 0
    restNanoseconds = now
  }

  /// - Parameters:
  ///   - target: what is no number changes nothing.
  ///   - spring: Default: the same one.
  ///   - velocity: a second. Default: the one that it has.
  package mutating func retarget(
    to target: Double, spring: Spring? = nil, velocity: Double? = nil, atNanoseconds now: Int64
  ) {
    guard target.isFinite else { return }
    let motion = motion(atNanoseconds: now)
    self.spring = spring ?? self.spring
    self.target = target
    sinceNanoseconds = now
    distance = motion.value - target
    startVelocity = velocity ?? motion.velocity
    let rest = self.spring.restSeconds(distance: distance, velocity: startVelocity)
    restNanoseconds = instant(now, plusSeconds: rest) ?? .max
  }

  package func isAtRest(atNanoseconds now: Int64) -> Bool { now >= restNanoseconds }

  package func value(atNanoseconds now: Int64) -> Double { motion(atNanoseconds: now).value }

  /// A second.
  package func velocity(atNanoseconds now: Int64) -> Double { motion(atNanoseconds: now).velocity }

  /// Before the last retargeting it is as it was then.
  private func motion(atNanoseconds now: Int64) -> (value: Double, velocity: Double) {
    if isAtRest(atNanoseconds: now) { return (target, 0) }
    let motion = spring.transition(seconds(from: sinceNanoseconds, to: now))
      .apply(distance: distance, velocity: startVelocity)
    return (target + motion.distance, motion.velocity)
  }
}

extension Spring {
  /// From when on it stays within `restDistance` of the target, as a share of its amplitude at the
  /// start, which is the distance where it starts from rest.
  func restSeconds(distance: Double, velocity: Double) -> Double {
    let amplitude = amplitude(distance, velocity)
    guard amplitude > 0, amplitude < .infinity else { return 0 }
    let near = amplitude * Self.restDistance
    func motion(_ t: Double) -> (distance: Double, velocity: Double) {
      transition(t).apply(distance: distance, velocity: velocity)
    }
    // The amplitude only falls: past the time when it is small the distance stays small.
    var late = responseSeconds
    while late < 1e9, self.amplitude(motion(late).distance, motion(late).velocity) >= near {
      late *= 2
    }
    late = Self.last(from: 0, to: late) {
      self.amplitude(motion($0).distance, motion($0).velocity) >= near
    }
    // From there back to the last time when it was far, be it for a moment at a turning point.
    let step = max(responseSeconds / 128, late / 4096)
    var early = late
    while early > 0, motion(early).distance.magnitude < near {
      let next = max(0, early - step)
      let sign = motion(early).velocity.sign
      if motion(next).velocity.sign != sign {
        let turn = Self.last(from: next, to: early) { motion($0).velocity.sign != sign }
        if motion(turn).distance.magnitude >= near {
          return Self.last(from: turn, to: early) { motion($0).distance.magnitude >= near }
        }
      }
      early = next
    }
    return Self.last(from: early, to: min(late, early + step)) {
      motion($0).distance.magnitude >= near
    }
  }

  /// When something ends that is so early and not late, by halving; the first time when it is not.
  private static func last(
    from early: Double, to late: Double, _ isSo: (Double) -> Bool
  ) -> Double {
    var (early, late) = (early, late)
    for _ in 0..<60 {
      let middle = early + (late - early) / 2
      if isSo(middle) { early = middle } else { late = middle }
    }
    return late
  }

  /// How far it would swing without damping.
  private func amplitude(_ distance: Double, _ velocity: Double) -> Double {
    let swing = velocity / angularFrequency
    return (distance * distance + swing * swing).squareRoot()
  }
}
