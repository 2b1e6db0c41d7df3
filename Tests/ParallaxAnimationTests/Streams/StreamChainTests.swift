import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// Streams as their users write them, in marble notation (see `Marbles`): in brackets a letter where an
/// animation begins, `|` where one ends, `.` where the stream itself does.
@Suite("Streams of animations") struct StreamChainTests {
  /// - Parameter script: x cancel where it is, < cancel back, g the gate closes; one letter a tick.
  private func play(_ stream: AnimationStream, _ script: String) -> String {
    var player = StreamPlayer(stream, atNanoseconds: 0)
    var line = ""
    for (tick, letter) in script.enumerated() {
      let now = Marbles.time(tick)
      player.advance(toNanoseconds: now)
      switch letter {
      case "x": player.end(at: .current, atNanoseconds: now)
      case "<": player.end(at: .start, atNanoseconds: now)
      case "g": player.end(at: .end, atNanoseconds: now)
      default: break
      }
      line += Marbles.seen(player.pose.offset.x, told(by: &player))
    }
    return line
  }

  private func told(by player: inout StreamPlayer) -> String {
    player.takeEvents().map { event in
      switch event {
      case .began(let number): String(Marbles.letters[number % 26])
      case .ended(_, let position): position.mark
      case .finished(let position): position == .end ? "." : position.mark + "."
      }
    }.joined()
  }

  @Test func `three in a row with a delay`() {
    let stream = AnimationStream(right(2), right(3).delayed(by: 0.2), right(1))
    #expect(play(stream, "---------") == "0(a)12(|b)22345(|c)6(|.)")
  }

  @Test func `five repeats`() {
    let stream = AnimationStream(right(2).repeated(5))
    #expect(play(stream, "------------") == "0(a)123456789a(|.)a")
    let pulled = AnimationStream(right(2)).forever().take(5)
    #expect(play(pulled, "------------") == "0(a)12(|b)34(|c)56(|d)78(|e)9a(|.)a")
  }

  @Test func `forever until cancelled`() {
    let stream = AnimationStream(right(2), right(2).reversed()).forever()
    #expect(play(stream, "---------x--") == "0(a)12(|b)10(|c)12(|d)10(|e)1(!!.)11")
    #expect(play(stream, "-----<---") == "0(a)12(|b)10(|c)0(<<.)000")
  }

  @Test func `concat of a list`() {
    let streams = [
      AnimationStream(right(1), right(2)), AnimationStream(), AnimationStream(right(1)),
    ]
    #expect(play(.concat(streams), "------") == "0(a)1(|b)23(|c)4(|.)4")
    #expect(play(.concat([]), "--") == "0(.)0")
    #expect(play(streams[2].concat(streams[0]), "-----") == "0(a)1(|b)2(|c)34(|.)")
  }

  @Test func `take 2 of 5`() {
    let five = AnimationStream((1...5).map(right))
    #expect(play(five.take(2), "------") == "0(a)1(|b)23(|.)33")
    #expect(play(five.take(0), "--") == "0(.)0")
    #expect(play(five.take(99), "----------------") == play(five, "----------------"))
  }

  @Test func `a delay is a part of the first animation`() {
    let stream = AnimationStream(right(2), right(1)).delayed(by: 0.3)
    #expect(play(stream, "--------") == "0(a)00012(|b)3(|.)3")
    #expect(play(stream.take(1), "-------") == "0(a)00012(|.)2")
    // Of every pass, where the pass is what is delayed.
    #expect(play(stream.take(1).forever(), "---------") == "0(a)00012(|b)222")
  }

  @Test func `in parallel with different lengths`() {
    let stream = AnimationStream(right(2).with(right(4)), right(1))
    #expect(play(stream, "-------") == "0(a)2456(|b)7(|.)7")
  }

  @Test func `a parallel inside a sequence`() {
    let stream = AnimationStream(right(1).then(right(1), right(3)).then(right(1)))
    #expect(play(stream, "-------") == "0(a)13456(|.)6")
  }

  @Test func `a chain that reverses mid-way`() {
    let there = right(3).then(right(2))
    let stream = AnimationStream(there, there.reversed())
    #expect(play(stream, "-----------") == "0(a)12345(|b)43210(|.)")
  }

  @Test func `chosen by the end of the one before`() {
    let stream = AnimationStream(right(3)).flat { ending in
      if ending.pose.offset.x > 5 { return nil }
      return ending.pose.offset.x > 2 ? right(1) : right(2)
    }
    #expect(play(stream, "--------") == "0(a)123(|b)4(|c)5(|d)6(|.)6")
    let told = AnimationStream().flat { ending in
      ending.position == .start && ending.pose == .rest ? right(1) : nil
    }
    #expect(play(told, "---") == "0(a)1(|.)1")
  }

  @Test func `finish at the start, where it is, at the end`() {
    let stream = AnimationStream(right(2), right(3))
    #expect(play(stream, "---<--") == "0(a)12(|b)0(<<.)00")
    #expect(play(stream, "---x--") == "0(a)12(|b)3(!!.)33")
    #expect(play(stream, "---g--") == "0(a)12(|b)5(|.)55")
  }

  @Test func `an empty stream ends at once, and so do empty animations`() {
    #expect(play(AnimationStream(), "---") == "0(.)00")
    #expect(play(AnimationStream(.empty, .empty), "--") == "0(a|b|.)0")
    #expect(play(AnimationStream(right(1), .empty), "---") == "0(a)1(|b|.)1")
    #expect(play(AnimationStream().forever(), "--") == "0(.)0")
    #expect(play(AnimationStream(.empty).forever(), "--") == "0(a|.)0")
  }

  @Test func `gated, what was to come begins and ends too`() {
    let stream = AnimationStream(right(2), right(3), right(4))
    #expect(play(stream, "g--") == "9(a|b|c|.)99")
    #expect(play(stream, "-g--") == "0(a)9(|b|c|.)99")
    // Forever is over with the pass that is under way.
    #expect(play(stream.take(2).forever(), "---g-") == "0(a)12(|b)5(|.)5")
    // What repeats forever leaves the pose as it was.
    #expect(play(AnimationStream(right(3).repeatedForever()), "--g-") == "0(a)10(|.)0")
  }

  @Test func `cancelled before its first tick it tells its own end alone`() {
    for (position, marks) in [(AnimationPosition.start, "<."), (.current, "!.")] {
      var player = StreamPlayer(AnimationStream(right(2)), atNanoseconds: 500)
      player.end(at: position, atNanoseconds: 100)
      player.end(at: .end, atNanoseconds: 900)
      #expect(told(by: &player) == marks)
      #expect(player.isFinished)
    }
  }

  @Test func `animations begin when the one before ends, not at the tick`() {
    var player = StreamPlayer(AnimationStream(right(3)).forever(), atNanoseconds: 0)
    #expect(player.nextEventNanoseconds == 0)
    player.advance(toNanoseconds: Marbles.time(10))
    #expect(told(by: &player) == "a|b|c|d")
    #expect(abs(player.pose.offset.x - 10) < 1e-9)
    #expect(player.nextEventNanoseconds == Marbles.time(12))
    #expect(abs(player.velocity.offset.x - 10) < 1e-9)
  }

  @Test func `choices without time and without end do not hang`() {
    let stream = AnimationStream().flat { _ in .empty }
    var player = StreamPlayer(stream, atNanoseconds: 0)
    for tick in 0..<5 { player.advance(toNanoseconds: Marbles.time(tick)) }
    #expect(player.takeEvents().count < 20_000)
    #expect(!player.isFinished)
    player.end(at: .end, atNanoseconds: Marbles.time(6))
    #expect(player.takeEvents().last == .finished(.end))
  }

  @Test func `a player that is copied goes its own way`() {
    var player = StreamPlayer(AnimationStream(right(2), right(2)), atNanoseconds: 0)
    player.advance(toNanoseconds: Marbles.time(1))
    var copy = player
    copy.end(at: .current, atNanoseconds: Marbles.time(1))
    player.advance(toNanoseconds: Marbles.time(3))
    #expect(copy.pose.offset.x == 1 && copy.isFinished)
    #expect(player.pose.offset.x == 3 && !player.isFinished)
  }
}
