import ParallaxAnimation
import ParallaxDocuments
import ParallaxMotion

/// An animation's poses on the grid of frames: `t,x,y,rotation,scale,opacity`.
struct PoseTable {
  let timeline: Timeline
  /// Frames a second.
  let rateHertz: Double

  /// Prints the frames from the start to the first at which the animation is over.
  ///
  /// - Parameter seconds: none behind this time.
  func print(upTo seconds: Double) throws {
    let grid = FrameGrid(originNanoseconds: 0, hertz: rateHertz)
    var lines = TableLines(header: "t,x,y,rotation,scale,opacity")
    var frame: Int64 = 0
    while true {
      let time = Double(frame) / rateHertz
      guard time <= seconds + Self.slack else { break }
      // Sums of durations are not exact: what ends at a frame but for the last bits is over there.
      let isOver = time >= timeline.durationSeconds - Self.slack
      var pose = isOver ? timeline.end(from: .rest) : timeline.pose(at: time)
      // As a screen shows it, and the stream says it.
      pose.opacity = min(max(pose.opacity, 0), 1)
      lines.begin(nanoseconds: grid.time(ofFrame: frame))
      for channel in PoseChannel.allCases { lines.append(pose[channel]) }
      try lines.end()
      if isOver { break }
      frame += 1
    }
    try lines.flush()
  }

  /// s.
  static let slack = 1e-9
}

/// The transforms of a Lottie file's layers, layer by layer.
enum TrackTable {
  /// - Parameter seconds: none behind this time.
  static func print(_ rows: LottieTracks, upTo seconds: Double) throws {
    var lines = TableLines(header: LottieTracks.columns.joined(separator: ","))
    for row in rows where row.seconds <= seconds + PoseTable.slack {
      lines.begin(integer: row.number)
      lines.append(integer: Int64(row.tick))
      lines.append(seconds: row.seconds)
      lines.append(row.frame)
      lines.append(integer: row.isVisible ? 1 : 0)
      for vector in [row.position, row.anchor, row.scale] {
        lines.append(vector.x)
        lines.append(vector.y)
      }
      lines.append(row.rotationDegrees)
      lines.append(row.opacity)
      let matrix = row.matrix
      for value in [matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f] {
        lines.append(value)
      }
      try lines.end()
    }
    try lines.flush()
  }
}

/// Comma-separated lines on their way to standard output: s with 9 decimals, the rest with 6.
private struct TableLines: ~Copyable {
  private var buffer = OutputBuffer(capacity: 1 << 16)

  init(header: String) {
    buffer.append(text: header)
    buffer.append(byte: UInt8(ascii: "\n"))
  }

  mutating func begin(nanoseconds: Int64) { buffer.append(secondsFromNanoseconds: nanoseconds) }

  mutating func begin(integer: Int64) { buffer.append(integer: integer) }

  mutating func append(_ value: Double) {
    buffer.append(byte: UInt8(ascii: ","))
    buffer.append(value, fixedDecimals: 6)
  }

  mutating func append(seconds: Double) {
    buffer.append(byte: UInt8(ascii: ","))
    buffer.append(seconds, fixedDecimals: 9)
  }

  mutating func append(integer: Int64) {
    buffer.append(byte: UInt8(ascii: ","))
    buffer.append(integer: integer)
  }

  mutating func end() throws {
    buffer.append(byte: UInt8(ascii: "\n"))
    if buffer.count > 1 << 15 { try flush() }
  }

  mutating func flush() throws {
    try buffer.withBytes { try Console.write($0[...]) }
    buffer.removeAll()
  }
}
