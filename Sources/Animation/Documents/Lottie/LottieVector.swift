// SPDX-License-Identifier: Apache-2.0

/// The value of a property: two numbers (px, %) or one (degrees, %) with y = 0.
package struct LottieVector: Equatable, Sendable {
  package var x: Double
  package var y: Double

  static let zero = LottieVector(x: 0, y: 0)
  /// 100 % of both axes.
  static let whole = LottieVector(x: 100, y: 100)

  var length: Double { (x * x + y * y).squareRoot() }

  static func + (left: LottieVector, right: LottieVector) -> LottieVector {
    LottieVector(x: left.x + right.x, y: left.y + right.y)
  }

  static func - (left: LottieVector, right: LottieVector) -> LottieVector {
    LottieVector(x: left.x - right.x, y: left.y - right.y)
  }

  static func * (vector: LottieVector, factor: Double) -> LottieVector {
    LottieVector(x: vector.x * factor, y: vector.y * factor)
  }
}
