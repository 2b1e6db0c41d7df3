// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxMotion

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif
import ParallaxTestSupport
import Testing

@Suite struct SensorStageTests {
  @Test func deviceAxesDriveScreenAxes() {
    var stage = SensorStage(settings: native(), nominalRateHertz: nil, bias: .off)
    _ = stage.push(sample(ms: 0, x: 1, y: 2, z: 3))
    // a = w_y drives x, b = w_x drives y.
    #expect(stage.nextFrame()?.motion == DrivingMotion(a: 2, b: 1))
    #expect(stage.nextFrame() == nil)
  }

  @Test func nonfiniteSamplesAreCountedAndIgnored() {
    var stage = SensorStage(settings: native(), nominalRateHertz: nil, bias: .off)
    _ = stage.push(sample(ms: 0, x: 1, y: 1, z: 1))
    _ = stage.nextFrame()
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(stage.push(sample(ms: 10, x: value, y: 0, z: 0)) == .nonfinite)
      #expect(stage.nextFrame() == nil)
    }
    #expect(stage.counts.nonfinite == 3)
    #expect(stage.counts.kept == 1)
  }

  /// A tilt by 20 degrees in half a second, of which little leaks: at 14.3 px per rad it is 4.7 px.
  @Test func tiltIsTheAngleTurned() {
    var settings = native()
    settings.mode = .tilt
    var stage = SensorStage(settings: settings, nominalRateHertz: nil, bias: .off)
    let rate = 20 * Double.pi / 180 / 0.5
    var last = DrivingMotion.zero
    for step in 0...50 {
      _ = stage.push(sample(ms: Int64(step) * 10, x: 0, y: rate, z: 0))
      while let frame = stage.nextFrame() { last = frame.motion }
    }
    // theta_k = (theta_{k-1} + q dt) e^{-dt/T} for a turn about one axis.
    var theta = 0.0
    for _ in 1...50 { theta = (theta + rate * 0.01) * 0.9975031223974601 }
    #expect((last.a - theta).magnitude < 1e-12)
  }

  @Test func recenteringFadesTheOldTiltAndKeepsTheNew() {
    var settings = native()
    settings.mode = .tilt
    settings.fadeSeconds = 0.3
    var stage = SensorStage(settings: settings, nominalRateHertz: nil, bias: .off)
    var fresh = SensorStage(settings: settings, nominalRateHertz: nil, bias: .off)
    var tilt = 0.0
    func feed(_ stage: inout SensorStage, _ ms: Int64) -> Double? {
      _ = stage.push(sample(ms: ms, x: 0, y: 0.5, z: 0))
      return stage.nextFrame()?.motion.a
    }
    for ms in stride(from: Int64(0), through: 1000, by: 10) { tilt = feed(&stage, ms) ?? .nan }
    stage.recenter(at: 1_000_000_000)
    _ = feed(&fresh, 1000)
    var last = tilt
    for ms in stride(from: Int64(1010), through: 1300, by: 10) {
      let value = feed(&stage, ms) ?? .nan
      let new = feed(&fresh, ms) ?? .nan
      #expect((value - last).magnitude < 0.04, "no jump at \(ms) ms")
      #expect(value >= new)
      last = value
      if ms == 1300 { #expect(value == new) }
    }
  }

  /// A tilt that fades after a recentering is forgotten meanwhile like any other.
  @Test func recenteredTiltIsForgottenWhileItFades() {
    var settings = native()
    settings.mode = .tilt
    settings.fadeSeconds = 0.3
    var stage = SensorStage(settings: settings, nominalRateHertz: nil, bias: .off)
    var tilt = 0.0
    for ms in stride(from: Int64(0), through: 1150, by: 10) {
      if ms == 1010 { stage.recenter(at: 1_000_000_000) }
      _ = stage.push(sample(ms: ms, x: 0, y: ms < 1000 ? 0.5 : 0, z: 0))
      let value = stage.nextFrame()?.motion.a ?? .nan
      // e^{-dt/T} at each sample.
      tilt = ms > 1000 ? tilt * 0.9975031223974601 : value
      // Half of the fade.
      if ms == 1150 { #expect((value - tilt / 2).magnitude < 1e-12) }
    }
  }

  @Test func recenteringDoesNothingInRateMode() {
    var stage = SensorStage(settings: native(), nominalRateHertz: nil, bias: .off)
    _ = stage.push(sample(ms: 0, x: 0, y: 1, z: 0))
    stage.recenter(at: 0)
    _ = stage.nextFrame()
    _ = stage.push(sample(ms: 10, x: 0, y: 1, z: 0))
    #expect(stage.nextFrame()?.motion.a == 1)
  }

  private func native() -> MotionSettings {
    var settings = MotionSettings()
    settings.frameRate = .native
    return settings
  }
}

@Suite struct BiasEstimatorTests {
  private let offset = AngularRate(x: 0.05, y: -0.03, z: 0.01)

  /// Adds samples of a device at rest at 50 Hz, with noise within the bound, from `start` s for
  /// `seconds`. Returns the last corrected rate.
  private func rest(
    _ estimator: inout BiasEstimator, from start: Double, seconds: Double, at rate: AngularRate
  ) -> AngularRate {
    var last = AngularRate.zero
    for step in 0..<Int(seconds * 50) {
      let noise = step.isMultiple(of: 2) ? 0.004 : -0.004
      last = estimator.correct(
        AngularRate(x: rate.x + noise, y: rate.y, z: rate.z),
        time: .zero + MotionDuration(seconds: start) + .milliseconds(Int64(step) * 20),
        startsSegment: start == 0 && step == 0)
    }
    return last
  }

  @Test func offChangesNothing() {
    var estimator = BiasEstimator(.off)
    #expect(rest(&estimator, from: 0, seconds: 10, at: offset).y == -0.03)
    #expect(estimator.state == .off)
  }

  /// How long a first rest lasts that shows a bias, s: the larger the bias, the more it looks like a turn.
  @Test(arguments: [(0.0, 3.0), (0.01, 3.12), (0.05, 6), (-0.1, 15), (0.2, 51)])
  func firstRestGivesTheBiasAtOnce(bias: Double, seconds: Double) {
    let rate = AngularRate(x: 0.002, y: bias, z: 0)
    var estimator = BiasEstimator(.auto(nil))
    #expect(rest(&estimator, from: 0, seconds: seconds, at: rate).y == bias)
    #expect(estimator.state == .auto(nil))
    let corrected = rest(&estimator, from: seconds, seconds: 0.06, at: rate)
    #expect(corrected.y.magnitude < 1e-12)
    #expect(corrected.x.magnitude < 0.0041)
  }

  /// A wrong bias without a rest, rad/s about x: a hand that moves to and fro shows within seconds that it is too
  /// large, and the rest is then found like any bias in a hand.
  @Test(arguments: [0.12, -0.15, 0.3, 1]) func aMeanRateNearerToZeroForgetsTheEstimate(
    wrong: Double
  ) {
    var generator = SeededGenerator.forTest()
    let hand = HeldDevice(strength: 2, using: &generator)
    var estimator = BiasEstimator(.auto(AngularRate(x: wrong, y: 0.01, z: 0)))
    var forgotten: Double?
    for step in 0..<2000 {
      let time = Double(step) / 100
      let sway = AngularRate(x: 0.5 * sin(2 * time), y: 0, z: 0.3 * sin(3 * time))
      _ = estimator.correct(
        hand.rate(at: time) + sway, time: .zero + MotionDuration(seconds: time),
        startsSegment: step == 0)
      if estimator.state == .auto(nil), forgotten == nil { forgotten = time }
    }
    #expect(
      (6...11).contains(forgotten ?? 0), "\(String(describing: forgotten)), \(generator.note)")
    guard case .auto(let found) = estimator.state else { return }
    #expect((found ?? .zero).largest < 0.02, "\(String(describing: found)), \(generator.note)")
  }

  /// A bias that is right stays, whatever the hand does for less than four seconds, and while the mean rate is
  /// not nearer to 0 than the bias by 0.06 rad/s.
  @Test func aRightEstimateIsNotForgotten() {
    for (bias, pan, seconds) in [
      (0.1, -0.1, 3.5), (0.05, -0.05, 60), (0.1, 0.3, 60), (0.1, -0.35, 60),
    ] {
      let estimate = AngularRate(x: bias, y: 0, z: 0)
      var estimator = BiasEstimator(.auto(estimate))
      var isForgotten = false
      for step in 0..<Int((20 + seconds) * 100) {
        let time = Double(step) / 100
        let turn = (10..<10 + seconds).contains(time) ? pan : 0
        // Too uneven for a rest.
        let uneven = 0.2 * sin(20 * time)
        _ = estimator.correct(
          AngularRate(x: bias + turn + uneven, y: uneven, z: 0),
          time: .zero + MotionDuration(seconds: time), startsSegment: step == 0)
        if estimator.state == .auto(nil) { isForgotten = true }
      }
      #expect(!isForgotten, "bias \(bias), pan \(pan) for \(seconds) s")
    }
  }

  /// Turns back and forth, 1 s each.
  @Test func deviceThatMovesIsNotAtRest() {
    var estimator = BiasEstimator(.auto(nil))
    for step in 0..<1000 as Range<Int64> {
      let wobble = step % 100 < 50 ? 0.5 : -0.5
      _ = estimator.correct(
        AngularRate(x: wobble, y: 0, z: 0), time: .zero + .milliseconds(step * 20),
        startsSegment: step == 0)
    }
    #expect(estimator.state == .auto(nil))
  }

  @Test func steadyTurnAboveTheFirstLimitIsNotBias() {
    var estimator = BiasEstimator(.auto(nil))
    _ = rest(&estimator, from: 0, seconds: 10, at: AngularRate(x: 0, y: 0.41, z: 0))
    #expect(estimator.state == .auto(nil))
  }

  /// A steady turn about y, in rad/s beyond the known bias, and whether the bias follows it in half a minute: up to
  /// 0.1 rad/s it may be drift, above it is a pan.
  @Test(arguments: [(0.099, true), (-0.099, true), (0.101, false), (-0.101, false), (0.33, false)])
  func slowTurnIsNotBiasOnceABiasIsKnown(turn: Double, isDrift: Bool) {
    var estimator = BiasEstimator(.auto(offset))
    let rate = AngularRate(x: offset.x, y: offset.y + turn, z: offset.z)
    let corrected = rest(&estimator, from: 0, seconds: 30, at: rate)
    #expect((corrected.y - (isDrift ? 0 : turn)).magnitude < (isDrift ? 1e-3 : 1e-12))
  }

  /// A steady turn before the device lies still for the first time, or a wrong stored bias, rad/s
  /// about x: the rest that follows is nearer to 0 and replaces it within 3 s.
  @Test(arguments: [0.05, 0.15, 0.2, -0.3, 0.39], [false, true])
  func aRestNearerToZeroReplacesTheEstimate(turn: Double, isStored: Bool) {
    let wrong = AngularRate(x: turn, y: 0, z: 0)
    var estimator = BiasEstimator(.auto(isStored ? wrong : nil))
    if !isStored { _ = rest(&estimator, from: 0, seconds: 5, at: wrong) }
    let truth = AngularRate(x: 0.01, y: -0.02, z: 0)
    let start = isStored ? 0.0 : 5
    _ = rest(&estimator, from: start, seconds: 3.2, at: truth)
    let corrected = rest(&estimator, from: start + 3.2, seconds: 5, at: truth)
    #expect((corrected.x + 0.004).magnitude < 0.01 && corrected.y.magnitude < 0.005, "\(corrected)")
  }

  /// A pan in the other direction is further from 0 than the bias, however long it lasts.
  @Test func aPanDoesNotReplaceTheEstimate() {
    var estimator = BiasEstimator(.auto(offset))
    let pan = AngularRate(x: offset.x - 0.12, y: offset.y, z: offset.z)
    #expect((rest(&estimator, from: 0, seconds: 20, at: pan).x + 0.124).magnitude < 1e-12)
  }

  /// A steady turn beyond a known bias, rad/s, and after how many seconds it counts as drift; one that takes the bias
  /// nearer to 0 counts at once.
  @Test(arguments: [(0.02, 0.01, 1.6), (0.02, 0.04, 3), (0.01, -0.09, 9.1), (0.09, -0.09, 1.5)])
  func aLargerDriftIsBelievedLater(bias: Double, turn: Double, seconds: Double) {
    var estimator = BiasEstimator(.auto(AngularRate(x: 0, y: bias, z: 0)))
    let rate = AngularRate(x: 0, y: bias + turn, z: 0)
    #expect(
      (rest(&estimator, from: 0, seconds: seconds - 0.05, at: rate).y - turn).magnitude < 1e-12)
    let corrected = rest(&estimator, from: seconds - 0.05, seconds: 0.2, at: rate)
    #expect(corrected.y.magnitude < turn.magnitude)
  }

  @Test func laterRestsFollowWithATwoSecondTimeConstant() {
    var estimator = BiasEstimator(.auto(.zero))
    let drifted = AngularRate(x: 0, y: 0.004, z: 0)
    // 1.5 s until samples cover the window, then 2 s, one time constant.
    let corrected = rest(&estimator, from: 0, seconds: 3.5, at: drifted)
    let left = corrected.y / 0.004
    #expect((left - 0.3679).magnitude < 0.01, "\(left) of the drift remains")
  }

  @Test func newSegmentStartsANewWindow() {
    var estimator = BiasEstimator(.auto(nil))
    _ = rest(&estimator, from: 0, seconds: 2, at: offset)
    _ = estimator.correct(offset, time: 2_000_000_000, startsSegment: true)
    _ = rest(&estimator, from: 2.02, seconds: 2, at: offset)
    #expect(estimator.state == .auto(nil))
  }
}

@Suite struct SyntheticMotionTests {
  @Test func sameSeedGivesTheSameMotion() {
    let (first, again) = (SyntheticMotion(seed: 7), SyntheticMotion(seed: 7))
    let other = SyntheticMotion(seed: 8)
    for step in 0..<300 as Range<Int64> {
      let time = MotionInstant(nanoseconds: step * 33_333_333)
      #expect(first.sample(at: time) == again.sample(at: time))
      #expect(first.sample(at: time) != other.sample(at: time))
    }
  }

  /// At scale 5 the picture moves clearly, nearly always within ±5 px, and smoothly.
  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64]) func isLikeAHand(seed: UInt64) {
    let motion = SyntheticMotion(seed: seed)
    let rates = (0..<9000 as Range<Int64>).map {
      motion.sample(at: MotionInstant(nanoseconds: $0 * 33_333_333)).rateRadPerSec
    }
    let meanSquare = rates.map { $0.y * $0.y }.reduce(0, +) / Double(rates.count)
    #expect((0.2...1.0).contains(meanSquare.squareRoot()))
    let beyond = rates.count { $0.y.magnitude > 1 || $0.x.magnitude > 1 }
    #expect(Double(beyond) / Double(rates.count) < 0.1)
    let steps = zip(rates, rates.dropFirst()).map { ($0.y - $1.y).magnitude }
    #expect((steps.max() ?? 9) < 0.2)
  }
}

func sample(ms: Int64, x: Double, y: Double, z: Double) -> GyroSample {
  GyroSample(
    time: .zero + .milliseconds(ms), rateRadPerSec: AngularRate(x: x, y: y, z: z))
}
