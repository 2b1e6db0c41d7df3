// SPDX-License-Identifier: Apache-2.0

public import ParallaxMotion

/// A number that the vectors of the standard library consist of: `Double` or `Float`.
public protocol AnimatableScalar: BinaryFloatingPoint, Codable, SIMDScalar, Sendable
where SIMD2Storage: Sendable, SIMD4Storage: Sendable {}

extension Double: Animatable, AnimatableScalar {
  /// Returns the product.
  public func scaled(by factor: Double) -> Double { self * factor }
  /// The magnitude.
  public var distanceFromZero: Double? { magnitude }
}

extension Float: Animatable, AnimatableScalar {
  /// Returns the product.
  public func scaled(by factor: Double) -> Float { self * Float(factor) }
  /// The magnitude.
  public var distanceFromZero: Double? { Double(magnitude) }
}

extension SIMD2: Animatable where Scalar: AnimatableScalar {
  /// Returns the vector with every number multiplied.
  public func scaled(by factor: Double) -> SIMD2 { self * Scalar(factor) }
  /// The length.
  public var distanceFromZero: Double? { Double((self * self).sum().squareRoot()) }
}

extension SIMD3: Animatable where Scalar: AnimatableScalar {
  /// Returns the vector with every number multiplied.
  public func scaled(by factor: Double) -> SIMD3 { self * Scalar(factor) }
  /// The length.
  public var distanceFromZero: Double? { Double((self * self).sum().squareRoot()) }
}

extension SIMD4: Animatable where Scalar: AnimatableScalar {
  /// Returns the vector with every number multiplied.
  public func scaled(by factor: Double) -> SIMD4 { self * Scalar(factor) }
  /// The length.
  public var distanceFromZero: Double? { Double((self * self).sum().squareRoot()) }
}

extension PixelOffset: Animatable {
  /// Adds two offsets.
  public static func + (left: PixelOffset, right: PixelOffset) -> PixelOffset {
    PixelOffset(x: left.x + right.x, y: left.y + right.y)
  }

  /// Returns the offset with both numbers multiplied.
  public func scaled(by factor: Double) -> PixelOffset {
    PixelOffset(x: x * factor, y: y * factor)
  }

  /// The length, in px.
  public var distanceFromZero: Double? { (x * x + y * y).squareRoot() }
}
