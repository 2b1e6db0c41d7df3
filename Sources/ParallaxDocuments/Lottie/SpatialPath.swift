/// The curved way between two positions, gone along by its length: half the progress is half the way.
///
/// Source: Lottie's `to` and `ti` are the control points of a cubic Bézier curve, relative to the
/// keyframe's position and to the next one's. After Effects' speed along it is the easing's alone.
struct SpatialPath: Sendable {
  private let start, end: LottieVector
  private let curve: CubicCurve
  /// The curve in pieces, short ones where it turns sharply, so that each one's length is exact.
  private let pieces: [Piece]

  private struct Piece: Sendable {
    /// The curve's parameter at its end; it begins where the one before ends, the first at 0.
    var end: Double
    /// px; the way gone at its end.
    var length: Double
  }

  /// - Returns: nil where the way is the straight line: its length goes with the progress anyway.
  init?(from start: LottieVector, to end: LottieVector, out: LottieVector, into: LottieVector) {
    guard !Self.isStraight(end - start, out: out, into: into) else { return nil }
    curve = CubicCurve(from: start, to: end, out: out, into: into)
    pieces = Self.pieces(curve)
    guard pieces[pieces.count - 1].length >= Self.shortest else { return nil }
    self.start = start
    self.end = end
  }

  /// Both control points lie on the line and within it, so that the curve never turns back.
  private static func isStraight(
    _ way: LottieVector, out: LottieVector, into: LottieVector
  ) -> Bool {
    if out == .zero, into == .zero { return true }
    let square = way.x * way.x + way.y * way.y
    func isWithin(_ handle: LottieVector) -> Bool {
      let along = handle.x * way.x + handle.y * way.y
      let across = (handle.x * way.y - handle.y * way.x).magnitude
      return across <= 1e-9 * square && along >= 0 && along <= square
    }
    return square > 0 && isWithin(out) && isWithin(into * -1)
  }

  /// px.
  var length: Double { pieces[pieces.count - 1].length }

  /// The position at a share of the length. Progress beyond the ends stays there, as in the players.
  func position(at share: Double) -> LottieVector {
    if !(share > 0) { return start }
    if share >= 1 { return end }
    return start + curve.point(at: parameter(at: share))
  }

  /// px per share of the length, along the curve.
  func slope(at share: Double) -> LottieVector {
    guard share >= 0, share <= 1 else { return .zero }
    let tangent = curve.tangent(at: parameter(at: share))
    let speed = tangent.length
    return speed > 0 ? tangent * (length / speed) : .zero
  }

  /// Newton's method within the piece's bracket, bisection where it leaves it.
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

  /// The first that ends at or behind a length.
  private func piece(atLength target: Double) -> Int {
    var low = 0
    var high = pieces.count - 1
    while low < high {
      let middle = low + (high - low) / 2
      if pieces[middle].length < target { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // -- Measuring

  /// px; below it nobody sees a curve.
  private static let shortest = 1e-6
  private static let firstPieces = 4
  private static let maximumPieces = 128
  /// Of halving; a cusp takes two pieces a level.
  private static let maximumLevel = 16

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

  /// Halves a piece until its halves together are as long as it is whole.
  private static func measure(
    _ curve: CubicCurve, _ from: Double, _ to: Double, _ whole: Double, _ tolerance: Double,
    _ level: Int, into pieces: inout [Piece]
  ) {
    let middle = from + (to - from) / 2
    let left = curve.length(from: from, to: middle)
    let right = curve.length(from: middle, to: to)
    if (left + right - whole).magnitude <= tolerance || level == maximumLevel
      || pieces.count >= maximumPieces
    {
      pieces.append(Piece(end: to, length: (pieces.last?.length ?? 0) + left + right))
    } else {
      measure(curve, from, middle, left, tolerance, level + 1, into: &pieces)
      measure(curve, middle, to, right, tolerance, level + 1, into: &pieces)
    }
  }
}
