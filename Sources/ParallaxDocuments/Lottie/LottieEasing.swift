import ParallaxMotion

/// How one number goes from a keyframe to the next.
enum LottieEasing: Equatable, Sendable {
  /// The keyframe's value, up to the next one.
  case hold
  case linear
  /// The keyframe's `o` and `i` handles; they may overshoot in y.
  case bezier(CubicBezier)

  /// - Parameters: the handles, x being clamped to 0...1, without which the curve is no function.
  init(outX: Double, outY: Double, inX: Double, inY: Double) {
    let (x1, x2) = (min(max(outX, 0), 1), min(max(inX, 0), 1))
    // On the diagonal: exact, and cheaper.
    self =
      x1 == outY && x2 == inY
      ? .linear : .bezier(CubicBezier(x1: x1, y1: outY, x2: x2, y2: inY))
  }

  /// - Parameter share: of the time between the keyframes, 0..<1.
  func value(at share: Double) -> Double {
    switch self {
    case .hold: 0
    case .linear: share
    case .bezier(let bezier): bezier.value(at: share)
    }
  }

  /// Progress per share; 0 where the curve stands upright.
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
