// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The transform of a layer, Lottie's `ks`.
struct LottieTransform: Sendable {
  enum Position: Sendable {
    case joined(LottieMotionTrack)
    /// `p` with `"s": true`: x and y with separate keyframes.
    case split(x: LottieMotionTrack, y: LottieMotionTrack)
  }

  /// The position of the anchor in the parent, in px.
  var position = Position.joined(LottieMotionTrack(.zero))
  /// In the layer, in px.
  var anchor = LottieMotionTrack(.zero)
  /// Of each axis, in %.
  var scale = LottieMotionTrack(.whole)
  /// In degrees clockwise, as x.
  var rotation = LottieMotionTrack(.zero)
  /// In %, as x.
  var opacity = LottieMotionTrack(LottieVector(x: 100, y: 0))

  /// Its place in the file: `layers[2].ks`.
  var path = ""
  /// Whether it has keyframes, even if their values are equal.
  var hasKeyframes = false
  /// The members with an expression: `p`, `p.x`.
  var expressions: [String] = []
  /// Other parts that are not played: `skew (layers[2].ks.sk)`.
  var unsupportedFeatures: [String] = []

  /// Returns whether it moves, turns or resizes the layer in a range of frames.
  func moves(in frames: ClosedRange<Double>) -> Bool {
    position.moves(in: frames) || rotation.moves(in: frames) || scale.moves(in: frames)
  }

  /// Returns whether it changes what a layer looks like in a range of frames, by motion or opacity. The
  /// anchor is not played.
  func changes(in frames: ClosedRange<Double>) -> Bool {
    moves(in: frames) || opacity.moves(in: frames)
  }

  /// Returns the matrix from the layer to its parent.
  func matrix(at frame: Double) -> LottieMatrix {
    let place = position.value(at: frame)
    let anchor = anchor.value(at: frame)
    var matrix = LottieMatrix(
      rotationDegrees: rotation.value(at: frame).x, scale: scale.value(at: frame))
    matrix.e = place.x - matrix.a * anchor.x - matrix.c * anchor.y
    matrix.f = place.y - matrix.b * anchor.x - matrix.d * anchor.y
    return matrix
  }
}

extension LottieTransform.Position {
  func moves(in frames: ClosedRange<Double>) -> Bool {
    switch self {
    case .joined(let track): track.moves(in: frames)
    case .split(let x, let y): x.moves(in: frames) || y.moves(in: frames)
    }
  }

  func value(at frame: Double) -> LottieVector {
    switch self {
    case .joined(let track): track.value(at: frame)
    case .split(let x, let y): LottieVector(x: x.value(at: frame).x, y: y.value(at: frame).x)
    }
  }

  /// Returns the change per frame, in px.
  func slope(at frame: Double) -> LottieVector {
    switch self {
    case .joined(let track): track.slope(at: frame)
    case .split(let x, let y): LottieVector(x: x.slope(at: frame).x, y: y.slope(at: frame).x)
    }
  }
}

/// x' = a x + c y + e, y' = b x + d y + f.
package struct LottieMatrix: Equatable, Sendable {
  package var a, b, c, d, e, f: Double

  static let identity = LottieMatrix(a: 1, b: 0, c: 0, d: 1, e: 0, f: 0)

  init(a: Double, b: Double, c: Double, d: Double, e: Double, f: Double) {
    (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
  }

  /// Creates a resizing followed by a rotation.
  ///
  /// - Parameter scale: Of each axis, in %.
  init(rotationDegrees: Double, scale: LottieVector) {
    let radians = rotationDegrees * .pi / 180
    let (sine, cosine) = (sin(radians), cos(radians))
    let scale = scale * 0.01
    self.init(
      a: cosine * scale.x, b: sine * scale.x, c: -sine * scale.y, d: cosine * scale.y, e: 0, f: 0)
  }

  /// Returns `inner` followed by this matrix.
  func applied(to inner: LottieMatrix) -> LottieMatrix {
    LottieMatrix(
      a: a * inner.a + c * inner.b, b: b * inner.a + d * inner.b,
      c: a * inner.c + c * inner.d, d: b * inner.c + d * inner.d,
      e: a * inner.e + c * inner.f + e, f: b * inner.e + d * inner.f + f)
  }

  /// Returns a difference of two points, turned and resized.
  func applied(toDifference vector: LottieVector) -> LottieVector {
    LottieVector(x: a * vector.x + c * vector.y, y: b * vector.x + d * vector.y)
  }
}
