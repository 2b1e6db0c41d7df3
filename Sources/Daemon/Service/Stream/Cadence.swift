// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxMotion

/// Picks the frames for a subscriber that asked for fewer than there are.
///
/// From R / 1.02 up every frame is due. Below it a frame is due when floor(time * rate + 0.01)
/// changes: subscribers with the same rate get the same frames, and a rate that divides R gets evenly
/// spaced ones. No subscriber gets more than 60 frames per second.
package struct Cadence: Equatable, Sendable {
  /// The highest rate, in lines per second.
  package static let capHertz = FrameRate.capHertz
  /// How far below R a rate still means "every frame".
  package static let tolerance = 1.02

  /// The requested rate in lines per second, in (0, 60]; nil for every frame.
  package var rateHertz: Double?
  private var lastSlot: Double?

  package init(rateHertz: Double? = nil) {
    self.rateHertz = rateHertz
  }

  /// Whether the frame at this time is due. Must be called for every frame, in order.
  package mutating func isDue(time: MotionInstant, pace: FramePace) -> Bool {
    guard let limit = limit(pace) else {
      lastSlot = nil
      return true
    }
    let slot = (Double(time.nanoseconds) / 1e9 * limit + 0.01).rounded(.down)
    defer { lastSlot = slot }
    return slot != lastSlot
  }

  private func limit(_ pace: FramePace) -> Double? {
    if let rateHertz, rateHertz < pace.ratedHertz / Self.tolerance {
      return min(rateHertz, Self.capHertz)
    }
    return Self.capHertz < pace.actualHertz / Self.tolerance ? Self.capHertz : nil
  }
}
