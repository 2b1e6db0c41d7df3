// SPDX-License-Identifier: Apache-2.0

/// Where a motion counts as at rest: closer to its target than `distance`, and slower than `velocity` per second.
struct RestLimit: Equatable, Sendable {
  var distance: Double
  var velocity: Double

  /// Of a position in px: no display shows less.
  static let px = RestLimit(distance: 0.01, velocity: 0.1)
}

extension PoseChannel {
  /// What moves no point of a layer of 1000 px by more than 0.01 px; of the opacity, a quarter of the 8-bit step.
  var restLimit: RestLimit {
    switch self {
    case .x, .y: .px
    case .rotation: RestLimit(distance: 0.001, velocity: 0.01)
    case .scale, .scaleY: RestLimit(distance: 0.00001, velocity: 0.0001)
    case .opacity: RestLimit(distance: 0.001, velocity: 0.01)
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
    // The amplitude that the swing would have without damping never grows.
    let near = min(limit.distance, limit.velocity / angularFrequency)
    func isMoving(_ seconds: Double) -> Bool {
      let motion = transition(seconds).apply(distance: distance, velocity: velocity)
      let swing = motion.velocity / angularFrequency
      return (motion.distance * motion.distance + swing * swing).squareRoot() > near
    }
    guard distance.isFinite, velocity.isFinite, isMoving(0) else { return 0 }
    var (early, late) = (0.0, responseSeconds)
    while late < 1e9, isMoving(late) { (early, late) = (late, 2 * late) }
    for _ in 0..<50 {
      let middle = early + (late - early) / 2
      if isMoving(middle) { early = middle } else { late = middle }
    }
    return late
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

extension PoseChange {
  /// The distance in each channel that it moves; where that depends on the start, the longest that is usual: 2000 px,
  /// half a turn, the whole scale and opacity.
  var longestWay: Pose {
    var way = Pose.zero
    switch self {
    case .moveBy(let px): way.offset = px
    case .moveTo(let px):
      way.offset = PixelOffset(x: max(px.x.magnitude, 2000), y: max(px.y.magnitude, 2000))
    case .rotateBy(let degrees): way.rotationDegrees = degrees
    case .rotateTo(let degrees): way.rotationDegrees = max(degrees.magnitude, 180)
    case .pivotBy(let degrees, let anchor): way = Self.turn(by: degrees, about: anchor)
    case .pivotTo(let degrees, let anchor):
      way = Self.turn(by: max(degrees.magnitude, 180), about: anchor)
    case .scaleBy(let factor): (way.scale, way.scaleY) = (factor - 1, factor - 1)
    case .scaleTo(let scale): (way.scale, way.scaleY) = (max(scale.magnitude, 1), 0)
    case .stretchBy(let x, let y): (way.scale, way.scaleY) = (x - 1, y - 1)
    case .stretchTo(let x, let y):
      (way.scale, way.scaleY) = (max(x.magnitude, 1), max(y.magnitude, 1))
    case .fadeTo: way.opacity = 1
    }
    return way.clamped(to: .poseBound)
  }

  /// As far as the anchor's arc is long.
  private static func turn(by degrees: Double, about anchor: PixelOffset) -> Pose {
    let radians = degrees * (.pi / 180)
    return Pose(
      offset: PixelOffset(x: anchor.x * radians, y: anchor.y * radians), rotationDegrees: degrees,
      scale: 0, opacity: 0)
  }
}
