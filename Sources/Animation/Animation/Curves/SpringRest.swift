// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

/// Where a motion counts as at rest: closer to its target than `distance`, and slower than ten times as much per second.
struct RestLimit: Equatable, Sendable {
  var distance: Double
  var velocity: Double { 10 * distance }

  /// Of a position in px: no display shows less.
  static let px = RestLimit(distance: 0.01)
}

extension PoseChannel {
  /// What moves no point of a layer of 1000 px by more than 0.01 px; of the opacity, a quarter of the 8-bit step.
  var restLimit: RestLimit {
    switch self {
    case .x, .y: .px
    case .rotation: RestLimit(distance: 0.001)
    case .scale, .scaleY: RestLimit(distance: 0.00001)
    case .opacity: RestLimit(distance: 0.001)
    }
  }
}

extension Spring {
  /// Returns the time after which a spring is at rest for good, in seconds.
  ///
  /// - Parameters:
  ///   - distance: From the target, at the release.
  ///   - velocity: Per second, at the release.
  func restSeconds(distance: Double, velocity: Double, within limit: RestLimit) -> Double {
    restSeconds(distance: distance, velocity: velocity, within: limit, length: \.magnitude)
  }

  /// Returns the time after which a spring is at rest for good, in seconds.
  ///
  /// - Parameters:
  ///   - distance: From the target, at the release.
  ///   - velocity: Per second, at the release.
  ///   - length: Returns how far a value is from zero.
  func restSeconds<Value: Animatable>(
    distance: Value, velocity: Value, within limit: RestLimit, length: (Value) -> Double
  ) -> Double {
    func isMoving(_ seconds: Double) -> Bool {
      let motion = transition(seconds).apply(distance: distance, velocity: velocity)
      return self.isMoving(length(motion.distance), length(motion.velocity), within: limit)
    }
    guard length(distance).isFinite, length(velocity).isFinite, isMoving(0) else { return 0 }
    var (early, late) = (0.0, responseSeconds)
    while late < 1e9, isMoving(late) { (early, late) = (late, 2 * late) }
    for _ in 0..<50 {
      let middle = early + (late - early) / 2
      if isMoving(middle) { early = middle } else { late = middle }
    }
    return late
  }

  /// Returns whether a motion is not yet at rest for good.
  func isMoving(_ distance: Double, _ velocity: Double, within limit: RestLimit) -> Bool {
    // The amplitude that the swing would have without damping never grows.
    let secondsPerRadian = responseSeconds * (0.5 / .pi)
    let near = min(limit.distance, limit.velocity * secondsPerRadian)
    let swing = velocity * secondsPerRadian
    return distance * distance + swing * swing > near * near
  }

  /// The time after which the way of a value without a length is at rest, in seconds: as 2000 px.
  var typicalRestSeconds: Double {
    restSeconds(distance: -2000, velocity: 2000 * initialVelocity, within: .px)
  }

  /// Returns the time after which all channels are at rest, in seconds.
  func restSeconds(distance: Pose, velocity: Pose) -> Double {
    PoseChannel.allCases.reduce(0) { longest, channel in
      max(
        longest,
        restSeconds(
          distance: distance[channel], velocity: velocity[channel], within: channel.restLimit))
    }
  }
}

extension SpringTransition {
  /// Returns the motion after the time of the transition.
  func apply<Value: Animatable>(
    distance: Value, velocity: Value
  ) -> (distance: Value, velocity: Value) {
    let (fromDistance, fromVelocity) = (
      apply(distance: 1.0, velocity: 0.0), apply(distance: 0.0, velocity: 1.0)
    )
    return (
      distance.scaled(by: fromDistance.distance) + velocity.scaled(by: fromVelocity.distance),
      distance.scaled(by: fromDistance.velocity) + velocity.scaled(by: fromVelocity.velocity)
    )
  }
}
