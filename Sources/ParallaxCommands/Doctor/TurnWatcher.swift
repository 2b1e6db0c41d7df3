import ParallaxMotion

/// Cuts one turn out of a gyroscope's samples: rest, motion, and rest again. Nobody has to press a key
/// on a device that shall lie still.
struct TurnWatcher: Sendable {
  /// What a sample was the last of.
  enum Event: Equatable, Sendable {
    /// It lies still: now it may be turned.
    case atRest
    /// It was turned and is still again: now it may be turned again.
    case turned([GyroSample])
    /// It has been moved for so long that it is no turn: it begins anew.
    case tooLong
  }

  /// The rest before and behind a turn, ns.
  private static let rest: Int64 = 1_000_000_000
  /// What is kept of the rest before the turn, ns: a slow beginning is still rest.
  private static let keptRest: Int64 = 1_500_000_000
  private static let longestTurn: Int64 = 20_000_000_000
  /// At rest every axis stays this near to its mean, rad/s.
  private static let stillness = 0.08
  /// Motion is what differs more than this from the rest before, rad/s.
  private static let motion = 0.15
  /// The rest behind a turn differs no more than this from the one before, rad/s.
  private static let left = 0.1

  private enum Phase {
    case settling
    /// With the mean of the rest.
    case atRest(AngularRate)
    /// With the mean of the rest before it, and the time of its first sample.
    case moving(AngularRate, Int64)
  }

  private var phase = Phase.settling
  private var samples: [GyroSample] = []

  mutating func take(_ sample: GyroSample) -> Event? {
    samples.append(sample)
    switch phase {
    case .settling:
      trim()
      guard let mean = restMean else { return nil }
      phase = .atRest(mean)
      return .atRest
    case .atRest(let mean):
      if Self.distance(sample.rateRadPerSec, mean) > Self.motion {
        phase = .moving(mean, sample.timeNanoseconds)
        return nil
      }
      trim()
      return nil
    case .moving(let before, let start):
      if let mean = restMean, Self.distance(mean, before) < Self.left {
        let turned = samples
        // This rest is the one before the next turn, too.
        phase = .atRest(mean)
        trim()
        return .turned(turned)
      }
      guard sample.timeNanoseconds - start > Self.longestTurn else { return nil }
      self = TurnWatcher()
      return .tooLong
    }
  }

  private mutating func trim() {
    guard let last = samples.last else { return }
    let kept = samples.prefix { last.timeNanoseconds - $0.timeNanoseconds > Self.keptRest }
    samples.removeFirst(kept.count)
  }

  /// The mean of the last second, where it was a rest; nil where it was none, or is none yet.
  private var restMean: AngularRate? {
    guard let last = samples.last else { return nil }
    let start = samples.lastIndex { last.timeNanoseconds - $0.timeNanoseconds >= Self.rest }
    guard let start else { return nil }
    let window = samples[start...]
    var sum = AngularRate.zero
    for sample in window {
      sum.x += sample.rateRadPerSec.x
      sum.y += sample.rateRadPerSec.y
      sum.z += sample.rateRadPerSec.z
    }
    let count = Double(window.count)
    let mean = AngularRate(x: sum.x / count, y: sum.y / count, z: sum.z / count)
    let isRest = window.allSatisfy { Self.distance($0.rateRadPerSec, mean) <= Self.stillness }
    return isRest ? mean : nil
  }

  /// On the axis that differs most, rad/s.
  private static func distance(_ one: AngularRate, _ other: AngularRate) -> Double {
    max(
      (one.x - other.x).magnitude, (one.y - other.y).magnitude, (one.z - other.z).magnitude)
  }
}
