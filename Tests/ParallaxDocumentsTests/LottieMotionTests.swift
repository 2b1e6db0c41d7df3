// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxDocuments
import ParallaxTestSupport
import Testing

/// The layers of the samples as animations: at any time, in any order, smooth, without allocation.
@Suite struct LottieMotionTests {
  /// Returns the timeline of every layer of a sample.
  private func timelines(_ sample: String) throws -> [(layer: String, timeline: Timeline<Pose>)] {
    let file = try LottieFile(named: sample)
    return try file.layerNames.map { ($0, Timeline(try file.document(driver: $0).animation)) }
  }

  /// Returns times in an animation and a little around it.
  private func times(_ timeline: Timeline<Pose>, _ count: Int) -> [Double] {
    (0..<count).map { (Double($0) / Double(count) * 1.2 - 0.1) * timeline.durationSeconds }
  }

  @Test(arguments: lottieSamples)
  func posesAreIndependentOfTheOrder(sample: String) throws {
    var generator = SeededGenerator.forTest()
    for (layer, timeline) in try timelines(sample) {
      let times = times(timeline, 500)
      let poses = times.map { timeline.pose(at: $0) }
      for place in times.indices.shuffled(using: &generator) {
        #expect(
          timeline.pose(at: times[place]) == poses[place],
          "\(layer) at \(times[place]) s, \(generator.note)")
      }
    }
  }

  @Test(
    .enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"),
    arguments: lottieSamples)
  func framesDoNotAllocate(sample: String) throws {
    for (layer, timeline) in try timelines(sample) {
      let times = times(timeline, 500)
      var sum = Pose.zero
      let allocations = AllocationCount.during {
        // An index, because an iterator allocates in debug builds.
        for place in 0..<times.count {
          sum = sum + timeline.pose(at: times[place]) + timeline.velocity(at: times[place])
        }
      }
      #expect(allocations == 0, "\(layer)")
      #expect(PoseChannel.allCases.allSatisfy { sum[$0].isFinite })
    }
  }

  @Test(arguments: lottieSamples)
  func velocityIsTheSlopeOfThePoses(sample: String) throws {
    var generator = SeededGenerator.forTest()
    let step = 1e-6
    for (layer, timeline) in try timelines(sample) {
      for _ in 0..<500 {
        let time = Double.random(
          in: 2 * step..<timeline.durationSeconds - 2 * step, using: &generator)
        let velocity = timeline.velocity(at: time)
        let before = (timeline.pose(at: time) - timeline.pose(at: time - step)) * (1 / step)
        let after = (timeline.pose(at: time + step) - timeline.pose(at: time)) * (1 / step)
        for channel in PoseChannel.allCases {
          let slope = (before[channel] + after[channel]) / 2
          // The tolerance covers the bend of the curve, a keyframe within the step, and rounding.
          let bend = (after[channel] - before[channel]).magnitude
          #expect(
            (velocity[channel] - slope).magnitude <= bend + 1e-3 + 1e-5 * slope.magnitude,
            "\(layer) \(channel) at \(time) s, \(generator.note)")
        }
      }
    }
  }

  @Test func progressAlongAPathIsItsLength() throws {
    var generator = SeededGenerator.forTest()
    for round in 0..<64 {
      // Sometimes a loop, a path back and forth, or a tangent of length 0.
      let curve = Curve(round: round, using: &generator)
      let file = try LottieFile(text: curve.file)
      for (tick, row) in file.tracks(rateHertz: 10).enumerated() {
        let expected = curve.point(atLength: Double(tick) / 20 * curve.length)
        #expect(
          (row.position.x - expected.x).magnitude < 0.01
            && (row.position.y - expected.y).magnitude < 0.01,
          "\(curve) tick \(tick): \(row.position), not \(expected), round \(round), \(generator.note)"
        )
      }
    }
  }

  /// A cubic Bézier curve, measured with many short straight lines.
  private struct Curve: CustomStringConvertible {
    var points: [(x: Double, y: Double)]
    private var corners: [(x: Double, y: Double, length: Double)] = []

    init(round: Int, using generator: inout SeededGenerator) {
      points = (0..<4).map { _ in
        (
          Double.random(in: -300...300, using: &generator),
          .random(in: -300...300, using: &generator)
        )
      }
      switch round % 8 {
      case 0: points[3] = points[0]
      case 1: points[1] = points[0]
      case 2: (points[1], points[2]) = (points[3], points[0])
      case 3: points[2] = points[3]
      default: break
      }
      var length = 0.0
      for corner in 0...4_000 {
        let t = Double(corner) / 4_000
        let weights = [
          (1 - t) * (1 - t) * (1 - t), 3 * t * (1 - t) * (1 - t), 3 * t * t * (1 - t), t * t * t,
        ]
        let x = zip(weights, points).reduce(0) { $0 + $1.0 * $1.1.x }
        let y = zip(weights, points).reduce(0) { $0 + $1.0 * $1.1.y }
        if let last = corners.last {
          length += ((x - last.x) * (x - last.x) + (y - last.y) * (y - last.y)).squareRoot()
        }
        corners.append((x, y, length))
      }
    }

    var description: String { "\(points)" }
    var length: Double { corners.last?.length ?? 0 }

    func point(atLength target: Double) -> (x: Double, y: Double) {
      let next = corners.firstIndex { $0.length >= target } ?? corners.count - 1
      guard next > 0 else { return points[0] }
      let (from, to) = (corners[next - 1], corners[next])
      let share = to.length > from.length ? (target - from.length) / (to.length - from.length) : 0
      return (from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
    }

    /// A file in which a layer follows the curve from frame 0 to 20 at constant speed.
    var file: String {
      func text(_ to: (x: Double, y: Double), _ from: (x: Double, y: Double) = (0, 0)) -> String {
        "[\(to.x - from.x),\(to.y - from.y)]"
      }
      return composition(
        layer(
          "a",
          #"""
          "p":{"k":[{"t":0,"s":\#(text(points[0])),"to":\#(text(points[1], points[0])),
          "ti":\#(text(points[2], points[3]))},{"t":20,"s":\#(text(points[3]))}]}
          """#))
    }
  }
}
