// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// Cuts single turns out of a gyroscope's samples: rest, motion and rest again. The device has to be
/// still, so no key is needed.
struct TurnWatcher: Sendable {
  enum Event: Equatable, Sendable {
    /// The device is at rest for the first time.
    case atRest
    /// The device was turned and is at rest again; the samples of the turn and both rests.
    case turned([GyroSample])
    /// The motion was too long for a turn. The watcher starts again.
    case tooLong
  }

  /// The length of a rest before and after a turn.
  private static let rest: MotionDuration = .seconds(1)
  /// The kept part of the rest before a turn. It may include the slow start of the turn.
  private static let keptRest: MotionDuration = .milliseconds(1_500)
  private static let maxTurn: MotionDuration = .seconds(20)
  /// The deviation from the rest before, on any axis, that counts as motion, rad/s.
  private static let motionRadPerSec = 0.15
  /// The largest difference of the means before and after a turn, rad/s. The limit of `RestRule.held`
  /// cannot tell a rest from an even turn; this one can.
  private static let maxDifferenceRadPerSec = 0.1

  private enum Phase {
    /// No rest yet.
    case settling
    /// At rest, with its mean.
    case atRest(AngularRate)
    /// In motion, with the mean of the rest before and the time of the first sample.
    case moving(AngularRate, since: MotionInstant)
  }

  private var phase = Phase.settling
  private var detector = RestDetector(.held)
  private var samples: [GyroSample] = []

  mutating func receive(_ sample: GyroSample) -> Event? {
    let rate = sample.rateRadPerSec
    // A rest is a second of samples, not a pause between two.
    if let last = samples.last, sample.time - last.time > Self.rest { detector.removeAll() }
    let mean = detector.add(rate, time: sample.time, span: Self.rest)
    samples.append(sample)
    switch phase {
    case .settling:
      trim()
      guard let mean else { return nil }
      phase = .atRest(mean)
      return .atRest
    case .atRest(let before):
      if !rate.isWithin(Self.motionRadPerSec, of: before) {
        phase = .moving(before, since: sample.time)
      } else {
        trim()
      }
      return nil
    case .moving(let before, let start):
      if let mean, mean.isWithin(Self.maxDifferenceRadPerSec, of: before) {
        let turn = samples
        // This rest is also the one before the next turn.
        phase = .atRest(mean)
        trim()
        return .turned(turn)
      }
      guard sample.time - start > Self.maxTurn else { return nil }
      self = TurnWatcher()
      return .tooLong
    }
  }

  /// Drops the samples before the kept rest.
  private mutating func trim() {
    guard let last = samples.last else { return }
    let kept = samples.prefix { last.time - $0.time > Self.keptRest }
    samples.removeFirst(kept.count)
  }
}
