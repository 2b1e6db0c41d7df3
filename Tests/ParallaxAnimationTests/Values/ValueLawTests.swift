// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// Animations of any value follow the same laws.
@Suite("Animations of any value") struct ValueLawTests {
  /// Steps, compared with their formulas.
  @Test(arguments: sampleValues) func stepsFollowTheirFormulas(type: any SampleValue.Type) {
    func test<Value: SampleValue>(_: Value.Type) {
      let (start, end) = (sample(Value.self, 1), sample(Value.self, 2))
      func expect(
        _ animation: ValueAnimation<Value>, at seconds: Double,
        _ number: (_ start: Double, _ end: Double) -> Double
      ) {
        let value = Timeline(animation).value(at: .seconds(seconds), from: start)
        for (index, actual) in value.numbers.enumerated() {
          let expected = number(start.numbers[index], end.numbers[index])
          #expect(abs(actual - expected) <= 100 * Value.tolerance, "\(animation) at \(seconds) s")
        }
      }
      let by = ValueAnimation.by(end, duration: .seconds(2), curve: .linear)
      let to = ValueAnimation.to(end, duration: .seconds(2), curve: .linear)
      expect(by, at: -1) { start, _ in start }
      expect(by, at: 0.5) { start, end in start + end / 4 }
      expect(by, at: 2) { start, end in start + end }
      expect(by.repeated(1000), at: 1000) { start, end in start + 500 * end }
      expect(by.reversed(), at: 0.5) { start, end in start - end / 4 }
      expect(by.speed(2).delayed(by: .seconds(1)), at: 1.5) { start, end in start + end / 2 }
      expect(by.with(by), at: 1) { start, end in start + end }
      expect(to, at: 0.5) { start, end in start + (end - start) / 4 }
      expect(to, at: 9) { _, end in end }
      expect(to.reversed(), at: 0.5) { start, end in end + (start - end) / 4 }
      expect(to.then(by), at: 3) { _, end in 1.5 * end }
      expect(to.autoreversed(), at: 3) { start, end in start + (end - start) / 2 }
      expect(.from(end, to: start, duration: .seconds(1), curve: .linear), at: 0.25) { start, end in
        end + (start - end) / 4
      }
      let there = ValueKeyframes<Value>.Frame(share: 0.5, value: end)
      let back = ValueKeyframes<Value>.Frame(share: 1, value: start)
      expect(.keyframes(ValueKeyframes([back, there], duration: .seconds(4))), at: 3) {
        start, end in
        (start + end) / 2
      }
      expect(ValueAnimation(duration: .seconds(1)) { end.scaled(by: $0 * $0) }, at: 0.5) {
        start, end in start + end / 4
      }
    }
    test(type)
  }

  /// Each number of a value moves as a value of its own does.
  @Test(arguments: sampleValues) func numbersMoveAlone(type: any SampleValue.Type) {
    func test<Value: SampleValue>(_: Value.Type) {
      var random = RandomAnimations()
      var moved = 0
      for _ in 0..<500 {
        let recipe = random.recipe()
        let whole = Timeline(recipe.animation { sample(Value.self, $0) })
        let start = sample(Value.self, 10)
        for index in 0..<Value.count {
          let own = Timeline(recipe.animation { sample(Value.self, $0).numbers[index] })
          for _ in 0..<3 {
            let time = Duration.seconds(random.number(-0.1...8))
            let value = whole.value(at: time, from: start).numbers[index]
            let expected = own.value(at: time, from: start.numbers[index])
            if value != start.numbers[index] { moved += 1 }
            let swing = max(100, abs(expected))
            if abs(value - expected) > 100 * Value.tolerance * swing {
              Issue.record("\(recipe) at \(time): \(value), not \(expected); \(random.note)")
            }
          }
          let end = whole.end(from: start).numbers[index]
          let expected = own.end(from: start.numbers[index])
          #expect(
            abs(end - expected) <= 100 * Value.tolerance * max(100, abs(expected)),
            "\(recipe); \(random.note)")
        }
      }
      #expect(moved > 1000 * Value.count, "\(random.note)")
    }
    test(type)
  }

  /// A number moves as the x of a pose does, to the value and to the velocity.
  @Test func numbersMoveAsPoses() {
    var random = RandomAnimations()
    for _ in 0..<2000 {
      let recipe = random.recipe()
      func number(_ step: Int) -> Double { sample(Double.self, step) }
      let (numbers, poses) = (
        Timeline(recipe.animation(number)), Timeline(recipe.animationOfX(number))
      )
      let start = random.number(-50...50)
      let pose = Pose(offset: PixelOffset(x: start, y: 0))
      #expect(numbers.duration == poses.duration, "\(recipe); \(random.note)")
      for _ in 0..<3 {
        let time = Duration.seconds(random.number(-0.1...8))
        let value = numbers.value(at: time, from: start)
        let x = poses.pose(at: time, from: pose).offset.x
        #expect(isNear(value, x) || abs(value - x) < 1e-9, "\(recipe) at \(time); \(random.note)")
        let velocity = numbers.velocity(at: time, from: start)
        let slope = poses.velocity(at: time, from: pose).offset.x
        #expect(
          isNear(velocity, slope) || abs(velocity - slope) < 1e-6,
          "\(recipe) at \(time); \(random.note)")
      }
    }
  }

  /// What only adds is undone by its reversal.
  @Test(arguments: sampleValues) func reversalUndoes(type: any SampleValue.Type) {
    func test<Value: SampleValue>(_: Value.Type) {
      var random = RandomAnimations()
      let start = sample(Value.self, 10)
      for _ in 0..<300 {
        let recipe = random.recipe(onlyBy: true)
        let animation = recipe.animation { sample(Value.self, $0) }
        let end = Timeline(animation.then(animation.reversed())).end(from: start)
        let scale = Timeline(animation).end(from: start).numbers.reduce(100) { max($0, abs($1)) }
        for (a, b) in zip(end.numbers, start.numbers) {
          #expect(abs(a - b) <= 100 * Value.tolerance * scale, "\(recipe); \(random.note)")
        }
      }
    }
    test(type)
  }

  /// A frame does not allocate, also of a type of which this library knows nothing.
  @Test(
    .enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"), arguments: sampleValues)
  func framesDoNotAllocate(type: any SampleValue.Type) {
    func test<Value: SampleValue>(_: Value.Type) {
      let end = sample(Value.self, 1)
      let animation = ValueAnimation<Value> {
        ValueAnimation.by(end, curve: .linear)
        ValueAnimation.together {
          ValueAnimation.to(.zero)
          ValueAnimation.delay(.milliseconds(20))
        }
        ValueAnimation.from(.zero, to: end, curve: .snappy)
      }
      let timeline = Timeline(animation.then(animation.reversed()).autoreversed().repeatedForever())
      var sum = Value.zero
      func frames() {
        var tick = 0
        while tick < 300 {
          let seconds = Double(tick) / 60
          sum = sum + timeline.value(at: seconds) + timeline.velocity(at: seconds)
          tick += 1
        }
      }
      // Once before counting: the runtime creates the metadata of a type at its first use.
      frames()
      #expect(AllocationCount.during(frames) == 0)
    }
    test(type)
  }

  /// A step with a spring lasts until it is at rest.
  @Test func springsLastUntilTheyAreAtRest() {
    func duration<Value: Animatable>(_ animation: ValueAnimation<Value>) -> Duration? {
      animation.duration
    }
    let spring = Spring(response: .seconds(0.5), damping: 0.7)
    let curve = Curve.spring(spring)
    #expect(duration(.by(300.0, curve: curve)) == spring.settlingDuration(distance: 300))
    #expect(
      duration(.by(SIMD2(300.0, 400), curve: curve)) == spring.settlingDuration(distance: 500))
    #expect(
      duration(.from(PixelOffset(x: 0, y: 9), to: .zero, curve: curve))
        == spring.settlingDuration(distance: 9))
    // The start, or the length, is not known.
    let typical = spring.settlingDuration(distance: 2000)
    #expect(duration(.to(300.0, curve: curve)) == typical)
    #expect(duration(.by(Camera(pan: 3), curve: curve)) == typical)
    #expect(duration(.by(3.0)) == .milliseconds(250))
  }
}

/// Returns a value that differs from the others in all of its numbers.
func sample<Value: SampleValue>(_: Value.Type, _ step: Int) -> Value {
  Value((0..<Value.count).map { Double((step * 37 + $0 * 61) % 100) - 40.5 })
}
