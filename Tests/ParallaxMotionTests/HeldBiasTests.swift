// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxMotion
import ParallaxTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The rates of a hand that holds a device: sway from 0.3 to 1.2 Hz and tremor from 8 to 12 Hz about
/// each axis, each a sum of sines. Their means over a minute are 0.
struct HeldDevice {
  private struct Wave {
    var radPerSec: Double
    var hertz: Double
    var phase: Double
  }

  /// Of the first axis, the second and the third, as many of each.
  private var waves: [Wave] = []

  /// - Parameter strength: 1 is a calm hand: 0.016 rad/s RMS.
  init(strength: Double, using generator: inout SeededGenerator) {
    func wave(_ radPerSec: Double, _ hertz: ClosedRange<Double>) -> Wave {
      Wave(
        radPerSec: radPerSec * strength, hertz: .random(in: hertz, using: &generator),
        phase: .random(in: 0...(2 * .pi), using: &generator))
    }
    for _ in 0..<3 {
      for _ in 0..<4 { waves.append(wave(0.0085, 0.3...1.2)) }
      for _ in 0..<4 { waves.append(wave(0.007, 8...12)) }
    }
  }

  func rate(at seconds: Double) -> AngularRate {
    // No closures: the debug build spends most of a test here.
    func sum(from first: Int) -> Double {
      var sum = 0.0
      var index = first
      while index < first + 8 {
        let wave = waves[index]
        sum += wave.radPerSec * sin(2 * .pi * wave.hertz * seconds + wave.phase)
        index += 1
      }
      return sum
    }
    return AngularRate(x: sum(from: 0), y: sum(from: 8), z: sum(from: 16))
  }
}

/// The errors of an estimator over a population of hands, rad/s. A claim about them is one about
/// their quantiles and holds for this population: it is drawn with a fixed seed, whatever
/// PARALLAX_SEED is.
private struct ErrorPopulation {
  static let seed: UInt64 = 20_070_629

  private var errors: [Double] = []

  mutating func add(_ error: Double) {
    errors.append(error)
  }

  /// Returns the smallest error that this share of the population does not exceed.
  func quantile(_ share: Double) -> Double {
    let sorted = errors.sorted()
    return sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
  }

  /// Prints the quantiles and expects one below a limit, and all below another.
  func expect(
    _ share: Double, below limit: Double, all maximum: Double, _ name: String,
    at location: SourceLocation = #_sourceLocation
  ) {
    func text(_ value: Double) -> String { String((value * 1e5).rounded() / 1e5) }
    announce(
      "bias error, \(name), \(errors.count) hands: median \(text(quantile(0.5))), "
        + "\(Int(share * 100)) % \(text(quantile(share))), maximum \(text(quantile(1))) rad/s")
    #expect(quantile(share) < limit, "\(name)", sourceLocation: location)
    #expect(quantile(1) < maximum, "\(name)", sourceLocation: location)
  }
}

/// A rate of samples, a hand's strength, the size of the population, and its largest errors after 10 s and
/// after 30 s, rad/s.
struct HeldCase: CustomTestStringConvertible, Sendable {
  var hertz: Double
  var strength: Double
  var hands: Int
  var maxEarly: Double
  var maxLate: Double

  var testDescription: String { "\(hertz) Hz, strength \(strength)" }
}

/// What an estimator finds in a hand, where a rest of 3 s within 0.02 rad/s does not occur.
@Suite struct HeldBiasTests {
  /// Feeds `seconds` of samples from `start` s and returns the state's estimate.
  @discardableResult
  private func feed(
    _ estimator: inout BiasEstimator, from start: Double, seconds: Double, hertz: Double = 100,
    _ rate: (Double) -> AngularRate
  ) -> AngularRate? {
    for step in 0..<Int((seconds * hertz).rounded()) {
      let time = start + Double(step) / hertz
      _ = estimator.correct(
        rate(time), time: .zero + MotionDuration(seconds: time),
        startsSegment: start == 0 && step == 0)
    }
    return estimate(estimator)
  }

  private func estimate(_ estimator: BiasEstimator) -> AngularRate? {
    if case .auto(let estimate) = estimator.state { estimate } else { nil }
  }

  private func randomRate(
    within limit: Double, using generator: inout SeededGenerator
  ) -> AngularRate {
    func axis() -> Double { .random(in: -limit...limit, using: &generator) }
    return AngularRate(x: axis(), y: axis(), z: axis())
  }

  /// A turn about one axis.
  private func turn(_ radPerSec: Double, axis: Int) -> AngularRate {
    AngularRate(
      x: axis == 0 ? radPerSec : 0, y: axis == 1 ? radPerSec : 0, z: axis == 2 ? radPerSec : 0)
  }

  private func error(_ estimate: AngularRate?, _ bias: AngularRate) -> Double {
    ((estimate ?? .zero) - bias).largest
  }

  /// At 10 Hz, a tremor near 10 Hz looks like bias, and no time helps. At 10 s, sway of a few seconds
  /// still counts as bias in some hands.
  @Test(
    arguments: [
      HeldCase(hertz: 10, strength: 1, hands: 300, maxEarly: 0.016, maxLate: 0.011),
      HeldCase(hertz: 30, strength: 1, hands: 100, maxEarly: 0.013, maxLate: 0.002),
      HeldCase(hertz: 100, strength: 1, hands: 40, maxEarly: 0.013, maxLate: 0.002),
      HeldCase(hertz: 100, strength: 2.5, hands: 12, maxEarly: 0.009, maxLate: 0.002),
      HeldCase(hertz: 400, strength: 2, hands: 8, maxEarly: 0.011, maxLate: 0.002),
    ])
  func heldDeviceShowsItsBias(_ held: HeldCase) {
    var generator = SeededGenerator(seed: ErrorPopulation.seed)
    let hertz = held.hertz
    var early = ErrorPopulation()
    var late = ErrorPopulation()
    for _ in 0..<held.hands {
      let bias = randomRate(within: 0.03, using: &generator)
      let hand = HeldDevice(strength: held.strength, using: &generator)
      var estimator = BiasEstimator(.auto(nil))
      let first = feed(&estimator, from: 0, seconds: 10, hertz: hertz) { hand.rate(at: $0) + bias }
      early.add(error(first, bias))
      let last = feed(&estimator, from: 10, seconds: 20, hertz: hertz) { hand.rate(at: $0) + bias }
      late.add(error(last, bias))
    }
    let name = "\(Int(hertz)) Hz, strength \(held.strength)"
    early.expect(0.99, below: 0.009, all: held.maxEarly, "\(name), 10 s")
    late.expect(0.99, below: 0.007, all: held.maxLate, "\(name), 30 s")
  }

  @Test func nothingIsKnownInTheFirstThreeSeconds() {
    var generator = SeededGenerator.forTest()
    let hand = HeldDevice(strength: 1, using: &generator)
    var estimator = BiasEstimator(.auto(nil))
    #expect(feed(&estimator, from: 0, seconds: 3) { hand.rate(at: $0) } == nil)
    #expect(feed(&estimator, from: 3, seconds: 1) { hand.rate(at: $0) } != nil)
  }

  /// Steps of 1 to 2 Hz in a pocket, and a turn round a corner.
  @Test func walkingShowsTheBias() {
    var generator = SeededGenerator(seed: ErrorPopulation.seed)
    var errors = ErrorPopulation()
    for _ in 0..<20 {
      let bias = randomRate(within: 0.03, using: &generator)
      let hand = HeldDevice(strength: 1, using: &generator)
      let hertz = Double.random(in: 1...2, using: &generator)
      var estimator = BiasEstimator(.auto(nil))
      let found = feed(&estimator, from: 0, seconds: 30) { time in
        let step = 0.35 * sin(2 * .pi * hertz * time)
        let corner = (12...14).contains(time) ? 0.8 : 0
        return hand.rate(at: time) + bias + AngularRate(x: step, y: -step / 2, z: step / 3 + corner)
      }
      errors.add(error(found, bias))
    }
    errors.expect(0.95, below: 0.003, all: 0.007, "walking, 30 s")
  }

  /// Motions of up to 10 rad/s with pauses of 0.7 s between them.
  @Test func pausesShowTheBias() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<6 {
      let bias = randomRate(within: 0.03, using: &generator)
      let axis = Int.random(in: 0..<3, using: &generator)
      var estimator = BiasEstimator(.auto(nil))
      let found = feed(&estimator, from: 0, seconds: 20) { time in
        let phase = time.truncatingRemainder(dividingBy: 2)
        let motion = phase < 1.3 ? 10 * sin(2 * .pi * phase / 1.3) : 0
        return bias + turn(motion, axis: axis)
      }
      #expect(error(found, bias) < 0.004, "\(bias), \(generator.note)")
    }
  }

  /// A turn of 0.1 rad/s or more does not count, however long it lasts and whether a hand has shown
  /// the bias before.
  ///
  /// The hand sways: one so calm that the turn looks like a rest (strength below 0.8) shows the turn as
  /// bias, as a turntable does.
  @Test(arguments: [0.1, 0.2])
  func aPanIsNotBias(radPerSec: Double) {
    var generator = SeededGenerator(seed: ErrorPopulation.seed)
    var cold = ErrorPopulation()
    var warm = ErrorPopulation()
    for _ in 0..<30 {
      let bias = randomRate(within: 0.02, using: &generator)
      let hand = HeldDevice(strength: .random(in: 0.8...2, using: &generator), using: &generator)
      let sign: Double = Bool.random(using: &generator) ? 1 : -1
      let pan = turn(sign * radPerSec, axis: .random(in: 0..<3, using: &generator))
      let length = Double.random(in: 2...15, using: &generator)

      var estimator = BiasEstimator(.auto(nil))
      let eaten = feed(&estimator, from: 0, seconds: length) { hand.rate(at: $0) + bias + pan }
      cold.add(error(eaten, .zero))

      estimator = BiasEstimator(.auto(nil))
      let known = feed(&estimator, from: 0, seconds: 10) { hand.rate(at: $0) + bias } ?? .zero
      let after = feed(&estimator, from: 10, seconds: length) { hand.rate(at: $0) + bias + pan }
      warm.add(error(after, known))
    }
    cold.expect(0.95, below: 0.001, all: 0.015, "pan of \(radPerSec) rad/s, nothing known")
    warm.expect(0.95, below: 0.002, all: 0.003, "pan of \(radPerSec) rad/s, bias found in the hand")
  }

  /// Half as fast a turn is hard to distinguish from bias, but not once a bias is known. (A hand that
  /// is calm enough for a rest of 1.5 s shows bias, as a table does.)
  @Test func aSlowPanIsHardlyBiasOnceABiasIsKnown() {
    var generator = SeededGenerator(seed: ErrorPopulation.seed)
    var errors = ErrorPopulation()
    for _ in 0..<30 {
      let bias = randomRate(within: 0.03, using: &generator)
      let hand = HeldDevice(strength: .random(in: 1.5...2.5, using: &generator), using: &generator)
      let sign: Double = Bool.random(using: &generator) ? 1 : -1
      let pan = turn(sign * 0.05, axis: .random(in: 0..<3, using: &generator))
      var estimator = BiasEstimator(.auto(bias))
      feed(&estimator, from: 0, seconds: 5) { hand.rate(at: $0) + bias }
      let after = feed(&estimator, from: 5, seconds: 20) { hand.rate(at: $0) + bias + pan }
      errors.add(error(after, bias))
    }
    errors.expect(0.95, below: 0.002, all: 0.012, "pan of 0.05 rad/s, stored bias")
  }

  /// A stored bias that is wrong by up to 0.05 rad/s, or a chip that warms up.
  @Test func aWrongEstimateRecoversInTheHand() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<6 {
      let bias = randomRate(within: 0.03, using: &generator)
      let hand = HeldDevice(strength: 1, using: &generator)
      let wrong = turn(
        .random(in: 0.02...0.05, using: &generator), axis: .random(in: 0..<3, using: &generator))
      var estimator = BiasEstimator(.auto(bias + wrong))
      let found = feed(&estimator, from: 0, seconds: 90) { hand.rate(at: $0) + bias }
      #expect(error(found, bias) < 0.005, "\(bias) \(wrong) \(generator.note)")
    }
  }

  /// The worst start: a pan whose sum with the bias looks like the opposite bias, for 20 s. The two
  /// differ by more than any evidence may from 0.
  @Test func aPanBeforeAnyEstimateIsForgottenInTheHand() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<2 {
      let hand = HeldDevice(strength: 1, using: &generator)
      let bias = AngularRate(x: 0.045, y: -0.02, z: 0)
      var estimator = BiasEstimator(.auto(nil))
      feed(&estimator, from: 0, seconds: 20) { hand.rate(at: $0) + bias - turn(0.09, axis: 0) }
      let found = feed(&estimator, from: 20, seconds: 280) { hand.rate(at: $0) + bias }
      #expect(error(found, bias) < 0.005, "\(generator.note)")
    }
  }

  /// A turn that gets faster little by little stays within reach of the estimate.
  @Test func aTurnThatGetsFasterDoesNotTakeTheEstimateAlong() {
    var generator = SeededGenerator.forTest()
    let hand = HeldDevice(strength: 1.5, using: &generator)
    for anchor in [nil, AngularRate(x: 0, y: 0.3, z: 0)] {
      var estimator = BiasEstimator(.auto(anchor))
      let start = anchor ?? .zero
      for second in stride(from: 0.0, to: 400, by: 1) {
        let found = feed(&estimator, from: second, seconds: 1) { time in
          hand.rate(at: time) + start + turn(time / 2000, axis: 1)
        }
        #expect(error(found, start) <= 0.0601, "\(second) s, \(generator.note)")
        if error(found, start) > 0.0601 { break }
      }
    }
  }

  /// Only the state survives a segment: an estimator that a recording's header describes gives the
  /// same.
  @Test func aSegmentForgetsEverythingButTheState() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<8 {
      let hand = HeldDevice(strength: 1, using: &generator)
      var old = BiasEstimator(.auto(nil))
      let length = Double(Int.random(in: 1...20, using: &generator))
      feed(&old, from: 0, seconds: length) { hand.rate(at: $0) }
      var new = BiasEstimator(old.state)
      for step in 0..<1500 as Range<Int64> {
        let time = MotionInstant.zero + .seconds(Int64(length) + 1) + .milliseconds(step * 10)
        let rate = hand.rate(at: Double(step) / 100) + AngularRate(x: 0.02, y: 0, z: 0)
        let (a, b) = (
          old.correct(rate, time: time, startsSegment: step == 0),
          new.correct(rate, time: time, startsSegment: step == 0)
        )
        #expect(a == b, "\(generator.note)")
        if a != b { return }
      }
      #expect(old.state == new.state)
    }
  }

  /// Whatever comes, the estimate is finite, and without a rest it stays within 0.06 rad/s.
  @Test func absurdRatesDoNoHarm() {
    var generator = SeededGenerator.forTest()
    let sizes = [0, 1e-300, 1e-3, 0.03, 0.1, 0.5, 40, 1e9, 1e100]
    for _ in 0..<25 {
      var estimator = BiasEstimator(.auto(nil))
      var time = MotionInstant.zero
      var size = 0.03
      for step in 0..<2000 {
        if step.isMultiple(of: 50) { size = sizes.randomElement(using: &generator) ?? 0 }
        time += .microseconds(.random(in: 1...60_000, using: &generator))
        let starts = step == 0 || Int.random(in: 0..<500, using: &generator) == 0
        let corrected = estimator.correct(
          randomRate(within: size, using: &generator), time: time, startsSegment: starts)
        let found = estimate(estimator) ?? .zero
        #expect(corrected.isFinite && found.isFinite, "\(generator.note)")
        if starts { estimator = BiasEstimator(.auto(nil)) }
        #expect(found.largest <= 0.4, "\(generator.note)")
      }
    }
  }
}
