// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// The operators that put streams together, as x in px every 0.1 s, and the number of animations that have begun.
@Suite struct StreamOperatorTests {
  private static let bound = 40

  private func play(_ stream: AnimationStream, _ act: (Int) -> Void = { _ in }) -> (
    x: [Int], begun: Int, end: MotionInstant?
  ) {
    var player = StreamPlayer(stream, at: 0)
    var (x, begun): ([Int], Int) = ([], 0)
    for tick in 0..<Self.bound {
      act(tick)
      player.advance(to: Marbles.time(tick))
      x.append(Int((player.pose.offset.x).rounded()))
      begun += player.takeEvents().count { if case .began = $0 { true } else { false } }
      if player.isFinished { break }
    }
    return (x, begun, player.finish)
  }

  @Test func map() {
    let played = play(AnimationStream(right(2), right(1)).map { $0.repeated(2) })
    #expect(played.x == [0, 1, 2, 3, 4, 5, 6] && played.begun == 2)
  }

  @Test func flatMapReplacesAnAnimationByAChain() {
    let chain = AnimationStream(right(1), right(2)).flatMap {
      AnimationStream($0, $0.reversed(), right(3))
    }
    #expect(play(chain).x == [0, 1, 0, 1, 2, 3, 4, 5, 4, 3, 4, 5, 6])
    #expect(play(chain).begun == 6)
    let dropped = AnimationStream(right(1), right(2)).flatMap {
      $0 == right(1) ? AnimationStream() : AnimationStream($0)
    }
    #expect(play(dropped).x == [0, 1, 2] && play(dropped).begun == 1)
    // The endless one has nothing to play.
    #expect(play(AnimationStream(right(1)).forever().flatMap { _ in AnimationStream() }).begun == 0)
    // `take` counts what is played.
    #expect(play(chain.take(4)).x == [0, 1, 0, 1, 2, 3, 4, 5])
  }

  @Test func takeWhile() {
    let stream = AnimationStream(right(2)).forever().take { $0.pose.offset.x < 5 }
    #expect(play(stream).x == [0, 1, 2, 3, 4, 5, 6])
    #expect(play(AnimationStream(right(2)).take { _ in false }).begun == 0)
  }

  @Test func takeUntilAnEvent() {
    let event = StreamEvent()
    let played = play(AnimationStream(right(3)).forever().take(until: event)) { tick in
      if tick == 4 { event.send() }
    }
    // The second one plays to its end.
    #expect(played.x == [0, 1, 2, 3, 4, 5, 6] && event.hasOccurred)
    #expect(play(AnimationStream(right(3)).take(until: event)).begun == 0)
  }

  @Test func mergePlaysAtOnce() {
    let both = AnimationStream(right(2), right(2)).merge(AnimationStream(right(1)))
    let played = play(both.concat(AnimationStream(right(1))))
    #expect(played.x == [0, 2, 3, 4, 5, 6] && played.begun == 2)
    #expect(played.end == Marbles.time(5))
    // The merged streams are one animation: all of them are passed at once, and again.
    #expect(play(both.forever().take(2)).x == [0, 2, 3, 4, 5, 7, 8, 9, 10])
    #expect(play(.merge([])).x == [0])
    let endless = AnimationStream(right(1)).merge(AnimationStream(right(1)).forever())
    #expect(play(endless).x[5] == 6)
    #expect(play(endless.take(1)).x.count == Self.bound)
  }

  /// Both choose by what they have left themselves.
  @Test func mergedChoicesSeeTheirOwnPose() {
    func swing(_ px: Int) -> AnimationStream {
      AnimationStream(right(px)).flat { $0.pose.offset.x < 4 ? right(px) : nil }
    }
    #expect(play(swing(1).merge(swing(2))).x == [0, 2, 4, 6, 8])
  }

  @Test func zipPairs() {
    let pairs = AnimationStream.zip(
      AnimationStream(right(1), right(3)), AnimationStream(right(2), right(1), right(9)))
    #expect(play(pairs).x == [0, 2, 3, 5, 6, 7] && play(pairs).begun == 2)
  }

  @Test func mergedStreamsAreMappedAndDelayed() {
    let both = AnimationStream(right(1)).merge(AnimationStream(right(2)))
    #expect(play(both.map { $0.repeated(2) }).x == [0, 2, 4, 5, 6])
    #expect(play(both.delayed(by: .milliseconds(200))).x == [0, 0, 0, 2, 3])
  }

  @Test func theGateEndsMergedStreams() {
    var player = StreamPlayer(
      AnimationStream(right(2), right(3)).merge(AnimationStream(right(1)).forever()), at: 0)
    player.advance(to: Marbles.time(1))
    player.end(at: .end, at: Marbles.time(1))
    #expect(player.isFinished && player.pose.offset.x == 7)
  }

  /// Late by 3000 animations, it goes on where it was and plays all of them.
  @Test func aLatePlayerSkipsNothing() {
    var player = StreamPlayer(
      AnimationStream((0..<3000).map { _ in right(1).speed(100) }), at: 0)
    var calls = 0
    while !player.isFinished, calls < 10 {
      player.advance(to: Marbles.time(1000))
      calls += 1
    }
    #expect(calls == 3)
    #expect(player.finish == Marbles.time(30))
    #expect(player.pose.offset.x.rounded() == 3000)
    #expect(player.takeEvents().count == 6001)
  }

  @Test func eventsThatAreNotTakenAreBounded() {
    var player = StreamPlayer(AnimationStream().flat { _ in .empty }, at: 0)
    for tick in 0..<150 { player.advance(to: Marbles.time(tick)) }
    let events = player.takeEvents()
    #expect(events.count == 100_000)
    #expect(events.last == .began(150_000))
    #expect(player.takeEvents().isEmpty)
  }

  /// 20,000 times `concat` in a loop.
  @Test func aLoopOfConcatIsOneList() {
    var stream = AnimationStream(.empty)
    for _ in 1..<20_000 { stream = stream.concat(AnimationStream(.empty)) }
    var player = StreamPlayer(stream, at: 0)
    for _ in 0..<21 { player.advance(to: 0) }
    #expect(player.isFinished && player.takeEvents().count == 40_001)
  }
}
