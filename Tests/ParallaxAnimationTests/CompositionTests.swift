// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// Animations that a loop composes.
@Suite struct CompositionTests {
  private static let step = Animation.move(
    by: PixelOffset(x: 1, y: 0), duration: .seconds(1), curve: .linear)

  /// An array that is copied in each pass would take seconds.
  @Test func aLoopOfThenIsOneSequence() {
    var animation = Animation.empty
    for _ in 0..<20_000 { animation = animation.then(Self.step) }
    #expect(animation.durationSeconds == 20_000)
    let timeline = Timeline(animation)
    #expect(timeline.pose(at: 12_345.5, from: .rest).offset.x == 12_345.5)
    #expect(timeline.end(from: .rest).offset.x == 20_000)
    #expect(timeline.maxRunningParts == 2)
  }

  @Test func aLoopOfWithIsOneParallel() {
    var animation = Self.step
    for _ in 1..<100_000 { animation = animation.with(Self.step) }
    #expect(animation.durationSeconds == 1)
    #expect(Timeline(animation).end(from: .rest).offset.x == 100_000)
  }

  @Test func earlierListsStayAsTheyAre() {
    let two = Self.step.then(Self.step)
    let (a, b) = (two.then(.fade(to: 0)), two.then(.rotate(by: 90)).then(.fade(to: 1)))
    #expect(two == .sequence([Self.step, Self.step]))
    #expect(a == .sequence([Self.step, Self.step, .fade(to: 0)]))
    #expect(b == .sequence([Self.step, Self.step, .rotate(by: 90), .fade(to: 1)]))
    #expect(two.with(a, b) == .parallel([two, a, b]))
    #expect(two.with(a).with(b) == .parallel([two, a, b]))
  }

  /// `then` and `with` in random order, against lists that are arrays.
  @Test func listsEqualArrays() {
    var random = SeededGenerator.forTest()
    for _ in 0..<200 {
      var numbers: [Int] = []
      var list = AppendableList<Int>([])
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        let more = (0..<Int.random(in: 0...5, using: &random)).map { _ in
          Int.random(in: 0...9, using: &random)
        }
        numbers += more
        list = list.appending(more)
      }
      #expect(Array(list) == numbers && list.count == numbers.count, "\(random.note)")
      #expect(numbers.indices.allSatisfy { list[$0] == numbers[$0] }, "\(random.note)")
    }
  }

  /// As deep as animations may be, on the stack of a thread.
  @Test func theDeepestAnimationPlays() async {
    var animation = Self.step
    for level in 2..<Animation.maxDepth {
      switch level % 4 {
      case 0: animation = .sequence([animation])
      case 1: animation = .parallel([animation])
      case 2: animation = animation.repeated(1)
      default: animation = animation.speed(1)
      }
    }
    let timeline = Timeline(animation)
    #expect(timeline.pose(at: 0.5, from: .rest).offset.x == 0.5)
    #expect(timeline.velocity(at: 0.5, from: .rest).offset.x == 1)
    #expect(animation == animation.reversed().reversed())
  }

  @Test func aDeeperOneIsRefused() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var animation = Animation.empty
      for _ in 0..<100_000 { animation = .sequence([animation]) }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("an Animation has more than 1000 levels"), "\(message)")
  }

  @Test func reversedTwiceItIsItself() {
    let animation = Self.step.then(.fade(to: 0))
    #expect(animation.reversed().reversed() == animation)
  }

  /// Keyframes play in the order of their shares.
  @Test func keyframesInAnyOrder() {
    func frame(_ share: Double, _ x: Double) -> Keyframes.Frame {
      Keyframes.Frame(share: share, pose: Pose(offset: PixelOffset(x: x, y: 0)), channels: .offset)
    }
    func pose(_ frames: Keyframes.Frame...) -> [Double] {
      let timeline = Timeline(.keyframes(Keyframes(frames, durationSeconds: 1)))
      return (0...10).map { timeline.pose(at: Double($0) / 10, from: .rest).offset.x }
    }
    let sorted = pose(frame(0, 0), frame(0.5, 10), frame(0.5, 20), frame(1, 30))
    #expect(sorted == pose(frame(1, 30), frame(0.5, 10), frame(0.5, 20), frame(.nan, 0)))
    #expect(sorted[4] == 8 && sorted[5] == 20 && sorted[6] == 22)
  }
}

/// A step with a spring and no duration ends where and when it is not seen.
@Suite struct SpringEndTests {
  /// | change | channel | px of a layer of 1000 px by one |
  private static let changes: [(change: PoseChange, channel: PoseChannel, px: Double)] = [
    (.moveBy(PixelOffset(x: 2000, y: 0)), .x, 1), (.moveTo(PixelOffset(x: 0, y: 2000)), .y, 1),
    (.moveTo(PixelOffset(x: 3, y: 0)), .x, 1), (.rotateBy(720), .rotation, 8.7),
    (.rotateTo(90), .rotation, 8.7), (.scaleBy(3), .scale, 1000), (.scaleTo(1.2), .scale, 1000),
    (.stretchBy(x: 1, y: 4), .scaleY, 1000), (.stretchTo(x: 2, y: 0.1), .scaleY, 1000),
    (.fadeTo(0), .opacity, 10),
  ]

  @Test(arguments: changes, [(0.5, 0.825), (0.3, 0.3), (0.2, 1), (1, 2)])
  func theLastMoment(
    step: (change: PoseChange, channel: PoseChannel, px: Double), spring: (Double, Double)
  ) {
    let curve = Curve.spring(response: .seconds(spring.0), damping: spring.1)
    let timeline = Timeline(.step(AnimationStep(step.change, curve: curve)))
    let end = timeline.durationSeconds
    let late = timeline.pose(at: end.nextDown, from: .rest)[step.channel]
    let velocity = timeline.velocity(at: end.nextDown, from: .rest)[step.channel]
    let jump = (timeline.end(from: .rest)[step.channel] - late).magnitude
    #expect(jump * step.px <= 0.0101, "\(jump)")
    #expect(velocity.magnitude * step.px <= 0.101, "\(velocity)")
  }
}
