// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// The laws of composition, each on ten thousand random animations: both sides have the same
/// duration, pose, velocity and end.
@Suite("Animation algebra") struct AlgebraTests {
  struct Law: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The animations for which it holds.
    let kinds: RandomAnimations.Kinds
    /// Both sides of the equation.
    let sides:
      @Sendable (inout RandomAnimations, _ a: Animation, _ b: Animation, _ c: Animation) -> (
        Animation, Animation
      )

    init(
      _ name: String, of kinds: RandomAnimations.Kinds = .all,
      _ sides:
        @escaping @Sendable (inout RandomAnimations, Animation, Animation, Animation) -> (
          Animation, Animation
        )
    ) {
      (testDescription, self.kinds, self.sides) = (name, kinds, sides)
    }
  }

  static let sequences = [
    Law("(a b) c = a (b c)") { _, a, b, c in
      (.sequence([.sequence([a, b]), c]), .sequence([a, .sequence([b, c])]))
    },
    Law("(a b) c = a b c") { _, a, b, c in
      (.sequence([.sequence([a, b]), c]), .sequence([a, b, c]))
    },
    Law("a.then(b).then(c) = a b c") { _, a, b, c in (a.then(b).then(c), .sequence([a, b, c])) },
    Law("delay(0) a = a") { _, a, _, _ in (.sequence([.delay(.seconds(0)), a]), a) },
    Law("a delay(0) = a") { _, a, _, _ in (.sequence([a, .delay(.seconds(0))]), a) },
    Law("empty a = a") { _, a, _, _ in (.sequence([.empty, a, .sequence([])]), a) },
    Law("delay(s) delay(t) = delay(s + t)") { random, _, _, _ in
      let (s, t) = (random.duration(), random.duration())
      return (.sequence([.delay(s), .delay(t)]), .delay(s + t))
    },
    Law("a.delayed(by: t) = delay(t) a") { random, a, _, _ in
      let t = random.duration()
      return (a.delayed(by: t), .sequence([.delay(t), a]))
    },
  ]

  static let parallels = [
    Law("a | b = b | a") { _, a, b, _ in (.parallel([a, b]), .parallel([b, a])) },
    Law("(a | b) | c = a | (b | c)") { _, a, b, c in
      (.parallel([.parallel([a, b]), c]), .parallel([a, .parallel([b, c])]))
    },
    Law("a | empty = a") { _, a, _, _ in (.parallel([a, .empty]), a) },
    Law("a.with(b, c) = a | b | c") { _, a, b, c in (a.with(b, c), .parallel([a, b, c])) },
    Law("a.then(b, c) = a (b | c)") { _, a, b, c in
      (a.then(b, c), .sequence([a, .parallel([b, c])]))
    },
    Law("delay(t) (a | b) = delay(t) a | delay(t) b") { random, a, b, _ in
      let t = random.duration()
      return (
        Animation.parallel([a, b]).delayed(by: t),
        .parallel([a.delayed(by: t), b.delayed(by: t)])
      )
    },
  ]

  static let repetitions = [
    Law("a * 0 = empty") { _, a, _, _ in (a.repeated(0), .empty) },
    Law("a * -1 = empty") { _, a, _, _ in (a.repeated(-1), .empty) },
    Law("a * 1 = a") { _, a, _, _ in (a.repeated(1), a) },
    Law("a * 3 = a a a") { _, a, _, _ in (a.repeated(3), .sequence([a, a, a])) },
    Law("(a * m) * n = a * mn") { random, a, _, _ in
      let (m, n) = (random.count(0...3), random.count(0...3))
      return (a.repeated(m).repeated(n), a.repeated(m * n))
    },
    Law("a * m a * n = a * (m + n)") { random, a, _, _ in
      let (m, n) = (random.count(0...3), random.count(0...3))
      return (.sequence([a.repeated(m), a.repeated(n)]), a.repeated(m + n))
    },
    Law("a forever = a, a forever", of: [.targets, .reversed, .tracks]) { _, a, _, _ in
      // Their ends differ, but neither ends. The delay excludes animations without a duration,
      // which do.
      let a = a.then(.delay(.seconds(0.1)))
      return (a.repeatedForever(), .sequence([a, a.repeatedForever()]))
    },
  ]

  static let reversals = [
    Law("a reversed twice = a") { _, a, _, _ in (a.reversed().reversed(), a) },
    Law("a reversed twice, with a speed in between = a", of: [.targets, .reversed, .tracks]) {
      random, a, _, _ in
      let factor = random.number(0.5...2)
      return (a.reversed().speed(factor).reversed(), a.speed(factor))
    },
    Law("(a b) reversed = b reversed, a reversed", of: .reversed) { _, a, b, _ in
      (Animation.sequence([a, b]).reversed(), .sequence([b.reversed(), a.reversed()]))
    },
    Law("(a * n) reversed = a reversed * n", of: .reversed) { random, a, _, _ in
      let count = random.count(0...3)
      return (a.repeated(count).reversed(), a.reversed().repeated(count))
    },
    Law("a faster, reversed = a reversed, faster", of: .smooth) { random, a, _, _ in
      let factor = random.number(0.5...2)
      return (a.speed(factor).reversed(), a.reversed().speed(factor))
    },
    Law("a autoreversed = a, a reversed", of: .reversed) { _, a, _, _ in
      (a.autoreversed(), .sequence([a, a.reversed()]))
    },
    Law("a autoreversed, reversed = a autoreversed", of: .smooth) { _, a, _, _ in
      (a.autoreversed().reversed(), a.autoreversed())
    },
    Law("delay(t) reversed = delay(t)") { random, _, _, _ in
      let t = random.duration()
      return (Animation.delay(t).reversed(), .delay(t))
    },
  ]

  static let speeds = [
    Law("a.speed(1) = a") { _, a, _, _ in (a.speed(1), a) },
    Law("a.speed(f).speed(g) = a.speed(fg)") { random, a, _, _ in
      let (f, g) = (random.number(0.5...2), random.number(0.5...2))
      return (a.speed(f).speed(g), a.speed(f * g))
    },
    Law("(a b) faster = a faster, b faster") { random, a, b, _ in
      let f = random.number(0.5...2)
      return (Animation.sequence([a, b]).speed(f), .sequence([a.speed(f), b.speed(f)]))
    },
    Law("(a | b) faster = a faster | b faster") { random, a, b, _ in
      let f = random.number(0.5...2)
      return (Animation.parallel([a, b]).speed(f), .parallel([a.speed(f), b.speed(f)]))
    },
    Law("(a * n) faster = a faster * n") { random, a, _, _ in
      let (f, n) = (random.number(0.5...2), random.count(0...3))
      return (a.repeated(n).speed(f), a.speed(f).repeated(n))
    },
  ]

  @Test(arguments: sequences + parallels + repetitions + reversals + speeds)
  func lawHolds(_ law: Law) {
    var random = RandomAnimations()
    var moving = 0
    for _ in 0..<10_000 {
      let (a, b, c) = (
        random.animation(law.kinds, depth: 2), random.animation(law.kinds, depth: 1),
        random.animation(law.kinds, depth: 1)
      )
      let (left, right) = law.sides(&random, a, b, c)
      let (one, other) = (Timeline(left), Timeline(right))
      let start = random.pose()
      let seconds = random.time(of: right)
      let (pose, expected) = (
        one.pose(at: seconds, from: start), other.pose(at: seconds, from: start)
      )
      let (speed, itsSpeed) = (
        one.velocity(at: seconds, from: start), other.velocity(at: seconds, from: start)
      )
      if expected != start { moving += 1 }
      let isEndless = other.durationSeconds == .infinity
      guard
        isNear(one.durationSeconds, other.durationSeconds), isNear(pose, expected, other, start),
        isNear(speed, itsSpeed, other, start, perSecond: true),
        isEndless || isNear(one.end(from: start), other.end(from: start), other, start)
      else {
        Issue.record(
          """
          \(law.testDescription), with a = \(a), b = \(b), c = \(c), from \(start), \
          at \(seconds) s: \(pose), not \(expected); \(speed)/s, not \(itsSpeed)/s; \
          \(one.durationSeconds) s, not \(other.durationSeconds) s; \
          ends at \(one.end(from: start)), not \(other.end(from: start)); \(random.note)
          """)
        return
      }
    }
    let isMotionless =
      law.testDescription.hasPrefix("delay(s)")
      || law.testDescription.hasPrefix("delay(t) reversed") || law.testDescription.contains("empty")
    #expect(isMotionless || moving > 3000, "\(moving) of 10000 moved; \(random.note)")
  }

  /// `by` has the same difference from any start; a factor multiplies.
  @Test func byIsIndependentOfTheStart() {
    var random = RandomAnimations()
    for _ in 0..<10_000 {
      let animation = random.animation(.reversed, depth: 3)
      let timeline = Timeline(animation)
      let start = random.pose()
      let seconds = random.time(of: animation)
      let difference = timeline.pose(at: seconds, from: start) - start
      let fromRest = timeline.pose(at: seconds) - .rest
      let expected = Pose(
        offset: fromRest.offset, rotationDegrees: fromRest.rotationDegrees,
        scale: fromRest.scale * start.scale, scaleY: fromRest.scaleY * start.scaleY, opacity: 0)
      #expect(
        isNear(difference, expected, timeline, start),
        "\(animation) at \(seconds) s; \(random.note)")
    }
  }

  /// The duration of a sequence is the sum of its parts, that of a parallel the longest.
  @Test func durationsOfCompositions() {
    var random = RandomAnimations()
    for _ in 0..<10_000 {
      let parts = (0..<3).map { _ in random.animation(.all, depth: 2) }
      let seconds = parts.map { Timeline($0).durationSeconds }
      #expect(
        isNear(Timeline(.sequence(parts)).durationSeconds, seconds.reduce(0, +)), "\(random.note)")
      #expect(
        Timeline(.parallel(parts)).durationSeconds == seconds.max() ?? 0, "\(random.note)")
      #expect(parts.map(\.durationSeconds) == seconds, "\(random.note)")
    }
  }
}
