// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// When a gyroscope without samples counts as silent. The rule of the daemon and of `parallax record`.
struct SilenceRule: Equatable, Sendable {
  /// No gyroscope streams below 0.1 Hz: a longer period is a driver's mistake.
  static let maxPeriod: MotionDuration = .seconds(10)
  /// The lower limits of the two spans below.
  static let minFirstSpan: MotionDuration = .seconds(2)
  static let minSpan: MotionDuration = .seconds(1)
  /// A slow device may miss two samples.
  private static let periods: Int64 = 3

  private let period: MotionDuration

  /// - Parameter period: The time between two samples; zero: not known. Limited to 0...10 s.
  init(period: MotionDuration) {
    self.period = min(max(period, .zero), Self.maxPeriod)
  }

  /// The longest wait for the first sample after opening: 2 s, or three periods if that is longer.
  var firstSpan: MotionDuration { max(Self.minFirstSpan, Self.periods * period) }

  /// The longest wait for each later sample: 1 s, or three periods if that is longer.
  var span: MotionDuration { max(Self.minSpan, Self.periods * period) }
}
