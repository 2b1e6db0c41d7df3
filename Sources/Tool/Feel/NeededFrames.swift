// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxProtocol

/// Picks the frames that a subscriber with a tolerance gets. Without them, its display would be off by more than that.
struct NeededFrames: Sendable {
  static let tolerancePxRange = 0.0...1000

  /// px
  let tolerance: Double
  let gain: Double
  let ranges: (x: PixelRange, y: PixelRange)
  /// The number of frames picked.
  private(set) var count: UInt64 = 0
  private var sent: DisplayLine?

  init(tolerancePx: Double, settings: MotionSettings, gain: Double) {
    tolerance = tolerancePx
    self.gain = gain
    ranges = (settings.rangeX, settings.rangeY)
  }

  /// Removes the others from the columns, beginning at `first`.
  mutating func pick(_ frames: inout FrameColumns, from first: Int) {
    frames.keep(from: first) { needs($0) }
  }

  /// Returns whether the subscriber gets the next frame.
  mutating func needs(_ frame: MotionFrame) -> Bool {
    let motion = frame.motion * gain
    let next = DisplayLine(
      OffsetFrame(seq: 0, time: frame.time, motion: motion.offset, velocity: motion.velocity))
    if let sent, !sent.needs(next, tolerancePx: tolerance, within: ranges) { return false }
    sent = next
    count += 1
    return true
  }
}
