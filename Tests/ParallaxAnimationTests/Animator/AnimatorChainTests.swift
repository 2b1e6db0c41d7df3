import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// Chains of property animators as their users write them, in marble notation (see `Marbles`).
@Suite("Chains of animators") struct AnimatorChainTests {
  private let card = AnimatedPose()
  private let told = Told()

  /// Paced evenly over so many ticks; tells its end behind its name.
  private func animator(_ ticks: Int, _ name: String = "") -> PropertyAnimator {
    let animator = PropertyAnimator(card, durationSeconds: Double(ticks) / 10, curve: .linear)
    animator.addCompletion { [told] in told.add($0, of: name) }
    return animator
  }

  /// Goes so many px to the right, one a tick.
  private func mover(_ ticks: Int, _ name: String = "") throws -> PropertyAnimator {
    let animator = animator(ticks, name)
    try animator.add(.moveBy(px(Double(ticks))))
    return animator
  }

  /// s start, d start after 2 ticks, p pause, r turn round, 5 scrub to the middle, c continue,
  /// C continue for a whole duration, h stop, < ! | finish there, x g end where it is, at the end.
  private func play(_ script: String, _ animator: PropertyAnimator) throws -> String {
    try Marbles.play(card, does: script, told: told) { letter, now in
      switch letter {
      case "s": try animator.start(atNanoseconds: now)
      case "d": try animator.start(afterSeconds: 0.2, atNanoseconds: now)
      case "p": try animator.pause(atNanoseconds: now)
      case "r": try animator.setReversed(!animator.isReversed, atNanoseconds: now)
      case "5": try animator.scrub(toFraction: 0.5, atNanoseconds: now)
      case "c": try animator.continue(atNanoseconds: now)
      case "C": try animator.continue(durationFactor: 1, atNanoseconds: now)
      case "h": try animator.stop(atNanoseconds: now)
      case "<": try animator.finish(at: .start, atNanoseconds: now)
      case "!": try animator.finish(at: .current, atNanoseconds: now)
      case "|": try animator.finish(at: .end, atNanoseconds: now)
      case "x": animator.end(at: .current, atNanoseconds: now)
      case "g": animator.end(at: .end, atNanoseconds: now)
      default: Issue.record("\(letter)?")
      }
    }
  }

  /// What is done with an animator of 6 px in 6 ticks, and what is seen and told.
  @Test(arguments: [
    ("it runs and ends", "-s--------", "00123456(|)66".spread),
    ("after a delay of two ticks", "d---------", "0001234 56(|)6".spread),
    ("started twice it runs once", "ss-s------", "0123456(|)666".spread),
    ("it pauses and goes on", "s--p--s---", "0123333 456(|)".spread),
    ("paused before it began", "p--s------", "000012345 6(|)".spread),
    ("a chain that reverses mid-way", "s---r-----", "012343210(<)0".spread),
    ("turned round twice", "s---r-r---", "0123432345".spread),
    ("reversed before it begins, it begins at its end", "rs--------", "0654321 0(<)00".spread),
    ("scrubbed before it begins", "5--s------", "333345 6(|)666".spread),
    ("scrubbed and turned round", "5--r-s----", "3333332 10(<)0".spread),
    ("what is left in the time that is left", "s-p-c-----", "0122234 5 6(|)6".spread),
    ("finish(at: start)", "s---h--<--", "0123444 0(<)00".spread),
    ("finish(at: current)", "s---h--!--", "0123444 4(!)44".spread),
    ("finish(at: end)", "s---h--|--", "0123444 6(|)66".spread),
    ("finish(at: start) of one that goes back", "s---rh-<--", "0123433 0(<)00".spread),
    ("finish(at: end) of one that goes back", "s---rh-|--", "0123433 6(|)66".spread),
    ("cancelled: it stays where it is", "s---x-----", "01234(!)44444".spread),
    ("the gate closes: it is at its end", "s---g-----", "0123 6(|)66666".spread),
    ("gated before it begins", "--g-------", "006(|)6666666".spread),
    ("cancelled before it begins", "--x-------", "000(!)0000000".spread),
    ("cancelled in its delay", "d-x-------", "000(!)0000000".spread),
  ])
  func `what is done, what is seen`(what: String, does: String, seen: String) throws {
    #expect(try play(does, mover(6)) == seen, "\(what)")
    #expect(told.count <= 1)
    #expect(card.nowNanoseconds == Marbles.time(does.count - 1))
  }

  @Test(arguments: ["--s-", "d---", "--g-"])
  func `an empty one ends at once, behind its delay`(does: String) throws {
    #expect(try play(does, animator(3)) == "000(|)0")
  }

  @Test func `one of no time is at its end at once`() throws {
    let animator = animator(0)
    try animator.add(.moveBy(px(4)))
    #expect(try play("-s--", animator) == "04(|)44")
  }

  @Test func `three in a row with a delay, each started by the end of the one before`() throws {
    let (first, second, third) = (try mover(2, "a"), try mover(3, "b"), try mover(2, "c"))
    first.addCompletion { [card] _ in
      try? second.start(afterSeconds: 0.2, atNanoseconds: card.nowNanoseconds)
    }
    second.addCompletion { [card] _ in try? third.start(atNanoseconds: card.nowNanoseconds) }
    #expect(try play("s-----------", first) == "012(a|)22345(b|)67(c|)77".spread)
  }

  @Test func `five repeats, each begun by its own end`() throws {
    let animator = animator(2)
    var passes = 0
    func again(_ position: AnimationPosition) {
      passes += 1
      guard passes < 5 else { return }
      try? animator.add(.moveBy(px(2)))
      animator.addCompletion { [told] in told.add($0) }
      animator.addCompletion(again)
      try? animator.start(atNanoseconds: card.nowNanoseconds)
    }
    try animator.add(.moveBy(px(2)))
    animator.addCompletion(again)
    #expect(
      try play("s------------", animator) == "012(|)34(|)56(|)78(|)9a(|)aa".spread)
  }

  @Test func `forever until cancelled`() throws {
    let animator = PropertyAnimator(card)
    animator.addCompletion { [told] in told.add($0) }
    try animator.add(right(3).autoreversed().repeatedForever())
    #expect(try play("s---------x--", animator) == "0123210123 2(!)22".spread)
    #expect(card.nextEventNanoseconds == nil)
  }

  @Test func `endless, turned round, it goes back the way it came and ends at its start`() throws {
    let animator = PropertyAnimator(card)
    animator.addCompletion { [told] in told.add($0) }
    try animator.add(right(9).repeatedForever())
    #expect(try play("s----r-------", animator) == "0123454321 0(<)00".spread)
  }

  @Test func `in parallel with different lengths`() throws {
    let animator = PropertyAnimator(card)
    animator.addCompletion { [told] in told.add($0) }
    try animator.add(right(2))
    try animator.add(right(5))
    #expect(try play("s------", animator) == "0245 67(|)7".spread)
  }

  @Test func `a parallel inside a sequence`() throws {
    let animator = PropertyAnimator(card)
    animator.addCompletion { [told] in told.add($0) }
    try animator.add(right(2).then(right(1), right(3)).then(right(2)))
    #expect(try play("s--------", animator) == "012456 78(|)8".spread)
  }

  @Test func `an animation is fitted into the animator's time`() throws {
    let animator = animator(4)
    try animator.add(right(2).then(.delay(0.2)))
    try animator.add(right(8))
    #expect(try play("s-----", animator) == "0368a(|)a")
  }

  @Test func `added at 40 %, it takes the remaining 60 %`() throws {
    let animator = try mover(10)
    let seen = try Marbles.play(card, does: "s---a-------", told: told) { letter, now in
      if letter == "s" { try animator.start(atNanoseconds: now) }
      if letter == "a" {
        #expect(abs(animator.fractionComplete - 0.4) < 1e-9)
        try animator.add(.moveBy(px(12)), atNanoseconds: now)
      }
    }
    // 1 px a tick, then 1 + 12 / 6.
    #expect(seen == "01234 7adgj m(|)m".spread)
  }

  @Test func `added at 40 % behind half of what is left, it takes the last 30 %`() throws {
    let animator = try mover(10)
    let seen = try Marbles.play(card, does: "s---a-------", told: told) { letter, now in
      if letter == "s" { try animator.start(atNanoseconds: now) }
      if letter == "a" { try animator.add(.moveBy(px(6)), delayFactor: 0.5, atNanoseconds: now) }
    }
    #expect(seen == "01234567adg(|)g".spread)
  }

  @Test func `added while it goes back, it takes the time back to the start`() throws {
    let animator = try mover(4)
    let seen = try Marbles.play(card, does: "s--ra-----", told: told) { letter, now in
      if letter == "s" { try animator.start(atNanoseconds: now) }
      if letter == "r" { try animator.setReversed(true, atNanoseconds: now) }
      if letter == "a" { try animator.add(.moveBy(px(6)), atNanoseconds: now) }
    }
    #expect(seen == "012324 6(<)666".spread)
  }

  @Test func `continued in twice the time, and by another curve`() throws {
    let animator = try mover(4)
    let seen = try Marbles.play(card, does: "s-pc--------", told: told) { letter, now in
      if letter == "s" { try animator.start(atNanoseconds: now) }
      if letter == "p" { try animator.pause(atNanoseconds: now) }
      if letter == "c" {
        try animator.continue(
          curve: .steps(StepCurve(2, .jumpEnd)), durationFactor: 1, atNanoseconds: now)
      }
    }
    #expect(seen == "0122233 4(|)4444".spread)
  }

  @Test func `animators in conflict add`() throws {
    let (there, back) = (try mover(6, "a"), animator(4, "b"))
    try back.add(.moveTo(.zero))
    let seen = try Marbles.play(card, does: "s--b------", told: told) { letter, now in
      if letter == "s" { try there.start(atNanoseconds: now) }
      if letter == "b" { try back.start(atNanoseconds: now) }
    }
    // The second goes from where the first will end, 6, to 0 in 4 ticks: -1.5 a tick, +1 a tick.
    #expect(seen == "0123?2?(a|)0(b|)00")
    #expect(card.target == .rest)
  }

  @Test func `pausing on completion it stands at its end and can be turned round`() throws {
    let animator = try mover(3)
    animator.pausesOnCompletion = true
    #expect(try play("s----rs----x", animator) == "0123333 21000(!)".spread)
  }

  @Test func `an animator lives on in its pose, and lets go of it`() throws {
    weak var pose: AnimatedPose?
    do {
      let card = AnimatedPose()
      pose = card
      try PropertyAnimator(card, durationSeconds: 1).start(atNanoseconds: 0)
      let animator = PropertyAnimator(card, durationSeconds: 1)
      try animator.add(.fadeTo(0))
      try animator.start(atNanoseconds: 0)
      #expect(card.activeCount == 1)
    }
    #expect(pose == nil)
  }
}

extension String {
  /// Blanks in it are for the eye.
  fileprivate var spread: String { filter { $0 != " " } }
}
