// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

/// What a replay reports to, row by row. The replay is compiled for each observer, so that one that does
/// nothing costs nothing.
protocol ReplayObserver {
  /// Whether the table is written to standard output if no file is given.
  var printsTable: Bool { get }
  mutating func add(_ sample: GyroSample, _ verdict: SampleVerdict)
  /// - Parameter gain: The gates' gain, by which the offset is multiplied.
  mutating func add(_ frame: MotionFrame, gain: Double)
}

/// A replay that only writes its table.
struct NoReplayObserver: ReplayObserver {
  var printsTable: Bool { true }
  func add(_ sample: GyroSample, _ verdict: SampleVerdict) {}
  func add(_ frame: MotionFrame, gain: Double) {}
}

/// A replay that is drawn.
struct ReplayPlotter: ReplayObserver {
  var plot: ReplayPlot

  var printsTable: Bool { false }
  mutating func add(_ sample: GyroSample, _ verdict: SampleVerdict) { plot.add(sample, verdict) }
  mutating func add(_ frame: MotionFrame, gain: Double) {
    plot.add((frame.motion * gain).offset, at: frame.time)
  }
}
