// SPDX-License-Identifier: Apache-2.0

/// The curved path between two positions, parameterized by length: half the progress is half the
/// length.
///
/// Lottie's `to` and `ti` are the control points of a cubic Bézier curve, relative to the positions
/// of the keyframe and of the next one. As in After Effects, only the easing determines the speed
/// along it.
struct SpatialPath: Sendable {
  private let start, end: LottieVector
  private let curve: CubicCurve
  /// The pieces of the curve, short where it bends sharply, so that the length of each is exact.
  private let pieces: [Piece]

  private struct Piece: Sendable {
    /// The parameter of the curve at its end. It begins at the end of the previous piece, the first
    /// at 0.
    var end: Double
    /// The length of the path up to its end, in px.
    var length: Double
  }

  /// - Returns: nil for a straight line, whose length is proportional to the progress anyway.
  init?(from start: LottieVector, to end: LottieVector, out: LottieVector, into: LottieVector) {
    guard !Self.isStraight(end - start, out: out, into: into) else { return nil }
    curve = CubicCurve(from: start, to: end, out: out, into: into)
    pieces = Self.pieces(curve)
    guard pieces[pieces.count - 1].length >= Self.minLength else { return nil }
    self.start = start
    self.end = end
  }

  /// Returns whether both control points lie on the line and between its ends, so that the curve
  /// never turns back.
  private static func isStraight(
    _ delta: LottieVector, out: LottieVector, into: LottieVector
  ) -> Bool {
    if out == .zero, into == .zero { return true }
    let square = delta.x * delta.x + delta.y * delta.y
    func isWithin(_ handle: LottieVector) -> Bool {
      let along = handle.x * delta.x + handle.y * delta.y
      let across = (handle.x * delta.y - handle.y * delta.x).magnitude
      return across <= 1e-9 * square && along >= 0 && along <= square
    }
    return square > 0 && isWithin(out) && isWithin(into * -1)
  }

  /// In px.
  var length: Double { pieces[pieces.count - 1].length }

  /// Returns the position at a share of the length. Shares beyond the ends are clamped, as in other
  /// players.
  func position(at share: Double) -> LottieVector {
    if !(share > 0) { return start }
    if share >= 1 { return end }
    return start + curve.point(at: parameter(at: share))
  }

  /// Returns the change of the position per share of the length, in px.
  func slope(at share: Double) -> LottieVector {
    guard share >= 0, share <= 1 else { return .zero }
    let tangent = curve.tangent(at: parameter(at: share))
    let speed = tangent.length
    return speed > 0 ? tangent * (length / speed) : .zero
  }

  /// Returns the parameter at a share of the length: Newton's method within a piece, with bisection
  /// if a step leaves it.
  private func parameter(at share: Double) -> Double {
    let target = share * length
    let index = piece(atLength: target)
    let first = index > 0 ? pieces[index - 1].end : 0
    let before = index > 0 ? pieces[index - 1].length : 0
    var low = first
    var high = pieces[index].end
    let own = pieces[index].length - before
    guard own > 0 else { return low }
    var t = low + (high - low) * min(max((target - before) / own, 0), 1)
    for _ in 0..<40 {
      let error = before + curve.length(from: first, to: t) - target
      if error.magnitude <= 1e-12 * length { break }
      if error > 0 { high = t } else { low = t }
      var next = t - error / curve.tangent(at: t).length
      if !(next > low && next < high) { next = low + (high - low) / 2 }
      if next == t { break }
      t = next
    }
    return t
  }

  /// Returns the first piece that ends at or after a length.
  private func piece(atLength target: Double) -> Int {
    var low = 0
    var high = pieces.count - 1
    while low < high {
      let middle = low + (high - low) / 2
      if pieces[middle].length < target { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: - Length

  /// The length below which a curve is invisible, in px.
  private static let minLength = 1e-6
  private static let firstPieces = 4
  private static let maxPieces = 128
  /// The depth of bisection; a cusp takes two pieces per level.
  private static let maxLevel = 16

  private static func pieces(_ curve: CubicCurve) -> [Piece] {
    var pieces: [Piece] = []
    pieces.reserveCapacity(2 * firstPieces)
    let scale = curve.length(from: 0, to: 1)
    for piece in 0..<firstPieces {
      let from = Double(piece) / Double(firstPieces)
      let to = Double(piece + 1) / Double(firstPieces)
      measure(curve, from, to, curve.length(from: from, to: to), 1e-9 * scale, 0, into: &pieces)
    }
    return pieces
  }

  /// Bisects a piece until the sum of its halves equals its own length.
  private static func measure(
    _ curve: CubicCurve, _ from: Double, _ to: Double, _ whole: Double, _ tolerance: Double,
    _ level: Int, into pieces: inout [Piece]
  ) {
    let middle = from + (to - from) / 2
    let left = curve.length(from: from, to: middle)
    let right = curve.length(from: middle, to: to)
    if (left + right - whole).magnitude <= tolerance || level == maxLevel
      || pieces.count >= maxPieces
    {
      pieces.append(Piece(end: to, length: (pieces.last?.length ?? 0) + left + right))
    } else {
      measure(curve, from, middle, left, tolerance, level + 1, into: &pieces)
      measure(curve, middle, to, right, tolerance, level + 1, into: &pieces)
    }
  }
}
