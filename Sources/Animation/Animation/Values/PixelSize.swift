// SPDX-License-Identifier: Apache-2.0

/// The size of a layer or a window, in px.
public struct PixelSize: Animatable {
  /// In px.
  public var width: Double
  /// In px.
  public var height: Double

  /// Creates a size.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// No extent.
  public static let zero = PixelSize(width: 0, height: 0)

  /// Adds two sizes.
  public static func + (left: PixelSize, right: PixelSize) -> PixelSize {
    PixelSize(width: left.width + right.width, height: left.height + right.height)
  }

  /// Returns the size with both numbers multiplied.
  public func scaled(by factor: Double) -> PixelSize {
    PixelSize(width: width * factor, height: height * factor)
  }

  /// The diagonal, in px.
  public var distanceFromZero: Double? { (width * width + height * height).squareRoot() }
}
