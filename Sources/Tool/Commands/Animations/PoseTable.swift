// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxDocuments
import ParallaxMotion

/// The poses of an animation on the grid of frames: `t,x,y,rotation,scale,opacity`, and `scale_y` if it
/// ever differs from `scale`. With several layers, each has all its rows, after its name.
struct PoseTable {
  /// What plays on each layer; nil: all layers.
  let parts: [(layer: String?, timeline: Timeline<Pose>)]
  /// Frames per second.
  let rateHertz: Double

  /// Prints the frames from the start to the first after the end of the animation.
  ///
  /// - Parameter seconds: The time of the last frame at most.
  func print(upTo seconds: Double) throws {
    let hasScaleY = parts.contains { $0.timeline.channels.contains(PoseChannels(.scaleY)) }
    let hasLayers = parts.count > 1
    var lines = TableLines(
      header: (hasLayers ? "layer," : "") + "t,x,y,rotation,scale,opacity"
        + (hasScaleY ? ",scale_y" : ""))
    for part in parts {
      try append(part.timeline, hasLayers ? part.layer : nil, upTo: seconds, hasScaleY, to: &lines)
    }
    try lines.flush()
  }

  private func append(
    _ timeline: Timeline<Pose>, _ layer: String?, upTo seconds: Double, _ hasScaleY: Bool,
    to lines: inout TableLines
  ) throws {
    let grid = FrameGrid(origin: .zero, hertz: rateHertz)
    var frame: Int64 = 0
    while true {
      let time = Double(frame) / rateHertz
      guard time <= seconds + Self.slack else { break }
      // Sums of durations are rounded: an animation that ends at a frame is over at that frame.
      let isOver = time >= timeline.durationSeconds - Self.slack
      var pose = isOver ? timeline.end(from: .rest) : timeline.pose(at: time)
      // As it is shown and published.
      pose.opacity = min(max(pose.opacity, 0), 1)
      if let layer {
        lines.begin(text: layer)
        lines.append(time: grid.time(ofFrame: frame))
      } else {
        lines.begin(time: grid.time(ofFrame: frame))
      }
      for channel in PoseChannel.allCases where hasScaleY || channel != .scaleY {
        lines.append(pose[channel])
      }
      try lines.end()
      if isOver { break }
      frame += 1
    }
  }

  /// The tolerance for rounding, in seconds.
  static let slack = 1e-9
}

/// The transforms of the layers of a Lottie file, layer by layer.
enum TrackTable {
  /// - Parameter seconds: The time of the last frame at most.
  static func print(_ rows: LottieTracks, upTo seconds: Double) throws {
    var lines = TableLines(header: LottieTracks.columns.joined(separator: ","))
    for row in rows where row.seconds <= seconds + PoseTable.slack {
      lines.begin(text: row.path)
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

/// Comma-separated lines for standard output: seconds with 9 decimals, other numbers with 6.
private struct TableLines: ~Copyable {
  private var buffer = OutputBuffer(capacity: 1 << 16)

  init(header: String) {
    buffer.append(text: header)
    buffer.append(byte: UInt8(ascii: "\n"))
  }

  mutating func begin(time: MotionInstant) { buffer.append(seconds: time) }

  mutating func append(time: MotionInstant) {
    buffer.append(byte: UInt8(ascii: ","))
    buffer.append(seconds: time)
  }

  mutating func begin(text: String) { buffer.append(text: text) }

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
