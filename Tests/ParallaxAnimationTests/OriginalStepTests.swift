// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Steps, keyframes and springs as UIKit and SwiftUI have them.
@Suite struct OriginalStepTests {
  private func x(_ animation: Animation, _ seconds: Double) -> Double {
    Timeline(animation).pose(at: seconds, from: .rest).offset.x
  }

  @Test func aStepOfYourOwn() {
    let animation = Animation(duration: .seconds(2)) { progress in
      Pose(offset: PixelOffset(x: 10 * sin(progress * .pi), y: 0), scale: 1 + progress)
    }
    let start = Pose(offset: PixelOffset(x: 3, y: 0), scale: 2)
    let timeline = Timeline(animation)
    for tick in 0...20 {
      let progress = Double(tick) / 20
      let pose = timeline.pose(at: 2 * progress, from: start)
      #expect((pose.offset.x - 3 - 10 * sin(progress * .pi)).magnitude < 1e-12)
      #expect((pose.scale - 2 - progress).magnitude < 1e-12)
      let velocity = timeline.velocity(at: 2 * progress, from: start).offset.x
      let slope = progress < 1 ? 5 * .pi * cos(progress * .pi) : 0
      // At the start it is the slope to one side.
      #expect((velocity - slope).magnitude < 1e-3)
    }
    #expect(timeline.end(from: start).scale == 3)
    // It composes like any other.
    let twice = Timeline(animation.reversed().repeated(2))
    #expect((twice.pose(at: 3, from: .rest).offset.x - 10).magnitude < 1e-9)
    let eased = Timeline(Animation(duration: .seconds(1), curve: .easeIn) { Pose(opacity: 1 - $0) })
    let bezier = CubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1)
    #expect(
      (eased.pose(at: 0.4, from: .rest).opacity - 1 + bezier.value(at: 0.4)).magnitude < 1e-12)
  }

  /// Two tracks: the place from 0 to 0.5 and from 0.5 to 1, the opacity from 0.25 to 0.75.
  @Test func keyframesWithRelativeTimes() {
    let animation = Animation.keyframes(
      duration: .seconds(4),
      KeyframeSpan(start: 0.5, duration: 0.5, .moveTo(PixelOffset(x: 0, y: 0))),
      KeyframeSpan(start: 0, duration: 0.5, .moveTo(PixelOffset(x: 100, y: 0))),
      KeyframeSpan(start: 0.25, duration: 0.5, .fadeTo(0)))
    let timeline = Timeline(animation)
    #expect(timeline.durationSeconds == 4)
    for (seconds, x, opacity) in [
      (0.0, 0.0, 1.0), (1, 50, 1), (2, 100, 0.5), (3, 50, 0), (4, 0, 0),
    ] {
      let pose = timeline.pose(at: seconds, from: .rest)
      #expect((pose.offset.x - x).magnitude < 1e-9 && (pose.opacity - opacity).magnitude < 1e-9)
    }
    // Those that overlap add up; what is left over waits.
    let both = Animation.keyframes(
      duration: .seconds(1),
      KeyframeSpan(start: 0, duration: 0.5, .moveBy(PixelOffset(x: 10, y: 0))),
      KeyframeSpan(start: 0.25, duration: 9, .moveBy(PixelOffset(x: 30, y: 0))))
    #expect(x(both, 0.5) == 20 && x(both, 1) == 40)
    let late = Animation.keyframes(
      duration: .seconds(1), KeyframeSpan(start: .nan, duration: -1, .fadeTo(0)))
    #expect(late.durationSeconds == 1 && Timeline(late).pose(at: 0, from: .rest).opacity == 0)
  }

  @Test func phases() {
    let animation = Animation.phases(
      [0.0, 10, -10], pose: { Pose(offset: PixelOffset(x: $0, y: 0)) }
    ) { _ in
      .linear
    }
    #expect(animation.durationSeconds == 0.75)
    #expect(x(animation, 0.375) == 5 && x(animation, 0.625) == 0 && x(animation, 0.75) == -10)
    #expect(x(animation.repeatedForever(), 0.875) == -5)
  }

  @Test func staggered() {
    let animation = Animation.staggered(
      (0..<3).map { _ in .move(by: PixelOffset(x: 10, y: 0), duration: .seconds(1), curve: .linear)
      },
      by: .milliseconds(500))
    #expect(animation.durationSeconds == 2)
    #expect(x(animation, 1) == 15 && x(animation, 1.5) == 25 && x(animation, 2) == 30)
  }

  /// Apple's parameters: mass, stiffness and damping; duration and bounce.
  @Test func kindsOfSprings() {
    let physical = Spring(mass: 2, stiffness: 200, damping: 20)
    // w = 10 rad/s, z = 0.5.
    #expect(
      (physical.responseSeconds - 0.628_318_530_7).magnitude < 1e-9 && physical.damping == 0.5)
    for t in stride(from: 0, through: 1, by: 0.1) {
      let wd = 10 * 0.75.squareRoot()
      let expected = 1 - exp(-5 * t) * (cos(wd * t) + 5 / wd * sin(wd * t))
      #expect((physical.value(at: t) - expected).magnitude < 1e-12)
    }
    for (bounce, damping) in [(0.0, 1.0), (0.15, 0.85), (0.3, 0.7), (-0.5, 2)] {
      let spring = Spring(duration: .seconds(0.4), bounce: bounce)
      #expect(spring.damping == damping && spring.response == .seconds(0.4))
    }
    #expect(Spring.snappy(extraBounce: 0.25).damping == 0.6)
    #expect(Curve.spring(Spring.smooth()) == .smooth && Curve.spring(Spring.snappy()) == .snappy)
    #expect(Curve.spring(Spring.bouncy()) == .bouncy)
  }

  /// A spring thrown with 3 times its way per second: x'(0) of the step is 3 * 100 px/s.
  @Test func aSpringWithAnInitialVelocity() {
    let curve = Curve.spring(Spring(response: .seconds(0.5), damping: 1, initialVelocity: 3))
    let step = Timeline(.move(by: PixelOffset(x: 100, y: 0), curve: curve))
    #expect((step.velocity(at: 0, from: .rest).offset.x - 300).magnitude < 1e-9)
    let w = 4 * Double.pi
    for t in stride(from: 0, through: 0.6, by: 0.1) {
      // Critically damped: 1 - (1 + (w - v) t) e^{-w t}.
      let expected = 100 * (1 - (1 + (w - 3) * t) * exp(-w * t))
      #expect((step.pose(at: t, from: .rest).offset.x - expected).magnitude < 1e-9)
    }
    let end = step.pose(at: step.durationSeconds.nextDown, from: .rest).offset.x
    #expect((end - 100).magnitude <= 0.01)
  }

  @Test func severalPoses() throws {
    let (title, button) = (AnimatedPose(), AnimatedPose())
    func right(_ px: Double) -> Animation {
      .move(by: PixelOffset(x: px, y: 0), duration: .seconds(1), curve: .linear)
    }
    var endings: [AnimationPosition] = []
    try animate(
      title.animation(right(10), .fade(to: 0, duration: .seconds(1), curve: .linear)),
      button.animation(
        inParallel: right(20), .rotate(by: 90, duration: .seconds(2), curve: .linear)),
      title.animation(right(-10)), at: 0
    ) { endings.append($0) }
    for (seconds, x, opacity, other) in [
      (0.5, 5.0, 1.0, 0.0), (1.5, 10, 0.5, 0), (2.5, 10, 0, 10), (4.5, 5, 0, 20), (5, 0, 0, 20),
    ] {
      title.advance(to: instant(seconds))
      button.advance(to: instant(seconds))
      #expect((title.pose.offset.x - x).magnitude < 1e-9, "\(seconds)")
      #expect((title.pose.opacity - opacity).magnitude < 1e-9, "\(seconds)")
      #expect((button.pose.offset.x - other).magnitude < 1e-9, "\(seconds)")
    }
    #expect(endings == [.end] && button.pose.rotationDegrees == 90)
    try animate(
      inParallel: title.animation(right(1)), button.animation(right(1)), at: instant(5)
    ) { endings.append($0) }
    title.advance(to: instant(6))
    #expect(endings.count == 1)
    button.advance(to: instant(6))
    #expect(endings == [.end, .end] && title.pose.offset.x == 1)
    #expect(throws: AnimatorError.isEndless) {
      try animate(
        title.animation(right(1).repeatedForever()), button.animation(right(1)), at: instant(6))
    }
    #expect(!title.isMoving)
  }
}
