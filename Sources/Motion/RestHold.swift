// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Holds the offset of a device at rest, so that sensor noise and a slowly drifting mean move nothing.
///
/// The hold begins when the offset has stayed within 1 % of the range for 0.25 s. It ends in the frame whose
/// sample is more than 2 % of the range away from its mean, or whose offset is that far from the held
/// one. That frame continues from the held offset by its own motion; the difference fades over 0.2 s.
struct RestHold: Sendable {
  /// Shares of max(|low|, high).
  private static let beginBand = 0.01
  private static let endBand = 0.02
  private static let beginDelay: MotionDuration = .milliseconds(250)
  private static let fade: MotionDuration = .milliseconds(200)

  private var held: PixelOffset?
  /// The offset of the last frame, without and with what the hold adds.
  private var last = PixelOffset.zero
  private var lastShown = PixelOffset.zero
  /// Since when the offset has been near `anchor`.
  private var anchor = PixelOffset.zero
  private var since: MotionInstant?
  /// What the end of the last hold added, and when.
  private var difference = PixelOffset.zero
  private var end: MotionInstant?

  /// Returns a frame's motion, held while the device is at rest.
  ///
  /// - Parameters:
  ///   - away: The newest sample less its mean, px.
  ///   - reach: max(|low|, high) of each axis, px.
  mutating func apply(
    to motion: ScreenMotion, away: PixelOffset, time: MotionInstant, reach: PixelOffset
  ) -> ScreenMotion {
    let isQuiet = away.isWithin(Self.endBand, of: .zero, reach: reach)
    if let held {
      if isQuiet, motion.offset.isWithin(Self.endBand, of: held, reach: reach) {
        last = motion.offset
        return ScreenMotion(offset: held, velocity: .zero)
      }
      self.held = nil
      difference = PixelOffset(x: held.x - last.x, y: held.y - last.y)
      end = time
      watch(motion.offset, from: time)
    } else if let since, isQuiet, motion.offset.isWithin(Self.beginBand, of: anchor, reach: reach) {
      if time - since >= Self.beginDelay {
        held = lastShown
        last = motion.offset
        return ScreenMotion(offset: lastShown, velocity: .zero)
      }
    } else {
      watch(motion.offset, from: time)
    }
    last = motion.offset
    lastShown = shown(motion.offset, at: time)
    return ScreenMotion(offset: lastShown, velocity: motion.velocity)
  }

  private mutating func watch(_ offset: PixelOffset, from time: MotionInstant) {
    anchor = offset
    since = time
  }

  /// Adds what is left of the difference.
  private func shown(_ offset: PixelOffset, at time: MotionInstant) -> PixelOffset {
    guard let end, time - end < Self.fade else { return offset }
    let share = 1 - max(.zero, time - end) / Self.fade
    return PixelOffset(x: offset.x + share * difference.x, y: offset.y + share * difference.y)
  }
}

extension PixelOffset {
  /// Whether each axis is within a share of its reach.
  fileprivate func isWithin(_ share: Double, of other: PixelOffset, reach: PixelOffset) -> Bool {
    (x - other.x).magnitude <= share * reach.x && (y - other.y).magnitude <= share * reach.y
  }
}
