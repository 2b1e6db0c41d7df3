// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// A replay that is drawn: blocks of samples and frames, added to a plot, a page or both in the order of their
/// times.
struct ReplayPlotter: Sendable {
  private(set) var plot: ReplayPlot?
  /// What a page shows.
  private(set) var frames: ReplayFrames?
  /// The gates' gain, by which the offset is multiplied.
  private let gain: Double
  /// Decides as the pipeline which samples count.
  private var rule: TimeRule
  private var lastKept = MotionInstant.distantPast

  init(_ plot: ReplayPlot?, _ frames: ReplayFrames?, frameRate: FrameRate, gain: Double) {
    self.plot = plot
    self.frames = frames
    self.gain = gain
    rule = TimeRule(frameRate: frameRate)
  }

  /// Adds the samples that the pipeline has taken, and the frames that it has made, from an index on.
  mutating func add(
    _ samples: borrowing SampleColumns, _ taken: Range<Int>, _ frames: borrowing FrameColumns,
    from first: Int
  ) {
    var next = first
    add(frames, &next)
    for index in taken {
      let sample = samples[index]
      let verdict = verdict(on: sample)
      plot?.add(sample, verdict)
      guard case .kept(let time, let startsSegment) = verdict else { continue }
      self.frames?.add(sampleAt: time, startsSegment: startsSegment)
      lastKept = time
      add(frames, &next)
    }
  }

  /// Adds frames up to the last sample that counts.
  private mutating func add(_ frames: borrowing FrameColumns, _ next: inout Int) {
    while next < frames.count, frames.times[next] <= lastKept {
      let offset = PixelOffset(x: frames.x[next] * gain, y: frames.y[next] * gain)
      plot?.add(offset, at: frames.times[next])
      self.frames?.add(offset, at: frames.times[next])
      next += 1
    }
  }

  private mutating func verdict(on sample: GyroSample) -> SampleVerdict {
    guard sample.rateRadPerSec.isFinite else { return .nonfinite }
    return switch rule.admit(sample.time) {
    case .kept(let time, let startsSegment): .kept(time: time, startsSegment: startsSegment)
    case .rebased(let time): .kept(time: time, startsSegment: true)
    case .duplicate: .duplicate
    case .backwards: .backwards
    case .outOfRange: .nonfinite
    }
  }
}
