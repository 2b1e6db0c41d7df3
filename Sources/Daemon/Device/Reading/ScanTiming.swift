// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// Maps the times of a device's scans to CLOCK_MONOTONIC.
struct ScanTiming: Sendable {
  /// The device's clock. One that is not CLOCK_MONOTONIC although its driver says so becomes `.foreign`
  /// when that shows.
  private(set) var clock: SampleClock
  private var stamps: StampClock

  init(_ clock: SampleClock, frameRate: FrameRate) {
    self.clock = clock
    let isForeign = if case .foreign = clock { true } else { false }
    stamps = StampClock(isForeign ? .foreign : .monotonic, frameRate: frameRate)
  }

  /// - Parameter isNewest: Whether no newer scan was waiting.
  /// - Returns: The sample, and whether it starts a segment.
  mutating func sample(
    of scan: GyroScan, isNewest: Bool
  ) -> (sample: GyroSample, startsSegment: Bool) {
    let mapped = stamps.map(
      stamp: scan.stamp ?? scan.arrival, arrival: scan.arrival, isNewestOfDrain: isNewest)
    if clock == .monotonic, stamps.kind == .foreign {
      clock = .foreign("its timestamps are not CLOCK_MONOTONIC, although its source says so")
    }
    return (
      GyroSample(time: mapped.time, rateRadPerSec: scan.rateRadPerSec), mapped.startsSegment
    )
  }
}
