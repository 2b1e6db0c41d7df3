// SPDX-License-Identifier: Apache-2.0

import Glibc

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

  /// Whether any property changes.
  var moves: Bool {
    position.moves || anchor.moves || scale.moves || rotation.moves || opacity.moves
  }

  /// Returns the matrix from the layer to its parent.
  func matrix(at frame: Double) -> LottieMatrix {
    let place = position.value(at: frame)
    let anchor = anchor.value(at: frame)
    let scale = scale.value(at: frame) * 0.01
    let radians = rotation.value(at: frame).x * .pi / 180
    let (sine, cosine) = (sin(radians), cos(radians))
    var matrix = LottieMatrix(
      a: cosine * scale.x, b: sine * scale.x, c: -sine * scale.y, d: cosine * scale.y, e: 0, f: 0)
    matrix.e = place.x - matrix.a * anchor.x - matrix.c * anchor.y
    matrix.f = place.y - matrix.b * anchor.x - matrix.d * anchor.y
    return matrix
  }
}

extension LottieTransform.Position {
  var moves: Bool {
    switch self {
    case .joined(let track): track.moves
    case .split(let x, let y): x.moves || y.moves
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

  /// Returns `inner` followed by this matrix.
  func applied(to inner: LottieMatrix) -> LottieMatrix {
    LottieMatrix(
      a: a * inner.a + c * inner.b, b: b * inner.a + d * inner.b,
      c: a * inner.c + c * inner.d, d: b * inner.c + d * inner.d,
      e: a * inner.e + c * inner.f + e, f: b * inner.e + d * inner.f + f)
  }
}
