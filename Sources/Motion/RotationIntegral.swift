// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A vector of the sensor's or the device's frame.
struct Vector3: Equatable, Sendable {
  var x: Double
  var y: Double
  var z: Double

  static let zero = Vector3(x: 0, y: 0, z: 0)

  var length: Double { dot(self).squareRoot() }

  func dot(_ other: Vector3) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: Vector3) -> Vector3 {
    Vector3(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  static func + (left: Vector3, right: Vector3) -> Vector3 {
    Vector3(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
  }

  static func - (left: Vector3, right: Vector3) -> Vector3 { left + right * -1 }

  static func * (left: Vector3, factor: Double) -> Vector3 {
    Vector3(x: left.x * factor, y: left.y * factor, z: left.z * factor)
  }
}

/// The integral of a turning body's rates: one rotation, even if the axis varies.
struct RotationIntegral {
  /// The rotation so far as a unit quaternion w + v.
  private var w = 1.0
  private var v = Vector3.zero

  /// Adds a turn at a rate in the body's own frame, rad/s, for `seconds`.
  mutating func add(_ rate: Vector3, seconds: Double) {
    let angle = rate.length * seconds
    guard angle > 0 else { return }
    let half = Vector3(x: rate.x, y: rate.y, z: rate.z) * (sin(angle / 2) / rate.length)
    let halfW = cos(angle / 2)
    let nextW = w * halfW - v.dot(half)
    v = half * w + v * halfW + v.cross(half)
    w = nextW
    let norm = (w * w + v.dot(v)).squareRoot()
    w /= norm
    v = v * (1 / norm)
  }

  /// Axis times angle (0...pi rad). The axis is the same in the frames before and after the
  /// rotation.
  var rotationVector: Vector3 {
    let sign = w < 0 ? -1.0 : 1
    let length = v.length
    guard length > 0 else { return .zero }
    return v * (sign * 2 * atan2(length, sign * w) / length)
  }
}
