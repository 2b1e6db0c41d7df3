// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// A frame's place in the stream.
package struct FrameStamp: Equatable, Sendable {
  /// The daemon's frame number, counted from 0 over everything it publishes.
  package var seq: UInt64
  /// On CLOCK_MONOTONIC.
  package var time: MotionInstant
  /// Whether only subscribers with a tolerance may get it.
  package var isBetween: Bool

  package init(seq: UInt64, time: MotionInstant, isBetween: Bool = false) {
    self.seq = seq
    self.time = time
    self.isBetween = isBetween
  }
}
