// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The uncertainty of a bias estimate, and with it the weight of new evidence: the variance of a
/// Kalman filter, the same for all axes.
///
/// Evidence far from the estimate is motion. Its weight falls to 0 at the gate with the biweight of
/// Beaton and Tukey (1974), and the gate narrows as the estimate improves. Evidence that stays away
/// from the estimate widens it again within minutes: no wrong estimate lasts.
struct BiasUncertainty: Sendable {
  /// Before any evidence: the offset of a consumer gyroscope (Bosch BMI160: 3 deg/s typical).
  static let unknown = BiasUncertainty(sigmaRadPerSec: 0.03)
  /// Of an estimate from the state file, a recording or the segment before.
  static let stored = BiasUncertainty(sigmaRadPerSec: 0.004)

  /// The gate, rad/s: this plus 4/3 sigma, 0.06 before any evidence.
  private static let minGate = 0.02
  private static let gateSigmas = 4.0 / 3
  /// The growth of the variance, (rad/s)^2/s: sigma 0.1 deg/s in 100 s (VQF, `biasForgettingTime`).
  private static let growth = 3e-8
  /// The additional growth while evidence has no weight; less if it has some.
  private static let doubtGrowth = 2e-5
  private static let restSigma = 0.001
  /// What a pause of 0.3 s may hide, rad/s: most are part of a slow motion.
  private static let pauseSigma = 0.015
  /// The time after which the mean rate is independent evidence, and that of its own variance.
  private static let meanCorrelationSeconds = 2.0
  private static let noiseTimeConstantSeconds = 4.0
  private static let minNoiseSigma = 0.004

  private var variance: Double
  /// The variance of the mean rate about the estimate.
  private var meanVariance = 0.02 * 0.02

  private init(sigmaRadPerSec: Double) {
    variance = sigmaRadPerSec * sigmaRadPerSec
  }

  mutating func grow(dtSeconds: Double) {
    variance += Self.growth * dtSeconds
  }

  /// Takes over the certainty of a rest, which leaves this difference, rad/s.
  mutating func rested(left: Double) {
    variance = Self.restSigma * Self.restSigma + left * left
  }

  /// Returns the share of the difference by which the mean rate over `dtSeconds` moves the estimate.
  ///
  /// - Parameter left: The largest difference of any axis, rad/s, not negative.
  mutating func share(ofMeanRate left: Double, dtSeconds: Double) -> Double {
    let weight = weight(left)
    variance += (1 - weight) * (1 - weight) * Self.doubtGrowth * dtSeconds
    guard weight > 0 else { return 0 }
    let noiseShare = dtSeconds / (Self.noiseTimeConstantSeconds + dtSeconds)
    meanVariance += noiseShare * (left * left - meanVariance)
    let noise = max(meanVariance, Self.minNoiseSigma * Self.minNoiseSigma)
    let known = variance * dtSeconds
    return accept(weight * known / (known + noise * Self.meanCorrelationSeconds))
  }

  /// Returns the share of the difference by which a pause moves the estimate.
  ///
  /// - Parameter left: The largest difference of any axis, rad/s, not negative.
  mutating func share(ofPause left: Double) -> Double {
    let noise = Self.pauseSigma * Self.pauseSigma
    return accept(weight(left) * variance / (variance + noise))
  }

  private mutating func accept(_ share: Double) -> Double {
    variance -= share * variance
    return share
  }

  /// 1 at the estimate, 0 from the gate on.
  private func weight(_ left: Double) -> Double {
    let gate = Self.minGate + Self.gateSigmas * variance.squareRoot()
    guard left < gate else { return 0 }
    let ratio = left / gate
    let weight = 1 - ratio * ratio
    return weight * weight
  }
}
