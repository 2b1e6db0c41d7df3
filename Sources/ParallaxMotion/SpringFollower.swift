#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A damped spring that follows a target: x'' + 2 z w x' + w^2 x = w^2 target, w = 2 pi / response.
///
/// Each step is the exact solution over dt with the target held (no integration error, stable for any
/// dt), so one long step equals two short ones. `response` and `damping` mean what SwiftUI's and
/// UIKit's springs mean by them: the undamped period in seconds, and the fraction of critical damping.
struct SpringFollower: Sendable {
  private let angularFrequency: Double
  private let damping: Double
  private var position: PixelOffset
  /// px/s
  private var velocity = PixelOffset.zero

  init(responseSeconds: Double, damping: Double, startingAt value: PixelOffset) {
    angularFrequency = 2 * Double.pi / responseSeconds
    self.damping = damping
    position = value
  }

  mutating func step(toward target: PixelOffset, dtSeconds: Double) -> PixelOffset {
    let transition = Transition(w: angularFrequency, z: damping, dt: dtSeconds)
    let (x, velocityX) = transition.apply(distance: position.x - target.x, velocity: velocity.x)
    let (y, velocityY) = transition.apply(distance: position.y - target.y, velocity: velocity.y)
    position = PixelOffset(x: target.x + x, y: target.y + y)
    velocity = PixelOffset(x: velocityX, y: velocityY)
    return position
  }

  /// The linear map (distance, velocity) -> (distance, velocity) over dt.
  private struct Transition {
    private let distanceFromDistance, distanceFromVelocity: Double
    private let velocityFromDistance, velocityFromVelocity: Double

    init(w: Double, z: Double, dt: Double) {
      if z < 1 {
        let wd = w * (1 - z * z).squareRoot()
        let decay = exp(-z * w * dt)
        let c = cos(wd * dt)
        let s = sin(wd * dt) / wd
        distanceFromDistance = decay * (c + z * w * s)
        distanceFromVelocity = decay * s
        velocityFromDistance = -decay * w * w * s
        velocityFromVelocity = decay * (c - z * w * s)
      } else if z == 1 {
        let decay = exp(-w * dt)
        distanceFromDistance = decay * (1 + w * dt)
        distanceFromVelocity = decay * dt
        velocityFromDistance = -decay * w * w * dt
        velocityFromVelocity = decay * (1 - w * dt)
      } else {
        // Two decays, slow and fast; written with their difference so that neither a large z
        // (cancellation) nor one just above 1 (division by almost 0) loses digits.
        let root = (z * z - 1).squareRoot()
        let slow = -w / (z + root)
        let fast = -w * (z + root)
        let slowDecay = exp(slow * dt)
        let fastDecay = exp(fast * dt)
        let mixed = slowDecay * -expm1((fast - slow) * dt) / (slow - fast)
        distanceFromDistance = slowDecay - slow * mixed
        distanceFromVelocity = mixed
        velocityFromDistance = -slow * fast * mixed
        velocityFromVelocity = slow * mixed + fastDecay
      }
    }

    func apply(distance: Double, velocity: Double) -> (distance: Double, velocity: Double) {
      (
        distanceFromDistance * distance + distanceFromVelocity * velocity,
        velocityFromDistance * distance + velocityFromVelocity * velocity
      )
    }
  }
}
