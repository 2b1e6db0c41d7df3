// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// Property animators, alone and in chains, in marble notation (see `Marbles`).
@Suite("Chains of animators") struct AnimatorChainTests {
  private let card = AnimatedPose()
  private let endings = Endings()

  /// Returns a linear animator whose ending is marked with its name.
  private func animator(_ ticks: Int, _ name: String = "") -> PropertyAnimator {
    let animator = PropertyAnimator(card, durationSeconds: Double(ticks) / 10, curve: .linear)
    animator.addCompletion { [endings] in endings.add($0, of: name) }
    return animator
  }

  /// Returns an animator that moves 1 px per tick to the right.
  private func mover(_ ticks: Int, _ name: String = "") throws -> PropertyAnimator {
    let animator = animator(ticks, name)
    try animator.add(.moveBy(px(Double(ticks))))
    return animator
  }

  /// s start, d start after 2 ticks, p pause, r reverse, 5 scrub to the middle, c continue, C
  /// continue for a full duration, h stop, < ! | finish there, x end where it is, g end at the end.
  private func play(_ script: String, _ animator: PropertyAnimator) throws -> String {
    try Marbles.play(card, does: script, endings: endings) { letter, now in
      switch letter {
      case "s": try animator.start(at: now)
      case "d": try animator.start(after: .seconds(0.2), at: now)
      case "p": try animator.pause(at: now)
      case "r": try animator.setReversed(!animator.isReversed, at: now)
      case "5": try animator.scrub(toFraction: 0.5, at: now)
      case "c": try animator.continue(at: now)
      case "C": try animator.continue(durationFactor: 1, at: now)
      case "h": try animator.stop(at: now)
      case "<": try animator.finish(at: .start, at: now)
      case "!": try animator.finish(at: .current, at: now)
      case "|": try animator.finish(at: .end, at: now)
      case "x": animator.end(at: .current, at: now)
      case "g": animator.end(at: .end, at: now)
      default: Issue.record("\(letter)?")
      }
    }
  }

  /// Scripts for an animator of 6 px in 6 ticks, and their output.
  @Test(arguments: [
    ("runs and ends", "-s--------", "00123456(|)66"),
    ("starts after a delay of two ticks", "d---------", "000123456(|)6"),
    ("started twice, runs once", "ss-s------", "0123456(|)666"),
    ("pauses and resumes", "s--p--s---", "0123333456(|)"),
    ("paused before its start", "p--s------", "0000123456(|)"),
    ("reversed twice", "s---r-r---", "0123432345"),
    ("reversed before its start, starts at its end", "rs--------", "06543210(<)00"),
    ("scrubbed before its start", "5--s------", "3333456(|)666"),
    ("scrubbed and reversed", "5--r-s----", "333333210(<)0"),
    ("continued in the remaining time", "s-p-c-----", "012223456(|)6"),
  ])
  func scriptsOfOneAnimator(name: String, script: String, output: String) throws {
    #expect(try play(script, mover(6)) == output, "\(name)")
  }

  @Test func chainReversesMidway() throws {
    #expect(try play("s---r-----", mover(6)) == "012343210(<)0")
    // In the middle of the second of three steps.
    let chain = PropertyAnimator(card)
    chain.addCompletion { [endings] in endings.add($0) }
    try chain.add(right(2).then(right(4)).then(right(3)))
    let output = try Marbles.play(card, does: "-s---r-----", endings: endings, from: 20) {
      letter, now in
      if letter == "s" { try chain.start(at: now) }
      if letter == "r" { try chain.setReversed(true, at: now) }
    }
    #expect(output == "0012343210(<)0")
  }

  @Test(arguments: [
    ("s---h--<--", "01234440(<)00"), ("s---h--!--", "01234444(!)44"),
    ("s---h--|--", "01234446(|)66"),
    // The same for a reversed one.
    ("s---rh-<--", "01234330(<)00"), ("s---rh-!--", "01234333(!)33"),
    ("s---rh-|--", "01234336(|)66"),
  ])
  func finishAtEachPosition(script: String, output: String) throws {
    #expect(try play(script, mover(6)) == output)
  }

  /// Scripts for an animator of 6 px with three completions.
  @Test(arguments: [
    ("runs to its end", "s--------", "0123456(|||)66"),
    ("reversed", "s--r-----", "0123210(<<<)00"),
    ("cancelled: stays where it is", "s---x----", "01234(!!!)4444"),
    ("cancelled during its delay", "d-x------", "000(!!!)000000"),
    ("cancelled before its start", "--x------", "000(!!!)000000"),
    ("the gate closes in the middle", "s---g----", "01236(|||)6666"),
    ("gated before its start", "--g------", "006(|||)666666"),
    ("stopped and finished", "s-h-!----", "01222(!!!)2222"),
    ("ended twice", "s---x-g-x", "01234(!!!)4444"),
  ])
  func completionsFireOnceWithTheirPosition(
    name: String, script: String, output: String
  ) throws {
    let animator = try mover(6)
    for _ in 0..<2 { animator.addCompletion { [endings] in endings.add($0) } }
    #expect(try play(script, animator) == output, "\(name)")
    #expect(endings.count == 3)
  }

  @Test(arguments: ["--s-", "d---", "--g-"])
  func emptyAnimatorEndsAfterItsDelay(script: String) throws {
    #expect(try play(script, animator(3)) == "000(|)0")
  }

  @Test func zeroDurationEndsAtOnce() throws {
    let animator = animator(0)
    try animator.add(.moveBy(px(4)))
    #expect(try play("-s--", animator) == "04(|)44")
  }

  @Test func completionsStartTheNextAnimator() throws {
    let (first, second, third) = (try mover(2, "a"), try mover(3, "b"), try mover(2, "c"))
    first.addCompletion { [card] _ in
      try? second.start(after: .seconds(0.2), at: card.now)
    }
    second.addCompletion { [card] _ in try? third.start(at: card.now) }
    #expect(try play("s-----------", first) == "012(a|)22345(b|)67(c|)77")
  }

  @Test func completionsRestartTheirAnimator() throws {
    let animator = animator(2)
    var passes = 0
    func again(_ position: AnimationPosition) {
      passes += 1
      guard passes < 5 else { return }
      try? animator.add(.moveBy(px(2)))
      animator.addCompletion { [endings] in endings.add($0) }
      animator.addCompletion(again)
      try? animator.start(at: card.now)
    }
    try animator.add(.moveBy(px(2)))
    animator.addCompletion(again)
    #expect(
      try play("s------------", animator) == "012(|)34(|)56(|)78(|)9a(|)aa")
  }

  @Test func endlessAnimatorRunsUntilCancelled() throws {
    let animator = PropertyAnimator(card)
    animator.addCompletion { [endings] in endings.add($0) }
    try animator.add(right(3).autoreversed().repeatedForever())
    #expect(try play("s---------x--", animator) == "01232101232(!)22")
    #expect(card.nextEvent == nil)
  }

  @Test func reversedEndlessAnimatorEndsAtItsStart() throws {
    let animator = PropertyAnimator(card)
    animator.addCompletion { [endings] in endings.add($0) }
    try animator.add(right(9).repeatedForever())
    #expect(try play("s----r-------", animator) == "01234543210(<)00")
  }

  @Test func manyAnimatorsEndAtOneTick() throws {
    for _ in 0..<1100 { try mover(1).start(at: 0) }
    card.advance(to: Marbles.time(1))
    #expect(endings.count == 1100)
    #expect(card.activeCount == 0 && card.pose.offset.x == 1100)
  }

  @Test func parallelOfDifferentDurations() throws {
    let animator = PropertyAnimator(card)
    animator.addCompletion { [endings] in endings.add($0) }
    try animator.add(right(2))
    try animator.add(right(5))
    #expect(try play("s------", animator) == "024567(|)7")
  }

  @Test func parallelInASequence() throws {
    let animator = PropertyAnimator(card)
    animator.addCompletion { [endings] in endings.add($0) }
    try animator.add(right(2).then(right(1), right(3)).then(right(2)))
    #expect(try play("s--------", animator) == "01245678(|)8")
  }

  @Test func animationsFitTheAnimatorsDuration() throws {
    let animator = animator(4)
    try animator.add(right(2).then(.delay(.seconds(0.2))))
    try animator.add(right(8))
    #expect(try play("s-----", animator) == "0368a(|)a")
  }

  @Test func additionTakesTheRemainingTime() throws {
    let animator = try mover(10)
    let output = try Marbles.play(card, does: "s---a-------", endings: endings) { letter, now in
      if letter == "s" { try animator.start(at: now) }
      if letter == "a" {
        #expect(abs(animator.fractionComplete - 0.4) < 1e-9)
        try animator.add(.moveBy(px(12)), at: now)
      }
    }
    // 1 px per tick, then 1 + 12 / 6.
    #expect(output == "012347adgjm(|)m")
  }

  @Test func delayedAdditionTakesTheLastPart() throws {
    let animator = try mover(10)
    let output = try Marbles.play(card, does: "s---a-------", endings: endings) { letter, now in
      if letter == "s" { try animator.start(at: now) }
      if letter == "a" { try animator.add(.moveBy(px(6)), delayFactor: 0.5, at: now) }
    }
    #expect(output == "01234567adg(|)g")
  }

  @Test func additionInReverseTakesTheTimeToTheStart() throws {
    let animator = try mover(4)
    let output = try Marbles.play(card, does: "s--ra-----", endings: endings) { letter, now in
      if letter == "s" { try animator.start(at: now) }
      if letter == "r" { try animator.setReversed(true, at: now) }
      if letter == "a" { try animator.add(.moveBy(px(6)), at: now) }
    }
    #expect(output == "0123246(<)666")
  }

  @Test func continuesWithAnotherDurationAndCurve() throws {
    let animator = try mover(4)
    let output = try Marbles.play(card, does: "s-pc--------", endings: endings) { letter, now in
      if letter == "s" { try animator.start(at: now) }
      if letter == "p" { try animator.pause(at: now) }
      if letter == "c" {
        try animator.continue(
          curve: .steps(StepCurve(2, .jumpEnd)), durationFactor: 1, at: now)
      }
    }
    #expect(output == "01222334(|)4444")
  }

  @Test func conflictingAnimatorsAddUp() throws {
    let (forward, back) = (try mover(6, "a"), animator(4, "b"))
    try back.add(.moveTo(.zero))
    let output = try Marbles.play(card, does: "s--b------", endings: endings) { letter, now in
      if letter == "s" { try forward.start(at: now) }
      if letter == "b" { try back.start(at: now) }
    }
    // The second moves from the end of the first, 6, to 0 in 4 ticks: -1.5 and +1 px per tick.
    #expect(output == "0123?2?(a|)0(b|)00")
    #expect(card.target == .rest)
  }

  @Test func reversedAnimatorTakesBackItsOwnPart() throws {
    let (six, other) = (try mover(6), try mover(9))
    let output = try Marbles.play(card, does: "s--r------", endings: endings) { letter, now in
      if letter == "s" { for animator in [six, other] { try animator.start(at: now) } }
      if letter == "r" { try six.setReversed(true, at: now) }
    }
    #expect(output == "0246666(<)789(|)")
  }

  @Test func fractionIsInTheCurrentDirection() throws {
    let animator = try mover(10)
    _ = try play("s--", animator)
    #expect(abs(animator.fractionComplete - 0.2) < 1e-9)
    try animator.setReversed(true, at: Marbles.time(2))
    #expect(abs(animator.fractionComplete - 0.8) < 1e-9)
  }

  @Test func endlessAnimationsFitNoDuration() throws {
    let endless = right(1).repeatedForever()
    let animator = try mover(6)
    #expect(throws: AnimatorError.isEndless) { try animator.add(endless) }
    try animator.start(at: 0)
    #expect(throws: AnimatorError.isEndless) { try animator.add(endless) }
    let natural = PropertyAnimator(card)
    try natural.add(endless)
    #expect(throws: AnimatorError.isEndless) {
      try natural.scrub(toFraction: 0.5, at: 0)
    }
  }

  @Test func pausedOnCompletionItCanBeReversed() throws {
    let animator = try mover(3)
    animator.pausesOnCompletion = true
    #expect(try play("s----rs----x", animator) == "012333321000(!)")
  }

  @Test func poseKeepsItsAnimatorsAlive() throws {
    weak var pose: AnimatedPose?
    do {
      let card = AnimatedPose()
      pose = card
      try PropertyAnimator(card, durationSeconds: 1).start(at: 0)
      let animator = PropertyAnimator(card, durationSeconds: 1)
      try animator.add(.fadeTo(0))
      try animator.start(at: 0)
      #expect(card.activeCount == 1)
    }
    #expect(pose == nil)
  }
}
