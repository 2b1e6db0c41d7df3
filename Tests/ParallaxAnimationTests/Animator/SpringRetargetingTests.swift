import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

@Suite("A spring with another target") struct SpringRetargetingTests {
  private static let spring = Spring(responseSeconds: 0.5, damping: 0.825)

  /// animations/golden/spring_retarget.csv: 0 -> 1, at 0.2 s back to 0, in each row.
  @Test(.needsShared, arguments: [true, false])
  func `goes on as the golden table says`(isVelocityKept: Bool) throws {
    let table = try NamedTable("spring_retarget", rows: 61)
    let suffix = isVelocityKept ? "preserved" : "naive"
    var spring = RetargetableSpring(Self.spring, value: 0, atNanoseconds: 0)
    spring.retarget(to: 1, atNanoseconds: 0)
    var isBack = false
    for row in table.rows {
      let now = Int64((try row["t"] * 1e9).rounded())
      if now >= 200_000_000, !isBack {
        spring.retarget(to: 0, velocity: isVelocityKept ? nil : 0, atNanoseconds: 200_000_000)
        isBack = true
      }
      let (value, velocity) = (try row["x_" + suffix], try row["v_" + suffix])
      // The table's times have 9 decimals; at rest it counts as there, within 0.001 of its way.
      let isAtRest = spring.isAtRest(atNanoseconds: now)
      let tolerance = isAtRest ? Spring.restDistance : 1e-8
      #expect(abs(spring.value(atNanoseconds: now) - value) < tolerance, "\(row)")
      guard !isAtRest else { continue }
      #expect(abs(spring.velocity(atNanoseconds: now) - velocity) < 1e-7, "\(row)")
    }
  }

  /// Under its own formula a spring with the energy E = (v^2 + w^2 d^2) / 2 is never faster than
  /// V = sqrt(2 E), and its speed changes by no more than (1 + 2 z) w V a second.
  @Test(arguments: [(0.5, 0.2), (0.5, 0.825), (0.3, 1), (1, 3)])
  func `10 000 random targets: neither value nor velocity jumps`(
    response: Double, damping: Double
  ) {
    var random = SeededGenerator.forTest()
    let w = 2 * Double.pi / response
    var spring = RetargetableSpring(
      Spring(responseSeconds: response, damping: damping), value: 0, atNanoseconds: 0)
    var now: Int64 = 0
    var (value, velocity) = (0.0, 0.0)
    for number in 0..<10_000 {
      // Now and then long enough to come to rest, mostly in the middle.
      now += Int64.random(in: 0...(number % 50 == 0 ? 20_000_000_000 : 300_000_000), using: &random)
      // At rest it is put onto its target: the step of 0.001 of its way that resting means.
      let isAtRest = spring.isAtRest(atNanoseconds: now)
      (value, velocity) = (
        spring.value(atNanoseconds: now), spring.velocity(atNanoseconds: now)
      )
      #expect(value.isFinite && velocity.isFinite)
      if isAtRest { #expect(value == spring.target && velocity == 0) }
      spring.retarget(to: .random(in: -100...100, using: &random), atNanoseconds: now)
      let distance = value - spring.target
      let fastest = (velocity * velocity + w * w * distance * distance).squareRoot()
      let (valueAfter, velocityAfter) = (
        spring.value(atNanoseconds: now), spring.velocity(atNanoseconds: now)
      )
      let jump = max(abs(valueAfter - value), abs(velocityAfter - velocity) / w)
      guard jump < 1e-10 else {
        Issue.record("a jump of \(jump) at target \(number); \(random.note)")
        return
      }
      let dt = 0.001
      let soon = now + 1_000_000
      let moved = abs(spring.value(atNanoseconds: soon) - value)
      let turned = abs(spring.velocity(atNanoseconds: soon) - velocity)
      let rounding = 1e-9 * (1 + fastest)
      guard
        spring.isAtRest(atNanoseconds: soon)
          || moved <= fastest * dt + rounding
            && turned <= (1 + 2 * damping) * w * fastest * dt + rounding
      else {
        Issue.record("\(moved), \(turned) within 1 ms at target \(number); \(random.note)")
        return
      }
    }
  }

  /// From rest it lasts as long as a step by the same spring without a duration does.
  @Test(arguments: [(0.5, 0.825), (0.3, 0.2), (1, 1), (0.5, 4)])
  func `from rest it comes to rest as a step does`(response: Double, damping: Double) {
    let spring = Spring(responseSeconds: response, damping: damping)
    for distance in [1, -300, 1e-6] {
      let rest = spring.restSeconds(distance: distance, velocity: 0)
      #expect(abs(rest - spring.settlingSeconds) < 1e-9 * rest)
    }
  }

  @Test func `behind its rest it never leaves the target by more than 0.001 of its way`() {
    var random = SeededGenerator.forTest()
    for _ in 0..<1000 {
      let spring = Spring(
        responseSeconds: .random(in: 0.05...3, using: &random),
        damping: .random(in: 0.05...5, using: &random))
      let distance = Double.random(in: -10...10, using: &random)
      let velocity = Double.random(in: -100...100, using: &random)
      let rest = spring.restSeconds(distance: distance, velocity: velocity)
      let swing = velocity / spring.angularFrequency
      let amplitude = (distance * distance + swing * swing).squareRoot()
      for share in stride(from: 1.0, to: 3, by: 0.01) {
        let there = spring.transition(rest * share).apply(distance: distance, velocity: velocity)
        if there.distance.magnitude > amplitude * Spring.restDistance * (1 + 1e-6) {
          Issue.record("\(spring), \(distance), \(velocity): \(random.note)")
          return
        }
      }
    }
  }

  @Test func `what is no number is no target`() {
    var spring = RetargetableSpring(Self.spring, value: 3, atNanoseconds: 0)
    for target in [Double.nan, .infinity, -.infinity] {
      spring.retarget(to: target, atNanoseconds: 5)
      #expect(spring.target == 3)
      #expect(spring.value(atNanoseconds: 10) == 3)
    }
  }
}

@Suite("A pose on springs") struct SpringAnimatorTests {
  private let ms: Int64 = 1_000_000
  private let there = Pose(offset: PixelOffset(x: 100, y: -50), rotationDegrees: 90)

  private func animator() -> SpringAnimator {
    SpringAnimator(Spring(responseSeconds: 0.3, damping: 0.6), atNanoseconds: 0)
  }

  @Test func `each target is told once what became of it`() {
    let animator = animator()
    var told: [String] = []
    animator.animate(to: there, atNanoseconds: 0) { told.append("there \($0)") }
    animator.advance(toNanoseconds: 100 * ms)
    let (pose, velocity) = (animator.pose, animator.velocity)
    animator.animate(to: .rest, atNanoseconds: 100 * ms) { told.append("back \($0)") }
    #expect(told == ["there current"])
    for channel in PoseChannel.allCases {
      #expect(abs(animator.pose[channel] - pose[channel]) < 1e-12)
      #expect(abs(animator.velocity[channel] - velocity[channel]) < 1e-9)
    }
    animator.advance(toNanoseconds: 60_000 * ms)
    #expect(told == ["there current", "back end"])
    #expect(animator.pose == .rest)
    #expect(!animator.isMoving && animator.nextEventNanoseconds == nil)
    animator.advance(toNanoseconds: 90_000 * ms)
    #expect(told.count == 2)
  }

  @Test(arguments: AnimationPosition.allCases)
  func `stopped, it ends where it is told to`(position: AnimationPosition) {
    let animator = animator()
    var told: [AnimationPosition] = []
    animator.animate(to: there, atNanoseconds: 0) { told.append($0) }
    animator.advance(toNanoseconds: 100 * ms)
    let current = animator.pose
    animator.stop(at: position, atNanoseconds: 100 * ms)
    #expect(told == [position])
    let wanted = position == .start ? .rest : position == .end ? there : current
    #expect(animator.pose == wanted)
    animator.advance(toNanoseconds: 5000 * ms)
    #expect(animator.pose == wanted)
    animator.stop(atNanoseconds: 5000 * ms)
    #expect(told == [position])
  }

  @Test func `a target where it is already is reached at once`() {
    let animator = animator()
    var told: [AnimationPosition] = []
    animator.animate(to: .rest, atNanoseconds: 0) { told.append($0) }
    #expect(told == [.end])
  }
}
