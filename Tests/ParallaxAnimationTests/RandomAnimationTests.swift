// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// Timelines of ten thousand random animations.
@Suite("Random animations") struct RandomAnimationTests {
  /// The pose at any time equals that of sequential playback.
  @Test func randomAccessEqualsSequentialPlayback() {
    var random = RandomAnimations()
    var moved = 0
    for _ in 0..<10_000 {
      let animation = random.animation(.all, depth: 3)
      let timeline = Timeline(animation)
      let start = random.pose()
      #expect(
        isNear(timeline.durationSeconds, ReferencePlayer.duration(animation)), "\(random.note)")
      for _ in 0..<3 {
        let seconds = max(0, random.time(of: animation))
        let expected = ReferencePlayer.pose(animation, at: seconds, from: start)
          .clamped(to: .poseBound)
        let pose = timeline.pose(at: seconds, from: start)
        if pose != start { moved += 1 }
        if !isNear(pose, expected, timeline, start) {
          Issue.record("\(animation) at \(seconds) s: \(pose), not \(expected); \(random.note)")
        }
      }
      let expected = ReferencePlayer.end(animation, from: start)
      if !isNear(timeline.end(from: start), expected, timeline, start) {
        Issue.record(
          "\(animation) ends at \(timeline.end(from: start)), not \(expected); \(random.note)")
      }
    }
    #expect(moved > 15_000, "\(random.note)")
  }

  /// A frame is independent of the frames before it, to the bit.
  @Test func framesAreIndependentOfTheirOrder() {
    var random = RandomAnimations()
    for _ in 0..<500 {
      let timeline = Timeline(random.animation(.all, depth: 4))
      let ticks = (0..<60).map { Double($0) / 30 }
      let inOrder = ticks.map { [timeline.pose(at: $0), timeline.velocity(at: $0)] }
      for tick in ticks.indices.shuffled() {
        #expect(
          [timeline.pose(at: ticks[tick]), timeline.velocity(at: ticks[tick])] == inOrder[tick])
      }
    }
  }

  /// The velocity is the change of the pose, except at kinks.
  @Test func velocityIsTheChangeOfThePose() {
    var random = RandomAnimations()
    var (compared, moving) = (0, 0)
    for _ in 0..<10_000 {
      let animation = random.animation(.all, depth: 3)
      let timeline = Timeline(animation)
      let start = random.pose()
      let swing = timeline.swing(from: start)
      for _ in 0..<2 {
        let seconds = random.time(of: animation)
        let h = 1e-6
        let poses = [-2.0, -1, 0, 1, 2].map { (step: Double) in
          timeline.pose(at: seconds + step * h, from: start)
        }
        let velocity = timeline.velocity(at: seconds, from: start)
        for channel in PoseChannel.allCases {
          let x = poses.map { $0[channel] }
          // A pose that grows forever is clamped, and so is its velocity, but not at the same time.
          guard x[2].magnitude < .poseBound / 2 else { continue }
          let (left, right) = (x[2] - x[0], x[4] - x[2])
          // A kink or a jump in between: a difference quotient does not show the velocity there.
          let bend = (right - left).magnitude
          guard bend < 1e-4 * max(left.magnitude, right.magnitude) + 1e-9 * h * swing else {
            continue
          }
          compared += 1
          if x[3] != x[1] { moving += 1 }
          let slope = (x[3] - x[1]) / (2 * h)
          guard slope.magnitude < .poseBound / 1000 else { continue }
          if (velocity[channel] - slope).magnitude > 1e-3 * slope.magnitude + 1e-6 * swing {
            Issue.record(
              "\(animation) at \(seconds) s: \(channel) \(velocity[channel])/s, not \(slope); \(random.note)"
            )
          }
        }
      }
    }
    #expect(compared > 90_000 && moving > 10_000, "\(compared), \(moving); \(random.note)")
  }
}

func isNear(_ a: Double, _ b: Double) -> Bool {
  a == b || (a - b).magnitude <= 1e-9 * max(a.magnitude, b.magnitude)
}

extension Timeline where Value == Pose {
  /// Returns roughly how far it moves: the scale for rounding errors.
  func swing(from start: Pose) -> Double {
    let whole = min(durationSeconds, 20)
    return (0...8).reduce(1) { largest, part in
      let pose = pose(at: whole * Double(part) / 8, from: start)
      return PoseChannel.allCases.reduce(largest) { max($0, pose[$1].magnitude) }
    }
  }
}

/// Compares poses. The tolerance is relative to how far the timeline moves, which is computed only
/// if 1 is not enough.
func isNear(
  _ a: Pose, _ b: Pose, _ timeline: Timeline<Pose>, _ start: Pose, perSecond: Bool = false
) -> Bool {
  func isNear(_ swing: Double) -> Bool {
    let bound = (perSecond ? 1e-5 : 1e-7) * swing
    return PoseChannel.allCases.allSatisfy { (a[$0] - b[$0]).magnitude <= bound }
  }
  return isNear(1) || isNear(timeline.swing(from: start))
}
