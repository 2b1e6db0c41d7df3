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
    ("it runs and ends", "-s--------", "00123456(|)66"),
    ("after a delay of two ticks", "d---------", "000123456(|)6"),
    ("started twice it runs once", "ss-s------", "0123456(|)666"),
    ("it pauses and goes on", "s--p--s---", "0123333456(|)"),
    ("paused before it began", "p--s------", "0000123456(|)"),
    ("turned round twice", "s---r-r---", "0123432345"),
    ("reversed before it begins, it begins at its end", "rs--------", "06543210(<)00"),
    ("scrubbed before it begins", "5--s------", "3333456(|)666"),
    ("scrubbed and turned round", "5--r-s----", "333333210(<)0"),
    ("what is left in the time that is left", "s-p-c-----", "012223456(|)6"),
  ])
  func `what is done, what is seen`(what: String, does: String, seen: String) throws {
    #expect(try play(does, mover(6)) == seen, "\(what)")
  }

  @Test func `a chain that reverses mid-way`() throws {
    #expect(try play("s---r-----", mover(6)) == "012343210(<)0")
    // In the middle of the second of three steps.
    let chain = PropertyAnimator(card)
    chain.addCompletion { [told] in told.add($0) }
    try chain.add(right(2).then(right(4)).then(right(3)))
    let seen = try Marbles.play(card, does: "-s---r-----", told: told, from: 20) { letter, now in
      if letter == "s" { try chain.start(atNanoseconds: now) }
      if letter == "r" { try chain.setReversed(true, atNanoseconds: now) }
    }
    #expect(seen == "0012343210(<)0")
  }

  @Test(arguments: [
    ("s---h--<--", "01234440(<)00"), ("s---h--!--", "01234444(!)44"),
    ("s---h--|--", "01234446(|)66"),
    // The same of one that goes back.
    ("s---rh-<--", "01234330(<)00"), ("s---rh-!--", "01234333(!)33"),
    ("s---rh-|--", "01234336(|)66"),
  ])
  func `finish(at:) for all three positions`(does: String, seen: String) throws {
    #expect(try play(does, mover(6)) == seen)
  }

  /// Of an animator of 6 px with three completions.
  @Test(arguments: [
    ("run to its end", "s--------", "0123456(|||)66"),
    ("turned round", "s--r-----", "0123210(<<<)00"),
    ("cancelled: it stays where it is", "s---x----", "01234(!!!)4444"),
    ("cancelled in its delay", "d-x------", "000(!!!)000000"),
    ("cancelled before it begins", "--x------", "000(!!!)000000"),
    ("the gate closes in the middle", "s---g----", "01236(|||)6666"),
    ("gated before it begins", "--g------", "006(|||)666666"),
    ("stopped and finished", "s-h-!----", "01222(!!!)2222"),
    ("ended twice", "s---x-g-x", "01234(!!!)4444"),
  ])
  func `every completion fires once, with its position`(
    what: String, does: String, seen: String
  ) throws {
    let animator = try mover(6)
    for _ in 0..<2 { animator.addCompletion { [told] in told.add($0) } }
    #expect(try play(does, animator) == seen, "\(what)")
    #expect(told.count == 3)
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
    #expect(try play("s-----------", first) == "012(a|)22345(b|)67(c|)77")
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
      try play("s------------", animator) == "012(|)34(|)56(|)78(|)9a(|)aa")
  }

  @Test func `forever until cancelled`() throws {
    let animator = PropertyAnimator(card)
    animator.addCompletion { [told] in told.add($0) }
    try animator.add(right(3).autoreversed().repeatedForever())
    #expect(try play("s---------x--", animator) == "01232101232(!)22")
    #expect(card.nextEventNanoseconds == nil)
  }

  @Test func `endless, turned round, it goes back the way it came and ends at its start`() throws {
    let animator = PropertyAnimator(card)
    animator.addCompletion { [told] in told.add($0) }
    try animator.add(right(9).repeatedForever())
    #expect(try play("s----r-------", animator) == "01234543210(<)00")
  }

  @Test func `1100 that end at one tick all tell it at that tick`() throws {
    for _ in 0..<1100 { try mover(1).start(atNanoseconds: 0) }
    card.advance(toNanoseconds: Marbles.time(1))
    #expect(told.count == 1100)
    #expect(card.activeCount == 0 && card.pose.offset.x == 1100)
  }

  @Test func `in parallel with different lengths`() throws {
    let animator = PropertyAnimator(card)
    animator.addCompletion { [told] in told.add($0) }
    try animator.add(right(2))
    try animator.add(right(5))
    #expect(try play("s------", animator) == "024567(|)7")
  }

  @Test func `a parallel inside a sequence`() throws {
    let animator = PropertyAnimator(card)
    animator.addCompletion { [told] in told.add($0) }
    try animator.add(right(2).then(right(1), right(3)).then(right(2)))
    #expect(try play("s--------", animator) == "01245678(|)8")
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
    #expect(seen == "012347adgjm(|)m")
  }

  @Test func `added at 40 % behind half of what is left, it takes the last 30 %`() throws {
    let animator = try mover(10)
    let seen = try Marbles.play(card, does: "s---a-------", told: told) { letter, now in
      if letter == "s" { try animator.start(atNanoseconds: now) }
      if letter == "a" { try animator.add(.moveBy(px(6)), delayFactor: 0.5, atNanoseconds: now) }
    }
    #expect(seen == "01234567adg(|)g")
  }

  @Test func `added while it goes back, it takes the time back to the start`() throws {
    let animator = try mover(4)
    let seen = try Marbles.play(card, does: "s--ra-----", told: told) { letter, now in
      if letter == "s" { try animator.start(atNanoseconds: now) }
      if letter == "r" { try animator.setReversed(true, atNanoseconds: now) }
      if letter == "a" { try animator.add(.moveBy(px(6)), atNanoseconds: now) }
    }
    #expect(seen == "0123246(<)666")
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
    #expect(seen == "01222334(|)4444")
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

  @Test func `turned round, it takes back its own part alone`() throws {
    let (six, other) = (try mover(6), try mover(9))
    let seen = try Marbles.play(card, does: "s--r------", told: told) { letter, now in
      if letter == "s" { for animator in [six, other] { try animator.start(atNanoseconds: now) } }
      if letter == "r" { try six.setReversed(true, atNanoseconds: now) }
    }
    #expect(seen == "0246666(<)789(|)")
  }

  @Test func `the fraction is that of the way before it, whichever way it goes`() throws {
    let animator = try mover(10)
    _ = try play("s--", animator)
    #expect(abs(animator.fractionComplete - 0.2) < 1e-9)
    try animator.setReversed(true, atNanoseconds: Marbles.time(2))
    #expect(abs(animator.fractionComplete - 0.8) < 1e-9)
  }

  @Test func `what has no end fits into no time`() throws {
    let endless = right(1).repeatedForever()
    let animator = try mover(6)
    #expect(throws: AnimatorError.isEndless) { try animator.add(endless) }
    try animator.start(atNanoseconds: 0)
    #expect(throws: AnimatorError.isEndless) { try animator.add(endless) }
    let natural = PropertyAnimator(card)
    try natural.add(endless)
    #expect(throws: AnimatorError.isEndless) {
      try natural.scrub(toFraction: 0.5, atNanoseconds: 0)
    }
  }

  @Test func `pausing on completion it stands at its end and can be turned round`() throws {
    let animator = try mover(3)
    animator.pausesOnCompletion = true
    #expect(try play("s----rs----x", animator) == "012333321000(!)")
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
