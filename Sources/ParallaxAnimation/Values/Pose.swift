// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion

/// The position, rotation, scale and opacity of a layer: what an animation changes.
package struct Pose: Equatable, Sendable {
  /// In px; y grows downward.
  package var offset: PixelOffset
  /// Degrees clockwise.
  package var rotationDegrees: Double
  /// 1 is unscaled.
  package var scale: Double
  /// 0...1 on a screen. Intermediate sums may lie outside.
  package var opacity: Double

  package init(
    offset: PixelOffset = .zero, rotationDegrees: Double = 0, scale: Double = 1,
    opacity: Double = 1
  ) {
    self.offset = offset
    self.rotationDegrees = rotationDegrees
    self.scale = scale
    self.opacity = opacity
  }

  /// The pose without any animation.
  package static let rest = Pose()
  /// The neutral element of addition: no difference, no velocity.
  package static let zero = Pose(scale: 0, opacity: 0)

  package static func + (left: Pose, right: Pose) -> Pose {
    left.combined(with: right) { $0 + $1 }
  }

  package static func - (left: Pose, right: Pose) -> Pose {
    left.combined(with: right) { $0 - $1 }
  }

  package static func * (pose: Pose, factor: Double) -> Pose {
    pose.combined(with: .zero) { value, _ in value * factor }
  }

  @inline(__always)
  package func combined(with other: Pose, _ combine: (Double, Double) -> Double) -> Pose {
    Pose(
      offset: PixelOffset(
        x: combine(offset.x, other.offset.x), y: combine(offset.y, other.offset.y)),
      rotationDegrees: combine(rotationDegrees, other.rotationDegrees),
      scale: combine(scale, other.scale), opacity: combine(opacity, other.opacity))
  }

  @inlinable
  package subscript(channel: PoseChannel) -> Double {
    get {
      switch channel {
      case .x: offset.x
      case .y: offset.y
      case .rotation: rotationDegrees
      case .scale: scale
      case .opacity: opacity
      }
    }
    set {
      switch channel {
      case .x: offset.x = newValue
      case .y: offset.y = newValue
      case .rotation: rotationDegrees = newValue
      case .scale: scale = newValue
      case .opacity: opacity = newValue
      }
    }
  }
}

/// One number of a pose.
package enum PoseChannel: UInt8, CaseIterable, Sendable {
  case x, y, rotation, scale, opacity
}

/// A set of channels of a pose.
package struct PoseChannels: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package init(_ channel: PoseChannel) {
    rawValue = 1 << channel.rawValue
  }

  package static let offset = PoseChannels([PoseChannels(.x), PoseChannels(.y)])
  package static let rotation = PoseChannels(.rotation)
  package static let scale = PoseChannels(.scale)
  package static let opacity = PoseChannels(.opacity)
}
