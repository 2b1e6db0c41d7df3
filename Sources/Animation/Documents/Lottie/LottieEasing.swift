// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

/// The progress of one number from a keyframe to the next.
enum LottieEasing: Equatable, Sendable {
  /// The value of the keyframe until the next one.
  case hold
  case linear
  /// The `o` and `i` handles of the keyframe, which may overshoot in y.
  case bezier(CubicBezier)

  /// Creates an easing from handles. Their x is clamped to 0...1; otherwise the curve is not a
  /// function.
  init(outX: Double, outY: Double, inX: Double, inY: Double) {
    let (x1, x2) = (min(max(outX, 0), 1), min(max(inX, 0), 1))
    // A curve on the diagonal is linear: exact and cheaper.
    self =
      x1 == outY && x2 == inY
      ? .linear : .bezier(CubicBezier(x1: x1, y1: outY, x2: x2, y2: inY))
  }

  /// Returns the progress.
  ///
  /// - Parameter share: Share of the time between the keyframes, 0..<1.
  func value(at share: Double) -> Double {
    switch self {
    case .hold: 0
    case .linear: share
    case .bezier(let bezier): bezier.value(at: share)
    }
  }

  /// Returns the progress per share of the time; 0 at a vertical tangent.
  func slope(at share: Double) -> Double {
    switch self {
    case .hold: return 0
    case .linear: return 1
    case .bezier(let bezier):
      let slope = bezier.slope(at: share)
      return slope.isFinite ? slope : 0
    }
  }
}
