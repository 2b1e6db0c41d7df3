// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Estimates a gyroscope's bias and subtracts it.
///
/// Three kinds of evidence show the bias. A rest is strict and decides alone: a device that lies
/// still. In a hand, a pause (`PauseDetector`) and the mean rate (`SlowRate`) refine an estimate
/// with a known uncertainty (`BiasUncertainty`). Only steadiness distinguishes a rest from a slow
/// turn, and its rate: few gyroscopes have a large bias, and few turns are slow. So the first estimate requires a
/// rest that is the longer the larger it is, the later ones accept only a rate that is nearly corrected
/// already, and the hand's evidence counts only near the estimate: a slow pan is not taken for bias. If such a
/// pan was the first rest, or the stored bias is wrong, a rest nearer to 0 corrects it: of two steady rates, the
/// smaller one is the bias. Without a rest, a mean rate nearer to 0 shows that the estimate is wrong, and it is
/// forgotten. The rests (deviation from the mean over a window of 1.5 s) follow VQF (Laidig and Seel 2023,
/// parameters `restMinT`, `restThGyr`, `biasClip`); docs/sensors.md has the figures.
///
/// At the start of a segment everything but `state` is forgotten. So the replay of a recording,
/// whose header has the state, gives the same estimates.
struct BiasEstimator: Sendable {
  /// The length of a first rest that shows no bias, and the largest bias that one may show. The hand's evidence
  /// waits as long.
  static let firstWindowSeconds = 3.0
  static let firstLimitRadPerSec = 0.4
  /// A first rest that shows this bias is twice as long, of n times this bias 1 + n^2 times.
  static let likelyBiasRadPerSec = 0.05
  /// The length of later rests, and the largest corrected rate that they may show.
  static let laterWindowSeconds = 1.5
  static let laterLimitRadPerSec = 0.1
  /// A later rest that takes the estimate this much farther from 0 is twice as long, n times as much 1 + n^2 times:
  /// a bias changes less with temperature in the time between two rests.
  static let likelyChangeRadPerSec = 0.04
  /// How long a rest beyond that limit, but nearer to 0 than the estimate, must last to replace it:
  /// as long as a first rest.
  static let contradictionSeconds = firstWindowSeconds - laterWindowSeconds
  /// The time constant with which the bias follows later rests.
  static let laterTimeConstantSeconds = 2.0
  /// The largest difference that evidence from a hand may have from the anchor: a pan of 0.1 rad/s
  /// does not count, and a turn that gets faster little by little does not take the estimate along.
  static let handLimitRadPerSec = 0.06
  /// How long the mean rate must be nearer to 0 than the anchor by more than that limit until the estimate is
  /// forgotten.
  static let forgettingSeconds = 4.0

  private(set) var state: BiasState
  private var rest = RestDetector(.lying)
  private var pause = PauseDetector()
  private var slowRate = SlowRate()
  /// The mean of all rates of the segment, also of turns.
  private var slowMean: SlowMean?
  private var uncertainty: BiasUncertainty
  /// Whether a rest has shown the bias, or the segment began with an estimate.
  private var isConfirmed: Bool
  /// The bias by the last rest or at the start of the segment, else 0.
  private var anchor: AngularRate
  /// For how long a rest that is not believed yet has lasted beyond its window.
  private var doubtedSeconds = 0.0
  /// For how long the mean rate has been too near to 0 for the anchor.
  private var refutedSeconds = 0.0
  private var segmentStart = MotionInstant.zero
  private var lastTime = MotionInstant.zero

  init(_ state: BiasState) {
    self.state = state
    isConfirmed = state.estimate != nil
    anchor = state.estimate ?? .zero
    uncertainty = isConfirmed ? .stored : .unknown
  }

  /// Returns the rate (after the mount matrix) without the bias as known at this sample.
  mutating func correct(_ rate: AngularRate, time: MotionInstant, startsSegment: Bool)
    -> AngularRate
  {
    guard case .auto(let known) = state else { return rate }
    if startsSegment { startSegment(rate, at: time) }
    let dtSeconds = (time - lastTime).seconds
    lastTime = time
    uncertainty.grow(dtSeconds: dtSeconds)
    let window = isConfirmed ? Self.laterWindowSeconds : Self.firstWindowSeconds
    let restMean = rest.add(rate, time: time, span: MotionDuration(seconds: window))
    let pauseMean = pause.add(rate, time: time)
    let slow = slowRate.add(rate, time: time, dtSeconds: dtSeconds, around: known ?? .zero)
    if isRefuted(by: slowMean?.add(rate, time: time, dtSeconds: dtSeconds), dtSeconds: dtSeconds) {
      forget()
      return rate
    }
    var estimate = known
    if restMean == nil { doubtedSeconds = 0 }
    if let restMean {
      estimate = updated(known, towards: restMean, dtSeconds: dtSeconds)
    } else if time - segmentStart >= MotionDuration(seconds: Self.firstWindowSeconds) {
      if let slow, slow.isWithin(Self.handLimitRadPerSec, of: anchor) {
        let left = slow - (estimate ?? .zero)
        let share = uncertainty.share(ofMeanRate: left.largest, dtSeconds: dtSeconds)
        estimate = moved(estimate, by: left * share)
      }
      if let pauseMean, pauseMean.isWithin(Self.handLimitRadPerSec, of: anchor) {
        let left = pauseMean - (estimate ?? .zero)
        estimate = moved(estimate, by: left * uncertainty.share(ofPause: left.largest))
      }
    }
    state = .auto(estimate)
    guard let bias = estimate else { return rate }
    return rate - bias
  }

  private mutating func startSegment(_ rate: AngularRate, at time: MotionInstant) {
    rest.removeAll()
    pause = PauseDetector()
    slowRate = SlowRate()
    slowMean = SlowMean(rate, at: time)
    (doubtedSeconds, refutedSeconds) = (0, 0)
    isConfirmed = state.estimate != nil
    anchor = state.estimate ?? .zero
    uncertainty = isConfirmed ? .stored : .unknown
    segmentStart = time
    lastTime = time
  }

  private mutating func updated(
    _ known: AngularRate?, towards mean: AngularRate, dtSeconds: Double
  ) -> AngularRate? {
    guard isConfirmed, let bias = known else {
      guard mean.isWithin(Self.firstLimitRadPerSec, of: .zero) else { return known }
      let ratio = mean.largest / Self.likelyBiasRadPerSec
      let isBelieved = doubtedSeconds >= Self.firstWindowSeconds * ratio * ratio
      doubtedSeconds += dtSeconds
      return isBelieved ? confirmed(mean) : known
    }
    let left = mean - bias
    guard left.isWithin(Self.laterLimitRadPerSec, of: .zero) else {
      doubtedSeconds = mean.squaredLength < bias.squaredLength ? doubtedSeconds + dtSeconds : 0
      return doubtedSeconds < Self.contradictionSeconds ? bias : confirmed(mean)
    }
    let isNearer = mean.squaredLength < bias.squaredLength
    let ratio = isNearer ? 0 : left.largest / Self.likelyChangeRadPerSec
    guard doubtedSeconds >= Self.laterWindowSeconds * ratio * ratio else {
      doubtedSeconds += dtSeconds
      return bias
    }
    let share = -expm1(-dtSeconds / Self.laterTimeConstantSeconds)
    uncertainty.rested(left: left.largest * (1 - share))
    anchor = bias + left * share
    return anchor
  }

  /// Takes over the mean of a rest as it is.
  private mutating func confirmed(_ mean: AngularRate) -> AngularRate {
    isConfirmed = true
    doubtedSeconds = 0
    anchor = mean
    uncertainty.rested(left: 0)
    return mean
  }

  /// Takes note of the mean rate. A device that turns less than its bias says has another bias, or turns against
  /// it at the same rate for as long, which is rare.
  private mutating func isRefuted(by mean: AngularRate?, dtSeconds: Double) -> Bool {
    guard let mean, anchor.largest - mean.largest > Self.handLimitRadPerSec else {
      refutedSeconds = 0
      return false
    }
    refutedSeconds += dtSeconds
    return refutedSeconds >= Self.forgettingSeconds
  }

  /// Goes on as without an estimate.
  private mutating func forget() {
    state = .auto(nil)
    isConfirmed = false
    anchor = .zero
    uncertainty = .unknown
    (doubtedSeconds, refutedSeconds) = (0, 0)
  }

  /// Returns the estimate after a step of the hand's evidence, nil until it counts.
  private func moved(_ known: AngularRate?, by step: AngularRate) -> AngularRate? {
    step == .zero ? known : (known ?? .zero) + step
  }
}

extension BiasState {
  fileprivate var estimate: AngularRate? {
    if case .auto(let known) = self { known } else { nil }
  }
}
