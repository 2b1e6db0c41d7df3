// SPDX-License-Identifier: Apache-2.0

/// A value that animations and springs can change: numbers that add up.
///
/// A type of your own needs three members: ``zero``, ``+(_:_:)`` and ``scaled(by:)``.
///
///     struct Camera: Animatable {
///       var pan = 0.0
///       var zoom = 0.0
///       static let zero = Camera()
///       static func + (left: Camera, right: Camera) -> Camera {
///         Camera(pan: left.pan + right.pan, zoom: left.zoom + right.zoom)
///       }
///       func scaled(by factor: Double) -> Camera {
///         Camera(pan: pan * factor, zoom: zoom * factor)
///       }
///     }
///
/// The values are not checked: what overflows becomes infinite, as in any sum. Numbers in a ``Pose`` are clamped.
public protocol Animatable: Equatable, Sendable {
  /// The neutral element of addition: no difference, no velocity.
  static var zero: Self { get }
  /// Adds two values.
  static func + (left: Self, right: Self) -> Self
  /// Returns the value with every number multiplied.
  func scaled(by factor: Double) -> Self

  /// How far the value is from zero, in its unit, by which a spring knows when it is at rest.
  ///
  /// Default: nil. A spring is then at rest when 1/200,000 of its way is left, as 0.01 px of 2000 px.
  var distanceFromZero: Double? { get }
  /// What is not seen, in the value's unit: closer to its target, and slower than ten times as much per second, a spring
  /// is at rest. Default: 0.01, for px.
  static var restDistance: Double { get }

  /// How animations compute with the value. Not for other modules: keep the default.
  associatedtype _Model: _AnimationModel = _ValueModel<Self> where _Model.Value == Self
}

extension Animatable {
  /// Not known.
  public var distanceFromZero: Double? { nil }
  /// 0.01, for px.
  public static var restDistance: Double { RestLimit.px.distance }

  func minus(_ other: Self) -> Self { self + other.scaled(by: -1) }
}
