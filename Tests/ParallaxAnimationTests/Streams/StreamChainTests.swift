// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// Streams in marble notation (see `Marbles`). In parentheses: a letter for the start of an
/// animation, `|` for its end, `.` for the end of the stream.
@Suite("Animation streams") struct StreamChainTests {
  /// - Parameter script: One letter per tick: x cancel where it is, < cancel to the start, g gate
  ///   closes.
  private func play(_ stream: AnimationStream, _ script: String) -> String {
    var player = StreamPlayer(stream, at: 0)
    var line = ""
    for (tick, letter) in script.enumerated() {
      let now = Marbles.time(tick)
      player.advance(to: now)
      switch letter {
      case "x": player.end(at: .current, at: now)
      case "<": player.end(at: .start, at: now)
      case "g": player.end(at: .end, at: now)
      default: break
      }
      line += Marbles.output(player.pose.offset.x, events(of: &player))
    }
    return line
  }

  private func events(of player: inout StreamPlayer) -> String {
    player.takeEvents().map { event in
      switch event {
      case .began(let number): String(Marbles.letters[number % 26])
      case .ended(_, let position): position.mark
      case .finished(let position): position == .end ? "." : position.mark + "."
      }
    }.joined()
  }

  @Test func listWithADelay() {
    let stream = AnimationStream(right(2), right(3).delayed(by: .seconds(0.2)), right(1))
    #expect(play(stream, "---------") == "0(a)12(|b)22345(|c)6(|.)")
  }

  @Test func fiveRepeats() {
    let stream = AnimationStream(right(2).repeated(5))
    #expect(play(stream, "------------") == "0(a)123456789a(|.)a")
    let pulled = AnimationStream(right(2)).forever().take(5)
    #expect(play(pulled, "------------") == "0(a)12(|b)34(|c)56(|d)78(|e)9a(|.)a")
  }

  @Test func foreverUntilCancelled() {
    let stream = AnimationStream(right(2), right(2).reversed()).forever()
    #expect(play(stream, "---------x--") == "0(a)12(|b)10(|c)12(|d)10(|e)1(!!.)11")
    #expect(play(stream, "-----<---") == "0(a)12(|b)10(|c)0(<<.)000")
  }

  @Test func concatenation() {
    let streams = [
      AnimationStream(right(1), right(2)), AnimationStream(), AnimationStream(right(1)),
    ]
    #expect(play(.concat(streams), "------") == "0(a)1(|b)23(|c)4(|.)4")
    #expect(play(.concat([]), "--") == "0(.)0")
    #expect(play(streams[2].concat(streams[0]), "-----") == "0(a)1(|b)2(|c)34(|.)")
  }

  @Test func takeLimitsTheCount() {
    let five = AnimationStream((1...5).map(right))
    #expect(play(five.take(2), "------") == "0(a)1(|b)23(|.)33")
    #expect(play(five.take(0), "--") == "0(.)0")
    #expect(play(five.take(99), "----------------") == play(five, "----------------"))
  }

  @Test func delayIsPartOfTheFirstAnimation() {
    let stream = AnimationStream(right(2), right(1)).delayed(by: .seconds(0.3))
    #expect(play(stream, "--------") == "0(a)00012(|b)3(|.)3")
    #expect(play(stream.take(1), "-------") == "0(a)00012(|.)2")
    // The delay repeats with every pass if the pass is delayed.
    #expect(play(stream.take(1).forever(), "---------") == "0(a)00012(|b)222")
  }

  @Test func parallelOfDifferentDurations() {
    let stream = AnimationStream(right(2).with(right(4)), right(1))
    #expect(play(stream, "-------") == "0(a)2456(|b)7(|.)7")
  }

  @Test func parallelInASequence() {
    let stream = AnimationStream(right(1).then(right(1), right(3)).then(right(1)))
    #expect(play(stream, "-------") == "0(a)13456(|.)6")
  }

  @Test func chainReversesMidway() {
    let forward = right(3).then(right(2))
    let stream = AnimationStream(forward, forward.reversed())
    #expect(play(stream, "-----------") == "0(a)12345(|b)43210(|.)")
  }

  @Test func nextIsChosenByThePreviousEnding() {
    let stream = AnimationStream(right(3)).flat { ending in
      if ending.pose.offset.x > 5 { return nil }
      return ending.pose.offset.x > 2 ? right(1) : right(2)
    }
    #expect(play(stream, "--------") == "0(a)123(|b)4(|c)5(|d)6(|.)6")
    let chosen = AnimationStream().flat { ending in
      ending.position == .start && ending.pose == .rest ? right(1) : nil
    }
    #expect(play(chosen, "---") == "0(a)1(|.)1")
  }

  @Test func endAtEachPosition() {
    let stream = AnimationStream(right(2), right(3))
    #expect(play(stream, "---<--") == "0(a)12(|b)0(<<.)00")
    #expect(play(stream, "---x--") == "0(a)12(|b)3(!!.)33")
    #expect(play(stream, "---g--") == "0(a)12(|b)5(|.)55")
  }

  @Test func emptyStreamsAndAnimationsEndAtOnce() {
    #expect(play(AnimationStream(), "---") == "0(.)00")
    #expect(play(AnimationStream(.empty, .empty), "--") == "0(a|b|.)0")
    #expect(play(AnimationStream(right(1), .empty), "---") == "0(a)1(|b|.)1")
    #expect(play(AnimationStream().forever(), "--") == "0(.)0")
    #expect(play(AnimationStream(.empty).forever(), "--") == "0(a|.)0")
  }

  @Test func gateRunsTheRemainingAnimations() {
    let stream = AnimationStream(right(2), right(3), right(4))
    #expect(play(stream, "g--") == "9(a|b|c|.)99")
    #expect(play(stream, "-g--") == "0(a)9(|b|c|.)99")
    // `forever` ends with the current pass.
    #expect(play(stream.take(2).forever(), "---g-") == "0(a)12(|b)5(|.)5")
    // An animation that repeats forever leaves the pose as it was.
    #expect(play(AnimationStream(right(3).repeatedForever()), "--g-") == "0(a)10(|.)0")
  }

  @Test func cancelledBeforeItsFirstTick() {
    for (position, marks) in [(AnimationPosition.start, "<."), (.current, "!.")] {
      var player = StreamPlayer(AnimationStream(right(2)), at: 500)
      player.end(at: position, at: 100)
      player.end(at: .end, at: 900)
      #expect(events(of: &player) == marks)
      #expect(player.isFinished)
    }
  }

  @Test func animationsStartBetweenTicks() {
    var player = StreamPlayer(AnimationStream(right(3)).forever(), at: 0)
    #expect(player.nextEvent == 0)
    player.advance(to: Marbles.time(10))
    #expect(events(of: &player) == "a|b|c|d")
    #expect(abs(player.pose.offset.x - 10) < 1e-9)
    #expect(player.nextEvent == Marbles.time(12))
    #expect(abs(player.velocity.offset.x - 10) < 1e-9)
  }

  @Test func endlessChoicesDoNotHang() {
    let stream = AnimationStream().flat { _ in .empty }
    var player = StreamPlayer(stream, at: 0)
    for tick in 0..<5 { player.advance(to: Marbles.time(tick)) }
    #expect(player.takeEvents().count < 20_000)
    #expect(!player.isFinished)
    player.end(at: .end, at: Marbles.time(6))
    #expect(player.takeEvents().last == .finished(.end))
  }

  @Test func copiesAdvanceIndependently() {
    var player = StreamPlayer(AnimationStream(right(2), right(2)), at: 0)
    player.advance(to: Marbles.time(1))
    var copy = player
    copy.end(at: .current, at: Marbles.time(1))
    player.advance(to: Marbles.time(3))
    #expect(copy.pose.offset.x == 1 && copy.isFinished)
    #expect(player.pose.offset.x == 3 && !player.isFinished)
  }
}
