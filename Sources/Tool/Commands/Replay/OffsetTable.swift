// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxBase
import ParallaxMotion
import ParallaxProtocol
import ParallaxTrace

/// The format of a replay's table.
enum TableFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// `t,x,y`: seconds from the first sample with 9 decimals, px with 6.
  case csv
  /// OFFSET lines as in the stream, with 6 decimals.
  case ndjson
}

/// Turns frames into the lines of a table, or of a part of one.
struct OffsetTable: ~Copyable {
  /// Whether the lines have velocities: OFFSET lines do, a CSV table if it has the columns `vx` and `vy`,
  /// px/s with 6 decimals.
  let hasVelocities: Bool
  /// The time of the first kept sample, which is t = 0.
  var origin = MotionInstant.zero
  /// The number of the first frame in the columns that are appended next.
  var firstFrame: UInt64 = 0
  /// The part of the recording whose frames are appended.
  var span = RecordingSpan()
  var lines = OutputBuffer(capacity: 1 << 17)

  private let format: TableFormat
  private let encoder: OffsetEncoder
  /// The gain, 0...1. It does not change during a replay.
  private let gain: Double
  private var wholeSeconds = WholeSeconds()

  init(
    format: TableFormat, printsVelocity: Bool, settings: MotionSettings, layers: LayerSet,
    gain: Double
  ) {
    self.format = format
    self.gain = gain
    hasVelocities = printsVelocity || format == .ndjson
    encoder = OffsetEncoder(
      layers: layers, rangeX: settings.rangeX, rangeY: settings.rangeY, precision: .replay)
  }

  /// Appends the line above the rows.
  mutating func begin() {
    if format == .csv { lines.append(hasVelocities ? "t,x,y,vx,vy\n" : "t,x,y\n") }
  }

  /// Appends those of some frames that are in the span.
  mutating func append(_ frames: borrowing FrameColumns, _ range: Range<Int>) {
    var range = range
    // Their times increase.
    if !span.isWhole {
      func isWanted(_ index: Int) -> Bool { span.contains(frames.times[index] - origin) }
      guard let first = range.first(where: isWanted), let last = range.last(where: isWanted) else {
        return
      }
      range = first..<last + 1
    }
    switch format {
    case .csv: lines.append(frames, range, from: origin, gain: gain, &wholeSeconds)
    case .ndjson: for index in range { appendOffset(frames, index) }
    }
  }

  private mutating func appendOffset(_ frames: borrowing FrameColumns, _ index: Int) {
    let motion =
      ScreenMotion(
        offset: PixelOffset(x: frames.x[index], y: frames.y[index]),
        velocity: PixelVelocity(x: frames.vx[index], y: frames.vy[index])) * gain
    encoder.append(
      OffsetFrame(
        seq: firstFrame + UInt64(index), time: .zero + (frames.times[index] - origin),
        motion: motion.offset, velocity: motion.velocity),
      to: &lines)
  }
}
