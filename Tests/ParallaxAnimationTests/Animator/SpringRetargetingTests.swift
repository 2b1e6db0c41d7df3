// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxAnimation
import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@Suite("Retargetable springs") struct SpringRetargetingTests {
  private static let spring = Spring(responseSeconds: 0.5, damping: 0.825)

  /// Golden/animation/spring_retarget.csv: 0 -> 1, and back to 0 at 0.2 s.
  @Test(arguments: [true, false])
  func rowsEqualTheTable(isVelocityKept: Bool) throws {
    let table = try NamedTable("spring_retarget", rows: 61)
    let suffix = isVelocityKept ? "preserved" : "naive"
    var spring = RetargetableSpring(Self.spring, value: 0, restDistance: 0.001, at: 0)
    spring.retarget(to: 1, at: 0)
    var isBack = false
    for row in table.rows {
      let now = instant(try row["t"])
      if now >= 200_000_000, !isBack {
        spring.retarget(to: 0, velocity: isVelocityKept ? nil : 0, at: 200_000_000)
        isBack = true
      }
      let (value, velocity) = (try row["x_" + suffix], try row["v_" + suffix])
      // The times of the table have 9 decimals.
      let isAtRest = spring.isAtRest(at: now)
      let tolerance = isAtRest ? 0.001 : 1e-8
      #expect(abs(spring.value(at: now) - value) < tolerance, "\(row)")
      guard !isAtRest else { continue }
      #expect(abs(spring.velocity(at: now) - velocity) < 1e-7, "\(row)")
    }
  }

  /// A spring with the energy E = (v^2 + w^2 d^2) / 2 is never faster than V = sqrt(2 E), and its
  /// velocity changes by at most (1 + 2 z) w V per second.
  @Test(arguments: [(0.5, 0.2), (0.5, 0.825), (0.3, 1), (1, 3)])
  func randomTargetsCauseNoJump(
    response: Double, damping: Double
  ) {
    var random = SeededGenerator.forTest()
    let w = 2 * Double.pi / response
    var spring = RetargetableSpring(
      Spring(responseSeconds: response, damping: damping), value: 0, at: 0)
    var now: MotionInstant = 0
    var (value, velocity) = (0.0, 0.0)
    for number in 0..<10_000 {
      // Mostly in motion, sometimes long enough to come to rest.
      let longest: Int64 = number % 50 == 0 ? 20_000_000_000 : 300_000_000
      now += .nanoseconds(.random(in: 0...longest, using: &random))
      // At rest, the value is the target: a step of at most 0.01.
      let isAtRest = spring.isAtRest(at: now)
      (value, velocity) = (
        spring.value(at: now), spring.velocity(at: now)
      )
      #expect(value.isFinite && velocity.isFinite)
      if isAtRest { #expect(value == spring.target && velocity == 0) }
      spring.retarget(to: .random(in: -100...100, using: &random), at: now)
      let distance = value - spring.target
      let fastest = (velocity * velocity + w * w * distance * distance).squareRoot()
      let (valueAfter, velocityAfter) = (
        spring.value(at: now), spring.velocity(at: now)
      )
      let jump = max(abs(valueAfter - value), abs(velocityAfter - velocity) / w)
      guard jump < 1e-10 else {
        Issue.record("a jump of \(jump) at target \(number); \(random.note)")
        return
      }
      let dt = 0.001
      let soon = now + .milliseconds(1)
      let moved = abs(spring.value(at: soon) - value)
      let turned = abs(spring.velocity(at: soon) - velocity)
      let rounding = 1e-9 * (1 + fastest)
      guard
        spring.isAtRest(at: soon)
          || moved <= fastest * dt + rounding
            && turned <= (1 + 2 * damping) * w * fastest * dt + rounding
      else {
        Issue.record("\(moved), \(turned) within 1 ms at target \(number); \(random.note)")
        return
      }
    }
  }

  /// From rest, it takes as long as a step with the same spring and no duration.
  @Test(arguments: [(0.5, 0.825), (0.3, 0.2), (1, 1), (0.5, 4)])
  func restTimeEqualsThatOfAStep(response: Double, damping: Double) {
    let spring = Spring(responseSeconds: response, damping: damping)
    for px in [1.0, -300, 2000] {
      var retargetable = RetargetableSpring(spring, value: 0, at: 0)
      retargetable.retarget(to: px, at: 0)
      let step = Curve.spring(spring).naturalSeconds(for: .moveBy(PixelOffset(x: px, y: 0)))
      #expect(abs(retargetable.rest.seconds(since: 0) - step) < 1e-8)
      #expect(spring.settlingDuration(distance: px) == Duration(clampingSeconds: step))
    }
  }

  @Test func targetsThatAreNotFiniteAreIgnored() {
    var spring = RetargetableSpring(Self.spring, value: 3, at: 0)
    for target in [Double.nan, .infinity, -.infinity] {
      spring.retarget(to: target, at: 5)
      #expect(spring.target == 3)
      #expect(spring.value(at: 10) == 3)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func otherNumbersThatAreNotFiniteAreIgnored(number: Double) {
    let spring = RetargetableSpring(Self.spring, value: number, at: 0)
    #expect(spring.value(at: 5) == 0 && spring.target == 0)
    var moving = RetargetableSpring(Self.spring, value: 0, at: 0)
    moving.retarget(to: 100, at: 0)
    var same = moving
    same.retarget(to: 50, at: instant(0.1))
    moving.retarget(to: 50, velocity: number, at: instant(0.1))
    #expect(moving == same)
  }
}

@Suite("Spring animators") struct SpringAnimatorTests {
  private let target = Pose(offset: PixelOffset(x: 100, y: -50), rotationDegrees: 90)

  private func animator() -> SpringAnimator<Pose> {
    SpringAnimator(Spring(responseSeconds: 0.3, damping: 0.6), at: 0)
  }

  @Test func completionsAreCalledOnce() {
    let animator = animator()
    var endings: [String] = []
    animator.animate(to: target, at: 0) { endings.append("first \($0)") }
    animator.advance(to: instant(0.1))
    let (pose, velocity) = (animator.pose, animator.velocity)
    animator.animate(to: .rest, at: instant(0.1)) { endings.append("second \($0)") }
    #expect(endings == ["first current"])
    for channel in PoseChannel.allCases {
      #expect(abs(animator.pose[channel] - pose[channel]) < 1e-12)
      #expect(abs(animator.velocity[channel] - velocity[channel]) < 1e-9)
    }
    animator.advance(to: instant(60))
    #expect(endings == ["first current", "second end"])
    #expect(animator.pose == .rest)
    #expect(!animator.isMoving && animator.nextEvent == nil)
    animator.advance(to: instant(90))
    #expect(endings.count == 2)
  }

  @Test(arguments: AnimationPosition.allCases)
  func stopEndsAtThePosition(position: AnimationPosition) {
    let animator = animator()
    var endings: [AnimationPosition] = []
    animator.animate(to: target, at: 0) { endings.append($0) }
    animator.advance(to: instant(0.1))
    let current = animator.pose
    animator.stop(at: position, at: instant(0.1))
    #expect(endings == [position])
    let expected = position == .start ? .rest : position == .end ? target : current
    #expect(animator.pose == expected)
    animator.advance(to: instant(5))
    #expect(animator.pose == expected)
    animator.stop(at: .current, at: instant(5))
    #expect(endings == [position])
  }

  @Test func releasedInMotionItEndsWhereItIs() {
    var endings: [AnimationPosition] = []
    do {
      let animator = animator()
      animator.animate(to: target, at: 0) { endings.append($0) }
      #expect(endings.isEmpty)
    }
    #expect(endings == [.current])
  }

  @Test func currentPoseIsReachedAtOnce() {
    let animator = animator()
    var endings: [AnimationPosition] = []
    animator.animate(to: .rest, at: 0) { endings.append($0) }
    #expect(endings == [.end])
  }
}
