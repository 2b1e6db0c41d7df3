// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

/// Made-up turns of 45, 90 and 170 degrees about y, at up to 3 rad/s, each reversed after half a second.
enum TurnTrace {
  private static let degrees = [45.0, 90, 170]
  private static let intervalSeconds = 16.0
  private static let firstSeconds = 2.0
  private static let peakRadPerSec = 3.0
  /// From rest to the peak and back.
  private static let rampSeconds = 0.1
  private static let pauseSeconds = 0.5

  /// How long a turn takes, seconds.
  private static func duration(_ degrees: Double) -> Double {
    degrees * .pi / 180 / peakRadPerSec + rampSeconds
  }

  /// When each turn begins, and when it is reversed, seconds.
  private static let turns = degrees.enumerated().map { index, degrees in
    let begin = firstSeconds + Double(index) * intervalSeconds
    return (
      begin: begin, reversal: begin + duration(degrees) + pauseSeconds, takes: duration(degrees)
    )
  }

  static func samples() -> [GyroSample] {
    StopTrace.samples(seconds: firstSeconds + Double(degrees.count) * intervalSeconds) { seconds in
      let rate = turns.reduce(0) { sum, turn in
        sum + profile(seconds - turn.begin, turn.takes)
          - profile(seconds - turn.reversal, turn.takes)
      }
      return SIMD2(0, rate)
    }
  }

  private static func profile(_ passed: Double, _ takes: Double) -> Double {
    peakRadPerSec * min(max(0, min(passed, takes - passed) / rampSeconds), 1)
  }

  /// Returns how long the picture stays after a reversal, ms: until x has moved by 5 % of the range; the longest.
  static func reversal(of segment: ShownSegment, reach: Double) -> Double? {
    turns.map { turn in
      let after = segment.instants.indices.filter {
        segment.instants[$0] >= turn.reversal && segment.instants[$0] <= turn.reversal + turn.takes
      }
      let moved = StopTrace.firstCrossing(
        after.map { (segment.instants[$0], segment.shown[$0].x) }, distance: 0.05 * reach)
      return 1000 * (moved.map { $0 - turn.reversal } ?? turn.takes)
    }.max()
  }
}

/// A made-up turn of 0.05 rad/s about x and y, as steady as a rest, that ends after 8 s.
enum SlowTurnTrace {
  private static let rateRadPerSec = 0.05
  private static let turnSeconds = 8.0
  private static let restSeconds = 4.0

  static func samples() -> [GyroSample] {
    StopTrace.samples(seconds: turnSeconds + restSeconds) {
      SIMD2(repeating: $0 < turnSeconds ? rateRadPerSec : 0)
    }
  }

  /// Returns the RMS error of the picture after the turn, px.
  static func error(of segment: ShownSegment, scale: SIMD2<Double>, range: IdealRange) -> Double? {
    let after = segment.instants.indices.filter { segment.instants[$0] >= turnSeconds }
    guard !after.isEmpty else { return nil }
    let square = after.reduce(0) { sum, picture in
      let ideal = segment.motion.value(of: segment.motion.ideal, at: segment.instants[picture])
      let error = segment.shown[picture] - range.shown(ideal * scale)
      return sum + (error * error).sum()
    }
    return (square / Double(2 * after.count)).squareRoot()
  }
}
