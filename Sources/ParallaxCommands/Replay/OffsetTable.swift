import ArgumentParser
import ParallaxMotion
import ParallaxWire

/// How replay's table is written.
enum TableFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// `t,x,y`: s from the first sample with 9 decimals, px with 6.
  case csv
  /// The stream's OFFSET lines, with 6 decimals.
  case ndjson
}

/// Turns frames into the lines of replay's table.
struct OffsetTable: ~Copyable {
  private let format: TableFormat
  private let encoder: OffsetEncoder
  /// What the gate lets through, 0...1: replay's gate does not move.
  private let gain: Double
  private var originNanoseconds: Int64 = 0
  private(set) var frames: UInt64 = 0
  var lines = OutputBuffer(capacity: 1 << 17)

  init(format: TableFormat, settings: MotionSettings, layers: LayerSet, gain: Double) {
    self.format = format
    self.gain = gain
    encoder = OffsetEncoder(
      layers: layers, rangeX: settings.rangeX, rangeY: settings.rangeY, precision: .replay)
  }

  /// Begins the table.
  /// - Parameter originNanoseconds: the first kept sample's time, from which t counts.
  mutating func begin(originNanoseconds: Int64) {
    self.originNanoseconds = originNanoseconds
    if format == .csv { lines.append("t,x,y\n") }
  }

  /// A frame's t, in nanoseconds.
  func time(of frame: MotionFrame) -> Int64 { frame.timeNanoseconds - originNanoseconds }

  mutating func append(_ frame: MotionFrame) {
    let (x, y) = (frame.offset.x * gain, frame.offset.y * gain)
    switch format {
    case .csv:
      lines.append(secondsFromNanoseconds: time(of: frame))
      lines.append(byte: UInt8(ascii: ","))
      lines.append(x, fixedDecimals: 6)
      lines.append(byte: UInt8(ascii: ","))
      lines.append(y, fixedDecimals: 6)
      lines.append(byte: UInt8(ascii: "\n"))
    case .ndjson:
      encoder.append(
        OffsetFrame(
          seq: frames, timeNanoseconds: time(of: frame), motion: PixelOffset(x: x, y: y)),
        to: &lines)
    }
    frames += 1
  }
}
