// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A filter over both screen axes of the frames. Its first output is its first input; then `step` takes the
/// newest input and the time since the last step. A step of no time changes nothing.
enum Smoother: Sendable {
  case none
  case ema(ExponentialAverage)
  case oneEuro(OneEuroFilter)
  case spring(SpringFollower)

  init(_ smoothing: Smoothing, startingAt value: PixelOffset) {
    switch smoothing {
    case .none, .auto: self = .none
    case .ema(let seconds):
      self = .ema(ExponentialAverage(timeConstantSeconds: seconds, startingAt: value))
    case .oneEuro(let parameters):
      self = .oneEuro(OneEuroFilter(parameters, startingAt: value))
    case .spring(let response, let damping):
      self = .spring(
        SpringFollower(responseSeconds: response, damping: damping, startingAt: value))
    }
  }

  /// The velocity with which the output goes on, px/s; nil for `none`, which has none of its own.
  var velocity: PixelVelocity? {
    switch self {
    case .none: nil
    case .ema(let filter): filter.velocity
    case .oneEuro(let filter): filter.velocity
    case .spring(let follower): follower.velocity
    }
  }

  mutating func step(toward input: PixelOffset, dtSeconds: Double) -> PixelOffset {
    switch self {
    case .none:
      return input
    case .ema(var filter):
      let output = filter.step(toward: input, share: filter.share(dtSeconds: dtSeconds))
      self = .ema(filter)
      return output
    case .oneEuro(var filter):
      let output = filter.step(toward: input, dtSeconds: dtSeconds)
      self = .oneEuro(filter)
      return output
    case .spring(var follower):
      let output = follower.step(toward: input, dtSeconds: dtSeconds)
      self = .spring(follower)
      return output
    }
  }
}

/// alpha = 1 - e^{-dt/TAU}: the exact response of a first-order lag to an input held over dt, which
/// does not depend on the frame rate.
struct ExponentialAverage: Sendable {
  let timeConstantSeconds: Double
  private var input: PixelOffset
  private var output: PixelOffset

  init(timeConstantSeconds: Double, startingAt value: PixelOffset) {
    self.timeConstantSeconds = timeConstantSeconds
    input = value
    output = value
  }

  /// (input - output) / TAU, px/s: the slope of the response.
  var velocity: PixelVelocity {
    PixelVelocity(
      x: (input.x - output.x) / timeConstantSeconds, y: (input.y - output.y) / timeConstantSeconds)
  }

  /// alpha, the share of the way to the input that a step goes.
  func share(dtSeconds: Double) -> Double { -expm1(-dtSeconds / timeConstantSeconds) }

  mutating func step(toward input: PixelOffset, share alpha: Double) -> PixelOffset {
    self.input = input
    output.x += alpha * (input.x - output.x)
    output.y += alpha * (input.y - output.y)
    return output
  }
}

/// Casiez, Roussel, Vogel: "1 € Filter: A Simple Speed-based Low-pass Filter for Noisy Input in
/// Interactive Systems", CHI 2012, equations 5 to 8, with the derivative taken against the previous
/// filtered value (as in the authors' own later implementations) and starting at 0.
struct OneEuroFilter: Sendable {
  private let parameters: OneEuroParameters
  private var x: Axis
  private var y: Axis

  private struct Axis {
    var output: Double
    /// px/s, low-passed at the derivative cutoff.
    var speed = 0.0
    /// 2 pi fc (input - output), px/s, with the cutoff of the last step: the slope of the response.
    var velocity = 0.0

    mutating func step(
      _ input: Double, dt: Double, minimumCutoff: Double, beta: Double, derivativeAlpha: Double
    ) {
      speed += derivativeAlpha * ((input - output) / dt - speed)
      let cutoff = minimumCutoff + beta * speed.magnitude
      output += OneEuroFilter.alpha(cutoff: cutoff, dt: dt) * (input - output)
      velocity = 2 * Double.pi * cutoff * (input - output)
    }
  }

  init(_ parameters: OneEuroParameters, startingAt value: PixelOffset) {
    self.parameters = parameters
    x = Axis(output: value.x)
    y = Axis(output: value.y)
  }

  var velocity: PixelVelocity { PixelVelocity(x: x.velocity, y: y.velocity) }

  mutating func step(toward input: PixelOffset, dtSeconds dt: Double) -> PixelOffset {
    guard dt > 0 else { return PixelOffset(x: x.output, y: y.output) }
    let derivativeAlpha = Self.alpha(cutoff: parameters.derivativeCutoffHertz, dt: dt)
    x.step(
      input.x, dt: dt, minimumCutoff: parameters.minimumCutoffHertz, beta: parameters.betaX,
      derivativeAlpha: derivativeAlpha)
    y.step(
      input.y, dt: dt, minimumCutoff: parameters.minimumCutoffHertz, beta: parameters.betaY,
      derivativeAlpha: derivativeAlpha)
    return PixelOffset(x: x.output, y: y.output)
  }

  /// alpha(fc) = 1 / (1 + 1 / (2 pi fc dt)).
  private static func alpha(cutoff: Double, dt: Double) -> Double {
    1 / (1 + 1 / (2 * Double.pi * cutoff * dt))
  }
}
