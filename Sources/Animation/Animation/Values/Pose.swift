// SPDX-License-Identifier: Apache-2.0

public import ParallaxMotion

/// The position, rotation, scale and opacity of a layer: what an animation changes.
public struct Pose: Animatable {
  /// Its channels change separately.
  public typealias _Model = _PoseModel

  /// In px; y grows downward.
  public var offset: PixelOffset
  /// Degrees clockwise.
  public var rotationDegrees: Double
  /// The scale to the right, and downward too unless `scaleY` differs; 1 is unscaled.
  public var scale: Double
  /// The scale downward.
  public var scaleY: Double
  /// 0...1 on a screen. Intermediate sums may lie outside.
  public var opacity: Double

  /// Creates a pose. The default of every property is rest, that of `scaleY` is `scale`.
  public init(
    offset: PixelOffset = .zero, rotationDegrees: Double = 0, scale: Double = 1,
    scaleY: Double? = nil, opacity: Double = 1
  ) {
    self.offset = offset
    self.rotationDegrees = rotationDegrees
    self.scale = scale
    self.scaleY = scaleY ?? scale
    self.opacity = opacity
  }

  /// The pose without any animation.
  public static let rest = Pose()
  /// The neutral element of addition: no difference, no velocity.
  public static let zero = Pose(scale: 0, opacity: 0)

  /// Adds two poses property by property.
  public static func + (left: Pose, right: Pose) -> Pose {
    left.combined(with: right) { $0 + $1 }
  }

  /// Subtracts a pose property by property.
  public static func - (left: Pose, right: Pose) -> Pose {
    left.combined(with: right) { $0 - $1 }
  }

  /// Returns the pose with every property multiplied.
  public func scaled(by factor: Double) -> Pose { self * factor }

  /// Multiplies every property.
  public static func * (pose: Pose, factor: Double) -> Pose {
    pose.combined(with: .zero) { value, _ in value * factor }
  }

  @inline(__always)
  package func combined(with other: Pose, _ combine: (Double, Double) -> Double) -> Pose {
    Pose(
      offset: PixelOffset(
        x: combine(offset.x, other.offset.x), y: combine(offset.y, other.offset.y)),
      rotationDegrees: combine(rotationDegrees, other.rotationDegrees),
      scale: combine(scale, other.scale), scaleY: combine(scaleY, other.scaleY),
      opacity: combine(opacity, other.opacity))
  }

  /// Accesses one number of the pose.
  @inlinable
  public subscript(channel: PoseChannel) -> Double {
    get {
      switch channel {
      case .x: offset.x
      case .y: offset.y
      case .rotation: rotationDegrees
      case .scale: scale
      case .opacity: opacity
      case .scaleY: scaleY
      }
    }
    set {
      switch channel {
      case .x: offset.x = newValue
      case .y: offset.y = newValue
      case .rotation: rotationDegrees = newValue
      case .scale: scale = newValue
      case .opacity: opacity = newValue
      case .scaleY: scaleY = newValue
      }
    }
  }
}

/// One number of a pose.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum PoseChannel: UInt8, CaseIterable, Sendable {
  /// px to the right.
  case x
  /// px down.
  case y
  /// Degrees clockwise.
  case rotation
  /// The scale to the right, and downward too unless `scaleY` differs; 1 is unscaled.
  case scale
  /// 0 (invisible) to 1.
  case opacity
  /// The scale downward. A set of channels contains it only beside `scale`, where an animation scales
  /// the axes differently.
  case scaleY
}

/// A set of channels of a pose.
public struct PoseChannels: OptionSet, Sendable {
  /// One bit per channel, at the place of its raw value.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Creates a set of one channel.
  public init(_ channel: PoseChannel) {
    rawValue = 1 << channel.rawValue
  }

  /// Both numbers of the offset.
  public static let offset = PoseChannels([PoseChannels(.x), PoseChannels(.y)])
  /// The rotation.
  public static let rotation = PoseChannels(.rotation)
  /// The scale.
  public static let scale = PoseChannels(.scale)
  /// The opacity.
  public static let opacity = PoseChannels(.opacity)
  /// Every number of a pose.
  public static let all: PoseChannels = [.offset, .rotation, .scales, .opacity]
  /// Both axes, scaled differently.
  static let scales: PoseChannels = [.scale, PoseChannels(.scaleY)]
}
