// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxBase
import ParallaxMotion
import ParallaxProtocol

/// The format of a replay's table.
enum TableFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// `t,x,y`: seconds from the first sample with 9 decimals, px with 6.
  case csv
  /// OFFSET lines as in the stream, with 6 decimals.
  case ndjson
}

/// Turns frames into the lines of a table.
struct OffsetTable: ~Copyable {
  private let format: TableFormat
  /// Whether a CSV table has the columns `vx` and `vy`, px/s with 6 decimals. OFFSET lines have them.
  private let printsVelocity: Bool
  private let encoder: OffsetEncoder
  /// The gain, 0...1. It does not change during a replay.
  private let gain: Double
  private var origin: MotionInstant = .zero
  private var wholeSeconds = WholeSeconds()
  private(set) var frames: UInt64 = 0
  var lines = OutputBuffer(capacity: 1 << 17)

  init(
    format: TableFormat, printsVelocity: Bool, settings: MotionSettings, layers: LayerSet,
    gain: Double
  ) {
    self.format = format
    self.printsVelocity = printsVelocity
    self.gain = gain
    encoder = OffsetEncoder(
      layers: layers, rangeX: settings.rangeX, rangeY: settings.rangeY, precision: .replay)
  }

  /// Continues a table that another one began.
  ///
  /// - Parameter origin: As for `begin`.
  mutating func continueTable(from origin: MotionInstant) {
    self.origin = origin
  }

  /// Begins the table.
  ///
  /// - Parameter origin: The time of the first kept sample, which is t = 0.
  mutating func begin(origin: MotionInstant) {
    continueTable(from: origin)
    if format == .csv { lines.append(printsVelocity ? "t,x,y,vx,vy\n" : "t,x,y\n") }
  }

  /// Appends frames to a CSV table without velocities.
  mutating func append(_ columns: borrowing FrameColumns) {
    lines.appendRows(
      columns.count, times: columns.times, from: origin, x: columns.x, y: columns.y, gain: gain,
      &wholeSeconds)
    frames += UInt64(columns.count)
  }

  /// Returns a frame's t.
  func time(of frame: MotionFrame) -> MotionDuration { frame.time - origin }

  mutating func append(_ frame: MotionFrame) {
    let motion = frame.motion * gain
    switch format {
    case .csv:
      lines.append(seconds: time(of: frame))
      lines.append(byte: UInt8(ascii: ","))
      lines.append(motion.offset.x, fixedDecimals: 6)
      lines.append(byte: UInt8(ascii: ","))
      lines.append(motion.offset.y, fixedDecimals: 6)
      if printsVelocity { appendVelocity(of: motion) }
      lines.append(byte: UInt8(ascii: "\n"))
    case .ndjson:
      encoder.append(
        OffsetFrame(
          seq: frames, time: MotionInstant.zero + time(of: frame), motion: motion.offset,
          velocity: motion.velocity),
        to: &lines)
    }
    frames += 1
  }

  private mutating func appendVelocity(of motion: ScreenMotion) {
    let velocity = motion.offset == .zero ? .zero : motion.velocity
    lines.append(byte: UInt8(ascii: ","))
    lines.append(velocity.x, fixedDecimals: 6)
    lines.append(byte: UInt8(ascii: ","))
    lines.append(velocity.y, fixedDecimals: 6)
  }
}
