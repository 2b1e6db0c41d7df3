// SPDX-License-Identifier: Apache-2.0

/// A velocity on the screen, px/s: x to the right, y DOWN.
package struct PixelVelocity: Equatable, Sendable {
  package var x: Double
  package var y: Double

  @inlinable
  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  package static let zero = PixelVelocity(x: 0, y: 0)
}

/// An offset and its velocity: the line along which a display continues until the next frame.
package struct ScreenMotion: Equatable, Sendable {
  /// px, within the ranges.
  package var offset: PixelOffset
  /// px/s, as far as the gyroscope causes it: a turn of the screen, a fade or recentering adds none.
  package var velocity: PixelVelocity

  @inlinable
  package init(offset: PixelOffset, velocity: PixelVelocity) {
    self.offset = offset
    self.velocity = velocity
  }

  package static let zero = ScreenMotion(offset: .zero, velocity: .zero)

  /// Scales both, as a gate's gain does.
  @inlinable
  package static func * (motion: ScreenMotion, gain: Double) -> ScreenMotion {
    ScreenMotion(
      offset: PixelOffset(x: motion.offset.x * gain, y: motion.offset.y * gain),
      velocity: PixelVelocity(x: motion.velocity.x * gain, y: motion.velocity.y * gain))
  }
}
