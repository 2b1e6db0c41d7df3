// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The angle between two vectors, 0...180 degrees.
func angleDegrees(_ a: Vector3, _ b: Vector3) -> Double {
  atan2(a.cross(b).length, a.dot(b)) * 180 / .pi
}

/// A 3x3 matrix, row by row.
struct Matrix3: Equatable, Sendable {
  var rows: (Vector3, Vector3, Vector3)

  init(rows a: Vector3, _ b: Vector3, _ c: Vector3) {
    rows = (a, b, c)
  }

  static func == (left: Matrix3, right: Matrix3) -> Bool { left.rowMajor == right.rowMajor }

  var rowMajor: [Double] {
    [
      rows.0.x, rows.0.y, rows.0.z, rows.1.x, rows.1.y, rows.1.z, rows.2.x, rows.2.y, rows.2.z,
    ]
  }

  var determinant: Double { rows.0.dot(rows.1.cross(rows.2)) }

  /// Returns the nearest rotation in the sense of least squares, for a determinant well above 0.
  ///
  /// It is the orthogonal factor of the polar decomposition, by Newton's iteration
  /// X <- (X + X⁻ᵀ) / 2 (Higham, "Computing the polar decomposition - with applications", 1986).
  func nearestRotation() -> Matrix3 {
    var x = self
    for _ in 0..<50 {
      // The rows of the inverse's transpose are the cofactors over the determinant.
      let scale = 1 / x.determinant
      let next = Matrix3(
        rows: (x.rows.0 + x.rows.1.cross(x.rows.2) * scale) * 0.5,
        (x.rows.1 + x.rows.2.cross(x.rows.0) * scale) * 0.5,
        (x.rows.2 + x.rows.0.cross(x.rows.1) * scale) * 0.5)
      let moved = zip(next.rowMajor, x.rowMajor).reduce(0) { max($0, ($1.0 - $1.1).magnitude) }
      x = next
      if moved < 1e-14 { break }
    }
    return x
  }

  /// Returns the matrix whose rows are the coordinate axes nearest to this one's rows; nil if one
  /// is farther away than the bound, which is below 45 degrees: no two rows share an axis.
  func alongAxes(withinDegrees bound: Double) -> Matrix3? {
    guard
      let a = Self.nearestAxis(rows.0, bound), let b = Self.nearestAxis(rows.1, bound),
      let c = Self.nearestAxis(rows.2, bound)
    else { return nil }
    return Matrix3(rows: a, b, c)
  }

  private static func nearestAxis(_ row: Vector3, _ bound: Double) -> Vector3? {
    let largest = max(row.x.magnitude, row.y.magnitude, row.z.magnitude)
    func entry(_ value: Double) -> Double {
      value.magnitude < largest ? 0 : (value < 0 ? -1 : 1)
    }
    let axis = Vector3(x: entry(row.x), y: entry(row.y), z: entry(row.z))
    return angleDegrees(row, axis) <= bound ? axis : nil
  }
}
