// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// Springs of any value follow the same laws.
@Suite("Springs of any value") struct ValueSpringTests {
  private static let spring = Spring(response: .seconds(0.4), damping: 0.5)

  /// Critically damped and released at rest, the distance is d (1 + w t) e^(-w t).
  @Test(arguments: sampleValues) func springsFollowTheirFormula(type: any SampleValue.Type) {
    func test<Value: SampleValue>(_: Value.Type) {
      let (start, end) = (sample(Value.self, 1), sample(Value.self, 2))
      var spring = RetargetableSpring(
        Spring(response: .seconds(0.4), damping: 1), value: start, at: 0)
      spring.retarget(to: end, at: instant(1))
      let w = 2 * Double.pi / 0.4
      for t in [0.0, 0.05, 0.1, 0.2] {
        let value = spring.value(at: instant(1 + t)).numbers
        let velocity = spring.velocity(at: instant(1 + t)).numbers
        for index in 0..<Value.count {
          let distance = start.numbers[index] - end.numbers[index]
          let expected = end.numbers[index] + distance * (1 + w * t) * exponential(-w * t)
          #expect(abs(value[index] - expected) <= 100 * Value.tolerance)
          let slope = -distance * w * w * t * exponential(-w * t)
          #expect(abs(velocity[index] - slope) <= 1000 * Value.tolerance)
        }
      }
      #expect(spring.value(at: spring.rest) == end && spring.velocity(at: spring.rest) == .zero)
    }
    test(type)
  }

  /// Each number of a value is on a spring of its own; until all of them are at rest, they differ by what is not seen.
  @Test(arguments: sampleValues) func numbersMoveAlone(type: any SampleValue.Type) {
    func test<Value: SampleValue>(_: Value.Type) {
      let stops = (0...3).map { sample(Value.self, $0) }
      var whole = RetargetableSpring(Self.spring, value: stops[0], at: 0)
      var own = stops[0].numbers.map {
        RetargetableSpring(Self.spring, value: $0, restDistance: 1e-6, at: 0)
      }
      for (index, stop) in stops.enumerated() {
        let now = instant(Double(index) * 0.13)
        whole.retarget(to: stop, at: now)
        for (number, target) in stop.numbers.enumerated() {
          own[number].retarget(to: target, at: now)
        }
        for seconds in [0.0, 0.01, 0.1, 0.5, 2] {
          let later = now + .seconds(seconds)
          for (number, spring) in own.enumerated() {
            let distance = whole.value(at: later).numbers[number] - spring.value(at: later)
            #expect(abs(distance) <= 0.01 + 100 * Value.tolerance)
          }
        }
      }
    }
    test(type)
  }

  /// What is not seen is in the unit of the value.
  @Test func restIsMeasuredInTheUnitOfTheValue() {
    func rest<Value: Animatable>(_ value: Value, within distance: Double? = nil) -> MotionInstant {
      var spring = RetargetableSpring<Value>(
        Self.spring, value: .zero, restDistance: distance ?? Value.restDistance, at: 0)
      spring.retarget(to: value, at: 0)
      return spring.rest
    }
    #expect(rest(100.0) == rest(PixelOffset(x: 60, y: 80)))
    #expect(rest(100.0, within: 0.1) < rest(100.0))
    #expect(rest(100.0, within: 0.1) == rest(SIMD2(0.0, 1000), within: 1))
    #expect(rest(1.0, within: 0.0001) == rest(LinearColor(red: 0, green: 0, blue: 0, alpha: 1)))
    // Without a length, what matters is the share of the way.
    #expect(rest(Camera(pan: 1)) == rest(2000.0) && rest(Camera(zoom: 1e6)) == rest(2000.0))
    #expect(rest(5.0, within: .nan) == rest(5.0) && rest(5.0, within: -1) == rest(5.0))
    // Of a pose, each channel has its own.
    #expect(rest(Pose(rotationDegrees: 100, scale: 0, opacity: 0)) == rest(100.0, within: 0.001))
  }

  /// A channel of a pose that is at rest is exactly at its target, while the others still move.
  @Test func channelsOfAPoseRestAlone() {
    let animator = SpringAnimator(Self.spring, at: 0)
    animator.animate(
      to: Pose(offset: PixelOffset(x: 1, y: 0), rotationDegrees: 300), at: 0)
    var x = RetargetableSpring(Self.spring, value: 0, at: 0)
    x.retarget(to: 1, at: 0)
    animator.advance(to: x.rest + .microseconds(1))
    #expect(animator.pose.offset.x == 1 && animator.velocity.offset.x == 0)
    #expect(animator.isMoving && animator.pose.rotationDegrees != 300)
  }

  @Test(
    .enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"), arguments: sampleValues)
  func framesDoNotAllocate(type: any SampleValue.Type) {
    func test<Value: SampleValue>(_: Value.Type) {
      let animator = SpringAnimator(Self.spring, value: sample(Value.self, 1), at: 0)
      animator.animate(to: sample(Value.self, 2), at: 0)
      var sum = Value.zero
      func frames() {
        var tick = 0
        while tick < 100 {
          animator.advance(to: MotionInstant(nanoseconds: Int64(tick) * 1_000_000))
          sum = sum + animator.value + animator.velocity
          tick += 1
        }
      }
      // Once before counting: the runtime creates the metadata of a type at its first use.
      frames()
      #expect(AllocationCount.during(frames) == 0)
    }
    test(type)
  }

  @Test(arguments: sampleValues) func animatorsReportEachTargetOnce(type: any SampleValue.Type) {
    func test<Value: SampleValue>(_: Value.Type) {
      let (start, first, second) = (
        sample(Value.self, 1), sample(Value.self, 2), sample(Value.self, 3)
      )
      let animator = SpringAnimator(Self.spring, value: start, at: 0)
      var endings: [AnimationPosition] = []
      #expect(animator.value == start && !animator.isMoving)
      animator.animate(to: first, at: 0) { endings.append($0) }
      animator.animate(to: second, at: instant(0.1)) { endings.append($0) }
      animator.advance(to: instant(30))
      #expect(animator.value == second && animator.velocity == .zero)
      animator.animate(to: first, at: instant(40)) { endings.append($0) }
      animator.stop(at: .start, at: instant(40.1))
      #expect(animator.value == second)
      #expect(endings == [.current, .end, .start])
    }
    test(type)
  }
}

/// e^x, by its series.
private func exponential(_ x: Double) -> Double {
  var (sum, term) = (1.0, 1.0)
  for n in 1...80 {
    term *= x / Double(n)
    sum += term
  }
  return sum
}
