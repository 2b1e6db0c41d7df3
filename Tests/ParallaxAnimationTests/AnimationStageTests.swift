// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxAnimation
import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// 12 px to the right in 1 s, at constant speed.
private let right = Animation.move(
  by: PixelOffset(x: 12, y: 0), duration: .seconds(1), curve: .linear)
private let springy = Animation.move(
  to: PixelOffset(x: 100, y: 0), curve: .spring(response: .seconds(0.5), damping: 0.6))

/// A stage as a reference type.
private final class StageReference {
  private var stage = AnimationStage(fadeSeconds: 0.3)

  var isMoving: Bool { stage.isMoving }
  var layers: [StageLayer] { stage.layers }
  var nextEvent: MotionInstant? { stage.nextEvent }

  func layer(_ name: String?) -> StageLayer? { stage.layer(name) }
  func x(_ layer: String? = nil) -> Double { stage.layer(layer)?.pose.offset.x ?? 0 }
  func advance(to now: MotionInstant) { stage.advance(to: now) }
  func completeAll(at now: MotionInstant) { stage.completeAll(at: now) }
  func takeReports() -> [StageReport] { stage.takeReports() }

  @discardableResult
  func start(_ id: String, _ timeline: Timeline<Pose>, layer: String?, at now: MotionInstant)
    -> StageRun
  {
    stage.start(id, timeline, layer: layer, at: now)
  }

  func complete(_ run: StageRun, at now: MotionInstant) {
    stage.complete(run, at: now)
  }

  func cancel(_ run: StageRun, at now: MotionInstant) { stage.cancel(run, at: now) }

  @discardableResult
  func stop(id: String?, at now: MotionInstant) -> Bool {
    stage.stop(id: id, at: now)
  }

  /// Returns the new reports, such as `nudge started`.
  func reports() -> [String] {
    stage.takeReports().map { report in
      switch report.event {
      case .started: "\(report.id) started"
      case .step: "\(report.id) step"
      case .changed(let state): "\(report.id) \(state.phase)"
      case .completed(let position): "\(report.id) completed \(position)"
      case .cancelled(let position): "\(report.id) cancelled \(position)"
      }
    }
  }
}

@Suite("Animation stage") struct AnimationStageTests {
  private let stage = StageReference()

  @Test func runStartsMovesEndsAndLeavesItsPose() {
    stage.start("nudge", Timeline(right), layer: nil, at: instant(5))
    #expect(stage.reports() == ["nudge started"])
    stage.advance(to: instant(5.25))
    #expect(stage.x() == 3)
    #expect(stage.isMoving)
    #expect(stage.nextEvent == instant(6))
    stage.advance(to: instant(6))
    #expect(stage.x() == 12)
    #expect(stage.reports() == ["nudge completed end"])
    #expect(!stage.isMoving)
    stage.advance(to: instant(60))
    #expect(stage.x() == 12)
    #expect(stage.reports().isEmpty)
  }

  @Test func nextAnimationStartsFromTheRetainedPose() {
    for start in [0.0, 2] {
      stage.start("nudge", Timeline(right), layer: nil, at: instant(start))
      stage.advance(to: instant(start + 1))
    }
    #expect(stage.x() == 24)
    let home = Animation.move(to: .zero, duration: .seconds(1), curve: .linear)
    stage.start("home", Timeline(home), layer: nil, at: instant(4))
    stage.advance(to: instant(4.5))
    #expect(stage.x() == 12)
    stage.advance(to: instant(5))
    #expect(stage.x() == 0)
  }

  @Test func animationsOnOneLayerAddUp() {
    stage.start("a", Timeline(right), layer: "card", at: 0)
    stage.start("b", Timeline(right), layer: "card", at: instant(0.5))
    stage.start("c", Timeline(.fade(to: 0, duration: .seconds(1))), layer: nil, at: instant(0.5))
    stage.advance(to: instant(1))
    #expect(stage.x("card") == 18)
    #expect(stage.x() == 0)
    #expect(stage.layer("card")?.channels == .offset)
    #expect(stage.layer(nil)?.channels == .opacity)
    #expect(stage.layer("fg") == nil)
  }

  @Test func outermostStepsAreReportedOncePerFrame() {
    let chain = Timeline(right.then(.delay(.seconds(0.5))).then(right).then(.empty))
    stage.start("chain", chain, layer: nil, at: 0)
    #expect(stage.reports() == ["chain started"])
    #expect(stage.nextEvent == instant(1))
    stage.advance(to: instant(1))
    #expect(stage.reports() == ["chain step"])
    // Two parts have ended since, in one report.
    stage.advance(to: instant(3))
    #expect(stage.reports() == ["chain step", "chain completed end"])
  }

  @Test func emptyAnimationCompletesAtOnce() {
    stage.start("nothing", Timeline(.empty), layer: nil, at: 0)
    #expect(stage.reports() == ["nothing started", "nothing completed end"])
    #expect(!stage.isMoving)
    #expect(stage.layers.isEmpty)
  }

  @Test func endlessAnimationReportsItsPasses() {
    stage.start(
      "breathe", Timeline(right.autoreversed().repeatedForever()), layer: nil, at: 0)
    stage.advance(to: instant(3601))
    #expect(stage.x() == 12)
    #expect(stage.reports() == ["breathe started", "breathe step"])
    #expect(stage.nextEvent == instant(3602))
    #expect(stage.isMoving)
  }

  @Test func cancelledRunEasesBackToItsStart() {
    let run = stage.start("nudge", Timeline(right), layer: nil, at: 0)
    stage.cancel(run, at: instant(0.5))
    #expect(stage.reports() == ["nudge started", "nudge cancelled start"])
    #expect(stage.x() == 6)
    var last = 6.0
    for tick in 1...9 {
      stage.advance(to: instant(0.5) + .seconds(1) * Int64(tick) / 30)
      #expect(stage.x() <= last)
      last = stage.x()
    }
    #expect(last == 0)
    #expect(stage.layers.isEmpty)
    #expect(!stage.isMoving)
    // The run is over; cancelling it again has no effect.
    stage.cancel(run, at: instant(1))
    #expect(stage.reports().isEmpty)
  }

  @Test func stopRevertsRetainedPosesByIDOrAll() {
    stage.start("a", Timeline(right), layer: nil, at: 0)
    stage.start("b", Timeline(right), layer: nil, at: 0)
    stage.advance(to: instant(1))
    #expect(stage.x() == 24)
    #expect(stage.stop(id: "a", at: instant(1)))
    stage.advance(to: instant(2))
    #expect(stage.x() == 12)
    #expect(!stage.stop(id: "a", at: instant(2)))
    stage.start("c", Timeline(right), layer: nil, at: instant(2))
    _ = stage.reports()
    #expect(stage.stop(id: nil, at: instant(2.5)))
    #expect(stage.reports() == ["c cancelled start"])
    stage.advance(to: instant(4))
    #expect(stage.layers.isEmpty)
  }

  @Test func completeAllFreezesThePictureDuringTheFade() {
    stage.start("nudge", Timeline(right), layer: nil, at: 0)
    stage.start(
      "breathe", Timeline(right.autoreversed().repeatedForever()), layer: nil, at: 0)
    stage.completeAll(at: instant(0.25))
    #expect(
      stage.reports() == [
        "nudge started", "breathe started", "nudge completed end", "breathe completed end",
      ])
    #expect(stage.x() == 6)
    stage.advance(to: instant(0.55))
    #expect(stage.x() == 6)
    stage.advance(to: instant(1))
    #expect(stage.x() == 12)
    #expect(!stage.isMoving)
  }

  @Test func completeMovesToTheEndAtOnce() {
    let run = stage.start("nudge", Timeline(right), layer: nil, at: 0)
    stage.complete(run, at: 0)
    #expect(stage.reports() == ["nudge started", "nudge completed end"])
    #expect(stage.x() == 12)
  }

  @Test func restartContinuesToTheSameTarget() {
    stage.start("nudge", Timeline(right), layer: nil, at: 0)
    stage.advance(to: instant(0.5))
    _ = stage.reports()
    stage.start("nudge", Timeline(right), layer: nil, at: instant(0.5))
    #expect(stage.reports() == ["nudge cancelled current", "nudge started"])
    #expect(stage.x() == 6)
    stage.advance(to: instant(1))
    #expect(stage.x() == 9)
    stage.advance(to: instant(2))
    #expect(stage.x() == 12)
  }

  @Test func restartedSpringKeepsPositionAndVelocity() {
    var random = SeededGenerator.forTest()
    var now: MotionInstant = 0
    let (small, response) = (1e-5, 0.5)
    stage.start("card", Timeline(springy), layer: nil, at: 0)
    for turn in 0..<10_000 {
      now += .nanoseconds(.random(in: 1_000_000...200_000_000, using: &random))
      stage.advance(to: now)
      guard stage.isMoving else { break }
      let before = stage.x()
      stage.advance(to: now + 10_000)
      let speedBefore = (stage.x() - before) / small
      let there = stage.x()
      let target = PixelOffset(x: Double.random(in: -100...100, using: &random), y: 0)
      let next = Animation.move(
        to: target, curve: .spring(response: .seconds(response), damping: 0.6))
      stage.start("card", Timeline(next), layer: nil, at: now + 10_000)
      #expect(abs(stage.x() - there) < 1e-9)
      stage.advance(to: now + 20_000)
      let speedAfter = (stage.x() - there) / small
      // The force of the spring bounds the acceleration: w^2 * distance + 2 z w * speed.
      let w = 2 * Double.pi / response
      let pull = w * w * (there - target.x).magnitude + 2 * 0.6 * w * speedBefore.magnitude
      #expect(abs(speedAfter - speedBefore) < 2 * small * (pull + w * w * 250) + 1e-3, "\(turn)")
      now += 20_000
    }
  }

  @Test func retainedPosesAreMergedWithoutAJump() {
    let nudge = Timeline(.move(by: PixelOffset(x: 1, y: 0), duration: .seconds(0)))
    for number in 0..<1000 {
      stage.start("n\(number)", nudge, layer: nil, at: MotionInstant(nanoseconds: Int64(number)))
    }
    #expect(stage.x() == 1000)
    stage.stop(id: "n999", at: 1000)
    stage.advance(to: instant(1))
    #expect(stage.x() == 999)
    stage.stop(id: nil, at: instant(1))
    stage.advance(to: instant(2))
    #expect(stage.layers.isEmpty)
  }

  @Test(.enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"))
  func framesDoNotAllocate() {
    for number in 0..<20 {
      stage.start(
        "a\(number)", Timeline(springy.with(right.repeated(1000).delayed(by: .seconds(1)))),
        layer: number % 2 == 0 ? nil : "card", at: 0)
    }
    stage.advance(to: instant(1))
    _ = stage.takeReports()
    var now = instant(1)
    let count = AllocationCount.during {
      for _ in 0..<100 {
        now += .seconds(1) / 60
        stage.advance(to: now)
      }
    }
    #expect(count == 0)
    #expect(stage.x() > 0)
  }

  /// Nor do those of runs that a hand has scrubbed, let go and extended.
  @Test(.enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"))
  func framesOfHeldRunsDoNotAllocate() throws {
    var stage = AnimationStage(fadeSeconds: 0.3)
    let runs = (0..<32).map {
      stage.start("a\($0)", Timeline(right), layer: $0 % 2 == 0 ? nil : "card", at: 0)
    }
    for (index, run) in runs.enumerated() {
      try stage.perform(.pause, on: run, at: 0)
      try stage.perform(.seek(0.5), on: run, at: 0)
      try stage.perform(.add(Timeline(right), delayFactor: 0.5), on: run, at: 0)
      guard index % 2 == 0 else { continue }
      let spring = Curve.spring(response: .seconds(5), damping: 0.8)
      try stage.perform(.proceed(.init(curve: spring, velocity: .zero)), on: run, at: 0)
    }
    stage.advance(to: instant(0.1))
    _ = stage.takeReports()
    var now = instant(0.1)
    let count = AllocationCount.during {
      for _ in 0..<100 {
        now += .seconds(1) / 60
        stage.advance(to: now)
      }
    }
    #expect(count == 0)
    #expect(stage.isMoving)
  }

  /// The last frames of a spring over 2000 px, as a display shows them: also after it was started again in motion.
  @Test(arguments: [nil, 0.1, 0.35])
  func aSpringEndsWithoutAStep(again: Double?) {
    let stage = StageReference()
    let timeline = Timeline(
      .move(to: PixelOffset(x: 2000, y: 0), curve: .spring(response: .seconds(0.5), damping: 0.6)))
    stage.start("fling", timeline, layer: nil, at: 0)
    var frames: [Double] = []
    for frame in 0..<600 {
      let seconds = Double(frame) / 120
      if let again, seconds >= again, seconds < again + 1 / 120 {
        stage.start("fling", timeline, layer: nil, at: instant(seconds))
      }
      stage.advance(to: instant(seconds))
      frames.append(stage.x())
      if !stage.isMoving { break }
    }
    #expect(frames.last == 2000)
    #expect(frames.count < 300)
    let before = frames[frames.count - 2]
    #expect((before - 2000).magnitude <= 0.01)
    #expect((before - frames[frames.count - 3]).magnitude <= 0.01)
  }
}
