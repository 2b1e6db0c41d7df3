// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// A made-up recording of turns that stop abruptly: 100 ms up to 0.8 rad/s, 300 ms at that rate, 30 ms down, and
/// rest. Turns alternate in sign and meet every phase of a frame. Each axis has noise of 0.002 rad/s RMS.
enum StopTrace {
  static let turns = 20
  static let rateHertz = 100.0
  private static let firstTurnSeconds = 2.0
  private static let intervalSeconds = 2.6137
  private static let peakRadPerSec = 0.8
  private static let noiseRadPerSec = 0.002
  /// Of one turn, in seconds from its start.
  private static let (up, steady, down) = (0.1, 0.4, 0.43)

  /// When the device stands still again, seconds.
  static let stops = (0..<turns).map {
    firstTurnSeconds + Double($0) * intervalSeconds + down
  }

  /// The samples.
  static func samples() -> [GyroSample] {
    samples(seconds: firstTurnSeconds + Double(turns - 1) * intervalSeconds + 3) { seconds in
      let rate = (0..<turns).reduce(0) { sum, turn in
        let passed = seconds - firstTurnSeconds - Double(turn) * intervalSeconds
        return sum + (turn.isMultiple(of: 2) ? peakRadPerSec : -peakRadPerSec) * profile(passed)
      }
      return SIMD2(rate, -rate)
    }
  }

  /// Samples of rates about x and y, rad/s, with the noise.
  static func samples(seconds: Double, rate: (Double) -> SIMD2<Double>) -> [GyroSample] {
    var noise = ReferenceNoise()
    return (0..<Int((seconds * rateHertz).rounded(.up))).map { index in
      let seconds = Double(index) / rateHertz
      let rate = rate(seconds)
      let x = rate.x + noiseRadPerSec * noise.next()
      let y = rate.y + noiseRadPerSec * noise.next()
      return GyroSample(
        time: MotionInstant(nanoseconds: Int64((seconds * 1e9).rounded())),
        rateRadPerSec: AngularRate(x: x, y: y, z: 0))
    }
  }

  /// Returns how much later than the hand the picture leaves a rest, ms: from the instant at which the measured
  /// motion has moved by 5 % of the peak of the ideal until the picture has; the median of all turns and axes.
  static func onset(of segment: ShownSegment, scale: SIMD2<Double>) -> Double? {
    let (motion, instants) = (segment.motion, segment.instants)
    var delays: [Double] = []
    for stop in stops {
      let turn = instants.indices.filter { instants[$0] > stop - 0.45 && instants[$0] < stop + 0.3 }
      for axis in 0..<2 {
        let top =
          turn.map { (motion.value(of: motion.ideal, at: instants[$0]) * scale)[axis].magnitude }
          .max() ?? 0
        func start(_ value: (Int) -> Double) -> Double? {
          firstCrossing(turn.map { (instants[$0], value($0)) }, distance: 0.05 * top)
        }
        guard
          let hand = start({ (motion.value(of: motion.measured, at: instants[$0]) * scale)[axis] }),
          let picture = start({ segment.shown[$0][axis] })
        else { continue }
        delays.append(1000 * (picture - hand))
      }
    }
    delays.sort()
    return FigureMeasure.percentile(50, of: delays)
  }

  /// Returns when a signal is a distance away from its first value for the first time, between two of its values.
  static func firstCrossing(_ signal: [(instant: Double, value: Double)], distance: Double)
    -> Double?
  {
    guard let first = signal.first, distance > 0 else { return nil }
    for (before, now) in zip(signal, signal.dropFirst()) {
      let (from, to) = ((before.value - first.value).magnitude, (now.value - first.value).magnitude)
      guard to > distance else { continue }
      return before.instant + (distance - from) / (to - from) * (now.instant - before.instant)
    }
    return nil
  }

  /// The share of the peak rate, a time after the start of a turn.
  private static func profile(_ seconds: Double) -> Double {
    switch seconds {
    case ..<0: 0
    case ..<up: seconds / up
    case ..<steady: 1
    case ..<down: (down - seconds) / (down - steady)
    default: 0
    }
  }

  /// Returns how far the picture runs beyond the final value within a second of a stop, % of the peak, and the
  /// time until it stays within 5 % of the peak of the ideal, ms: the worst and the median of all stops.
  static func overshoot(of segment: ShownSegment, scale: SIMD2<Double>) -> (Double?, Double?) {
    let ideal = segment.instants.map {
      segment.motion.value(of: segment.motion.ideal, at: $0) * scale
    }
    var worst = 0.0
    var settling: [Double] = []
    for stop in stops {
      let near = segment.instants.indices.filter {
        segment.instants[$0] > stop - 0.45 && segment.instants[$0] < stop + 1
      }
      let after = near.filter { segment.instants[$0] > stop - 0.03 }
      for axis in 0..<2 {
        guard
          let peak = near.max(by: { ideal[$0][axis].magnitude < ideal[$1][axis].magnitude }),
          let last = after.last, case let top = ideal[peak][axis].magnitude, top > 0
        else { continue }
        let sign: Double = ideal[peak][axis] < 0 ? -1 : 1
        let returns = ideal[last][axis].magnitude < 0.25 * top
        for picture in after {
          let (shown, wanted) = (sign * segment.shown[picture][axis], sign * ideal[picture][axis])
          // Where the ideal returns to 0 (rate), beyond is below 0; else (tilt) above the peak.
          let beyond = returns ? min(0, wanted) - shown : shown - top
          worst = max(worst, 100 * beyond / top)
        }
        let unsettled = after.last {
          (segment.shown[$0][axis] - ideal[$0][axis]).magnitude > 0.05 * top
        }
        settling.append(unsettled.map { max(0, 1000 * (segment.instants[$0] - stop)) } ?? 0)
      }
    }
    settling.sort()
    return (settling.isEmpty ? nil : worst, FigureMeasure.percentile(50, of: settling))
  }
}
