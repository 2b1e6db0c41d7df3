// SPDX-License-Identifier: Apache-2.0

/// A damped spring that follows a target: x'' + 2 z w x' + w^2 x = w^2 target, w = 2 pi / response.
///
/// Each step is the exact solution over dt with the target held (no integration error, stable for
/// any dt), so one long step equals two short ones. `response` and `damping` are those of SwiftUI's
/// and UIKit's springs: the undamped period in seconds, and the fraction of critical damping.
struct SpringFollower: Sendable {
  private let angularFrequency: Double
  private let damping: Double
  private var position: PixelOffset
  private(set) var velocity = PixelVelocity.zero

  init(responseSeconds: Double, damping: Double, startingAt value: PixelOffset) {
    angularFrequency = 2 * Double.pi / responseSeconds
    self.damping = damping
    position = value
  }

  mutating func step(toward target: PixelOffset, dtSeconds: Double) -> PixelOffset {
    let transition = SpringTransition(
      angularFrequency: angularFrequency, damping: damping, dtSeconds: dtSeconds)
    let (x, velocityX) = transition.apply(distance: position.x - target.x, velocity: velocity.x)
    let (y, velocityY) = transition.apply(distance: position.y - target.y, velocity: velocity.y)
    position = PixelOffset(x: target.x + x, y: target.y + y)
    velocity = PixelVelocity(x: velocityX, y: velocityY)
    return position
  }
}
