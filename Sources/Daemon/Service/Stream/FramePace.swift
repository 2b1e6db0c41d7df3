// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// The rate of frames.
package struct FramePace: Equatable, Sendable {
  /// R, the rate that a subscriber's rate is compared with, in Hz.
  package var ratedHertz: Double
  /// The rate of the frames, in Hz: a source that passes through keeps its own.
  package var actualHertz: Double

  package init(ratedHertz: Double, actualHertz: Double) {
    self.ratedHertz = ratedHertz
    self.actualHertz = actualHertz
  }

  /// Returns the length of `count` frame periods, rounded down to the nanosecond.
  func period(_ count: Double) -> MotionDuration {
    MotionDuration(nanoseconds: Int64(count * 1e9 / actualHertz))
  }
}

extension FramePace {
  /// Creates the pace of a source's frames: the source's own rate if every sample becomes a frame.
  ///
  /// A trace may state any rate; timers stay within the range of the key `rate`.
  init(_ settings: MotionSettings, sourceHertz: Double?) {
    let range = FrameRate.range
    let own = sourceHertz.map { min(max($0, range.lowerBound), range.upperBound) }
    switch settings.frameRate {
    case .native:
      let hertz = own ?? settings.frameRate.timeRuleHertz
      self.init(ratedHertz: hertz, actualHertz: hertz)
    case .hertz(let requested):
      let passes = settings.passesThrough(nominalRateHertz: sourceHertz)
      self.init(ratedHertz: requested, actualHertz: passes ? own ?? requested : requested)
    }
  }
}
