// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// The line that a display follows after a frame, with the values of the frame as printed, and the rule by which a
/// subscriber with a tolerance gets the next one.
///
/// docs/protocol.md, "Drawing between frames", has the display's side of it. How far ahead it draws makes no
/// difference here: only a frame that is needed now is sent.
package struct DisplayLine: Equatable, Sendable {
  /// How long a display follows a velocity.
  package static let reach: MotionDuration = .milliseconds(50)
  /// A miss that a display may keep for at most `longestMiss`, px.
  private static let leastMissPx = 0.005
  private static let longestMiss: MotionDuration = .milliseconds(100)

  private let time: MotionInstant
  /// px, with what animations add.
  package let x: Double
  package let y: Double
  /// Tenths of a px/s; nil if none was printed.
  private let vx: Int64?
  private let vy: Int64?

  package init(_ frame: OffsetFrame) {
    time = frame.time
    let (x, y) = frame.published
    let added = frame.overlay?.offset ?? .zero
    self.x = x.px + Hundredths(px: added.x).px
    self.y = y.px + Hundredths(px: added.y).px
    let velocity = frame.publishedVelocity
    (vx, vy) = (velocity?.x, velocity?.y)
  }

  /// At rest at (0, 0), with no velocity.
  package init() {
    (time, x, y, vx, vy) = (.zero, 0, 0, nil, nil)
  }

  /// px/s; nil if none was printed.
  package var velocity: PixelVelocity? {
    guard let vx, let vy else { return nil }
    return PixelVelocity(x: Double(vx) / 10, y: Double(vy) / 10)
  }

  /// Returns how far x or y is from another line's, in px.
  package func distance(to next: DisplayLine) -> Double {
    max((next.x - x).magnitude, (next.y - y).magnitude)
  }

  /// Whether both velocities are printed, and not the same.
  package func changesVelocity(to next: DisplayLine) -> Bool {
    vx != nil && next.vx != nil && (vx != next.vx || vy != next.vy)
  }

  /// Whether motion has ended in the next frame: a display would go on otherwise.
  private func stops(at next: DisplayLine) -> Bool {
    guard let vx, let vy, next.vx == 0, next.vy == 0 else { return false }
    return vx != 0 || vy != 0
  }

  /// Returns how far x or y of the next frame is from where a display is at its instant, in px.
  package func miss(to next: DisplayLine, within ranges: (x: PixelRange, y: PixelRange)) -> Double {
    guard let vx, let vy else { return distance(to: next) }
    let tenths = min(next.time - time, Self.reach).seconds / 10
    let (shownX, shownY) = (x + Double(vx) * tenths, y + Double(vy) * tenths)
    return max(
      (next.x - ranges.x.clamp(shownX)).magnitude, (next.y - ranges.y.clamp(shownY)).magnitude)
  }

  /// Whether a display that may be `tolerancePx` off needs the next frame.
  ///
  /// - Parameter correctsSmallMisses: Whether a miss within the tolerance is corrected once a display has had it for
  ///   long. Default: true.
  package func needs(
    _ next: DisplayLine, tolerancePx: Double, within ranges: (x: PixelRange, y: PixelRange),
    correctsSmallMisses: Bool = true
  ) -> Bool {
    let missPx = miss(to: next, within: ranges)
    if missPx >= tolerancePx || stops(at: next) { return true }
    return correctsSmallMisses && missPx > Self.leastMissPx && next.time - time > Self.longestMiss
  }
}
