/// The curved way between two positions, gone along by its length: half the progress is half the way.
///
/// Source: Lottie's `to` and `ti` are the control points of a cubic Bézier curve, relative to the
/// keyframe's position and to the next one's. After Effects' speed along it is the easing's alone.
struct SpatialPath: Sendable {
  private let start, end: LottieVector
  /// The polynomial behind `start`: ((c t + b) t + a) t.
  private let a, b, c: LottieVector
  /// px; the way gone at each of the pieces' ends.
  private let lengths: [Double]

  private static let pieces = 16

  /// - Returns: nil where the way is the straight line: its length goes with the progress anyway.
  init?(from start: LottieVector, to end: LottieVector, out: LottieVector, into: LottieVector) {
    guard !Self.isStraight(end - start, out: out, into: into) else { return nil }
    self.start = start
    self.end = end
    a = out * 3
    b = (end + into - start - out) * 3 - a
    c = end - start - a - b
    var lengths: [Double] = []
    lengths.reserveCapacity(Self.pieces)
    var length = 0.0
    for piece in 0..<Self.pieces {
      length += Self.length(
        a, b, c, from: Double(piece) / Double(Self.pieces),
        to: Double(piece + 1) / Double(Self.pieces))
      lengths.append(length)
    }
    self.lengths = lengths
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
  var length: Double { lengths[Self.pieces - 1] }

  /// The position at a share of the length. Progress beyond the ends stays there, as in the players.
  func position(at share: Double) -> LottieVector {
    if !(share > 0) { return start }
    if share >= 1 { return end }
    let t = parameter(at: share)
    return start + ((c * t + b) * t + a) * t
  }

  /// px per share of the length, along the curve.
  func slope(at share: Double) -> LottieVector {
    guard share >= 0, share <= 1 else { return .zero }
    let tangent = Self.tangent(a, b, c, at: parameter(at: share))
    let speed = tangent.length
    return speed > 0 ? tangent * (length / speed) : .zero
  }

  /// Newton's method within the piece's bracket, bisection where it leaves it.
  private func parameter(at share: Double) -> Double {
    let target = share * length
    var piece = 0
    while piece < Self.pieces - 1, lengths[piece] < target { piece += 1 }
    let first = Double(piece) / Double(Self.pieces)
    let before = piece > 0 ? lengths[piece - 1] : 0
    var low = first
    var high = Double(piece + 1) / Double(Self.pieces)
    let piecewise = lengths[piece] - before
    guard piecewise > 0 else { return low }
    var t = low + (high - low) * min(max((target - before) / piecewise, 0), 1)
    for _ in 0..<40 {
      let error = before + Self.length(a, b, c, from: first, to: t) - target
      if error.magnitude <= 1e-12 * length { break }
      if error > 0 { high = t } else { low = t }
      var next = t - error / Self.tangent(a, b, c, at: t).length
      if !(next > low && next < high) { next = low + (high - low) / 2 }
      if next == t { break }
      t = next
    }
    return t
  }

  private static func tangent(
    _ a: LottieVector, _ b: LottieVector, _ c: LottieVector, at t: Double
  ) -> LottieVector {
    (c * (3 * t) + b * 2) * t + a
  }

  /// Gauss and Legendre's quadrature of the speed with five points.
  private static func length(
    _ a: LottieVector, _ b: LottieVector, _ c: LottieVector, from low: Double, to high: Double
  ) -> Double {
    let middle = (low + high) / 2
    let half = (high - low) / 2
    func speed(_ node: Double) -> Double { tangent(a, b, c, at: middle + half * node).length }
    return half
      * (0.568888888888888889 * speed(0)
        + 0.478628670499366468 * (speed(-0.538469310105683091) + speed(0.538469310105683091))
        + 0.236926885056189088 * (speed(-0.906179845938663993) + speed(0.906179845938663993)))
  }
}
