// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxAnimation
import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@Suite("Random streams") struct StreamPropertyTests {
  private static func animation(_ random: inout SeededGenerator) -> Animation {
    let ticks = Int.random(in: 0...4, using: &random)
    let x = Double.random(in: -20...20, using: &random)
    let duration = Duration.milliseconds(100 * ticks)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .move(by: px(x), duration: duration)
    case 1: return .move(to: px(x), duration: duration, curve: .easeInOut)
    case 2: return .delay(duration)
    case 3: return .move(by: px(x), duration: duration).autoreversed()
    default: return .rotate(by: x, duration: duration).with(.fade(to: 0.5, duration: .seconds(0.2)))
    }
  }

  /// A list plays like the sequence of its animations.
  @Test func listsEqualSequences() {
    var random = SeededGenerator.forTest()
    for _ in 0..<1000 {
      let animations = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        Self.animation(&random)
      }
      let timeline = Timeline(.sequence(animations))
      var player = StreamPlayer(AnimationStream(animations), at: 0)
      var now: MotionInstant = 0
      while !player.isFinished {
        player.advance(to: now)
        let pose = timeline.pose(at: now.seconds)
        for channel in PoseChannel.allCases {
          guard abs(player.pose[channel] - pose[channel]) < 1e-6 else {
            Issue.record("\(animations) at \(now.seconds) s; \(random.note)")
            return
          }
        }
        now += .nanoseconds(.random(in: 1...150_000_000, using: &random))
      }
    }
  }

  private static func stream(_ random: inout SeededGenerator, depth: Int = 0) -> AnimationStream {
    let kind = depth < 3 ? Int.random(in: 0..<7, using: &random) : 0
    if kind < 2 {
      return AnimationStream(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in animation(&random) })
    }
    let inner = stream(&random, depth: depth + 1)
    switch kind {
    case 2: return inner.concat(stream(&random, depth: depth + 1))
    case 3: return inner.take(Int.random(in: 0...4, using: &random))
    case 4: return inner.delayed(by: .seconds(0.1))
    case 5: return inner.forever()
    default:
      let next = animation(&random)
      let limit = Double.random(in: 0...30, using: &random)
      return inner.flat { $0.pose.offset.x.magnitude < limit ? next : nil }
    }
  }

  /// Every animation that has started ends once, in order, and the stream ends once, as the last
  /// event.
  @Test func endingsAreReportedOnceAndInOrder() {
    var random = SeededGenerator.forTest()
    for _ in 0..<10_000 {
      var player = StreamPlayer(Self.stream(&random), at: 0)
      var now: MotionInstant = 0
      for _ in 0...Int.random(in: 0...12, using: &random) {
        now += .nanoseconds(.random(in: 0...300_000_000, using: &random))
        player.advance(to: now)
      }
      let position = AnimationPosition.allCases[Int.random(in: 0..<3, using: &random)]
      // `end` advances first. That may finish a stream whose last call had too many animations to end.
      var ahead = player
      ahead.advance(to: now)
      let wasFinished = ahead.isFinished
      player.end(at: position, at: now)
      // A second end has no effect.
      player.end(at: .start, at: now)
      player.advance(to: now + .seconds(1))
      var (began, ended, finished) = (0, 0, 0)
      for event in player.takeEvents() {
        var isRight = finished == 0
        switch event {
        case .began(let number):
          isRight = isRight && number == began && ended == began
          began += 1
        case .ended(let number, let at):
          isRight = isRight && number == ended && began == ended + 1
          isRight = isRight && (at == .end || at == position && !wasFinished)
          ended += 1
        case .finished(let at):
          isRight = isRight && at == (wasFinished ? .end : position)
          finished += 1
        }
        guard isRight else {
          Issue.record("\(event) after \(began), \(ended), \(finished); \(random.note)")
          return
        }
      }
      guard finished == 1, began == ended, player.isFinished else {
        Issue.record("\(began) began, \(ended) ended, \(finished) finished; \(random.note)")
        return
      }
    }
  }

  @Test(.enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"))
  func framesDoNotAllocate() {
    var player = StreamPlayer(
      AnimationStream(right(1000).with(.rotate(by: 90, duration: .seconds(50)))).forever(), at: 0)
    player.advance(to: 1)
    _ = player.takeEvents()
    var now: MotionInstant = 1
    let count = AllocationCount.during {
      for _ in 0..<1000 {
        now += 16_666_667
        player.advance(to: now)
        if !player.takeEvents().isEmpty { return }
      }
    }
    #expect(count == 0)
    #expect(player.pose.offset.x > 100)
  }
}
