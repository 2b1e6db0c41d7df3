// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// A frame's place in the stream.
package struct FrameStamp: Equatable, Sendable {
  /// The daemon's frame number, counted from 0 over everything it publishes.
  package var seq: UInt64
  /// On CLOCK_MONOTONIC.
  package var time: MotionInstant

  package init(seq: UInt64, time: MotionInstant) {
    self.seq = seq
    self.time = time
  }
}
