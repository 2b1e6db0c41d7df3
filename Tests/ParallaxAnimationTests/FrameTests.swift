// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// Frames do not allocate and have finite poses.
@Suite("Frames") struct FrameTests {
  /// A frame of any part of an animation, forward or backward, does not allocate.
  @Test(.enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"), arguments: Part.all)
  func framesDoNotAllocate(part: Part) {
    for animation in [part.animation, part.animation.reversed(), nested(part.animation)] {
      let timeline = Timeline(animation)
      var sum = Pose.zero
      func frames() {
        var tick = 0
        while tick < 300 {
          let seconds = Double(tick) / 60
          sum = sum + timeline.pose(at: seconds) + timeline.velocity(at: seconds)
          sum = sum + timeline.end(from: sum)
          tick += timeline.stepsEnded(at: seconds) > 1_000_000 ? 2 : 1
          if let next = timeline.nextStepEnd(after: seconds), next < seconds { tick += 1 }
        }
      }
      // Once before counting: the runtime creates the metadata of a type at its first use.
      frames()
      #expect(AllocationCount.during(frames) == 0)
    }
  }

  private func nested(_ animation: Animation) -> Animation {
    animation.then(animation, animation.delayed(by: .seconds(0.1))).autoreversed().speed(1.5)
      .repeated(9)
      .repeatedForever()
  }

  struct Part: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let animation: Animation

    static let all: [Part] =
      [
        ("move by", .move(by: PixelOffset(x: 12, y: 3))), ("move to", .move(to: .zero)),
        ("rotate", .rotate(by: 180)), ("rotate to", .rotate(to: 5)),
        ("pivot", .rotate(by: 90, about: PixelOffset(x: 0, y: 40))),
        ("pivot to", .rotate(to: 9, about: PixelOffset(x: 3, y: 4))),
        ("stretch", .scale(byX: 2, y: 3)), ("stretch to", .scale(toX: 2, y: 3)),
        ("scale", .scale(by: 2)),
        ("scale to", .scale(to: 0.5)), ("fade", .fade(to: 0.2)), ("delay", .delay(.seconds(1))),
        ("linear", .fade(to: 0, curve: .linear)),
        ("steps", .fade(to: 0, curve: .steps(StepCurve(4, .jumpBoth)))),
        ("points", .fade(to: 0, curve: .points(PointCurve(stops: [.init(output: 1)])))),
        ("spring", .fade(to: 0, curve: .spring(response: .seconds(0.5), damping: 0.8))),
        (
          "keyframes",
          .keyframes(
            Keyframes(
              [0, 0.3, 0.7, 1].map {
                Keyframes.Frame(
                  share: $0, pose: .rest, channels: [.offset, .opacity, .scale], curve: .easeOut)
              }, durationSeconds: 1.5))
        ),
        ("track", .track(PoseTrackReference(Swing()))),
      ].map { Part(testDescription: $0, animation: $1) }
  }

  /// The pose is finite, whatever the numbers of the animation are.
  @Test func posesAreFinite() {
    var random = RandomAnimations()
    func number() -> Double { extremes[random.count(0...extremes.count - 1)] }
    func pose() -> Pose {
      Pose(
        offset: PixelOffset(x: number(), y: number()), rotationDegrees: number(), scale: number(),
        opacity: number())
    }
    func curve() -> Curve {
      switch random.count(0...4) {
      case 0: .linear
      case 1: .bezier(CubicBezier(x1: number(), y1: number(), x2: number(), y2: number()))
      case 2: .steps(StepCurve([Int.min, 0, 1, .max][random.count(0...3)], .jumpBoth))
      case 3:
        .points(
          PointCurve(stops: [
            .init(output: number(), input: number()), .init(output: number()),
            .init(output: number(), input: number()),
          ]))
      default: .spring(Spring(responseSeconds: number(), damping: number()))
      }
    }
    func step(_ change: PoseChange) -> Animation {
      .step(AnimationStep(change, durationSeconds: number(), curve: curve()))
    }
    func animation(_ depth: Int) -> Animation {
      switch random.count(depth > 0 ? 0...13 : 0...7) {
      case 0: .delay(seconds: number())
      case 1: step(.moveBy(pose().offset))
      case 2: step(.moveTo(pose().offset))
      case 3: step(.rotateBy(number()))
      case 4: step(.scaleBy(number()))
      case 5: .scale(to: number(), curve: curve())
      case 6:
        .keyframes(
          Keyframes(
            (0...2).map { _ in
              .init(share: number(), pose: pose(), channels: [.offset, .scale], curve: curve())
            }, durationSeconds: number()))
      case 7: .track(PoseTrackReference(Swing(extent: number(), durationSeconds: number())))
      case 8: .sequence((0...2).map { _ in animation(depth - 1) })
      case 9: .parallel((0...2).map { _ in animation(depth - 1) })
      case 10:
        .repeated(animation(depth - 1), count: .times([0, -1, 3, .max][random.count(0...3)]))
      case 11: .repeated(animation(depth - 1), count: .forever)
      case 12: animation(depth - 1).reversed()
      default: .speed(animation(depth - 1).autoreversed(), factor: number())
      }
    }
    for _ in 0..<10_000 {
      let animation = animation(3)
      let timeline = Timeline(animation)
      let start = pose()
      #expect(timeline.durationSeconds >= 0, "\(animation); \(random.note)")
      var poses = [timeline.end(from: start)]
      for seconds in [0, 0.1, 1, timeline.durationSeconds.nextDown, number()] {
        poses.append(timeline.pose(at: seconds, from: start))
        poses.append(timeline.velocity(at: seconds, from: start))
        _ = timeline.stepsEnded(at: seconds)
        _ = timeline.nextStepEnd(after: seconds)
      }
      for pose in poses {
        for channel in PoseChannel.allCases where !(pose[channel].magnitude <= .poseBound) {
          Issue.record("\(animation): \(channel) is \(pose[channel]); \(random.note)")
        }
      }
    }
  }
}

/// Back and forth along a line.
final class Swing: PoseTrack {
  let extent: Double
  let durationSeconds: Double
  let channels: PoseChannels = [.offset, .opacity]

  init(extent: Double = 10, durationSeconds: Double = 1) {
    (self.extent, self.durationSeconds) = (extent, durationSeconds)
  }

  func difference(at seconds: Double) -> Pose {
    let away = 4 * extent * seconds * (1 - seconds)
    return Pose(offset: PixelOffset(x: away, y: 0), scale: 0, opacity: -seconds / 4)
  }

  func velocity(at seconds: Double) -> Pose {
    Pose(offset: PixelOffset(x: 4 * extent * (1 - 2 * seconds), y: 0), scale: 0, opacity: -0.25)
  }
}
