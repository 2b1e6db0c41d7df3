// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A filter over both screen axes. Its first output is its first input; then `step` takes the
/// newest input and the time since the last step. A step of no time changes nothing.
enum Smoother: Sendable {
  case none
  case ema(ExponentialAverage)
  case oneEuro(OneEuroFilter)
  case spring(SpringFollower)

  init(_ smoothing: Smoothing, startingAt value: PixelOffset) {
    switch smoothing {
    case .none: self = .none
    case .ema(let seconds):
      self = .ema(ExponentialAverage(timeConstantSeconds: seconds, startingAt: value))
    case .oneEuro(let parameters):
      self = .oneEuro(OneEuroFilter(parameters, startingAt: value))
    case .spring(let response, let damping):
      self = .spring(
        SpringFollower(responseSeconds: response, damping: damping, startingAt: value))
    }
  }

  mutating func step(toward input: PixelOffset, dtSeconds: Double) -> PixelOffset {
    switch self {
    case .none:
      return input
    case .ema(var filter):
      let output = filter.step(toward: input, dtSeconds: dtSeconds)
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
  private let timeConstantSeconds: Double
  private var output: PixelOffset

  init(timeConstantSeconds: Double, startingAt value: PixelOffset) {
    self.timeConstantSeconds = timeConstantSeconds
    output = value
  }

  mutating func step(toward input: PixelOffset, dtSeconds: Double) -> PixelOffset {
    let alpha = -expm1(-dtSeconds / timeConstantSeconds)
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

    mutating func step(
      _ input: Double, dt: Double, minimumCutoff: Double, beta: Double, derivativeAlpha: Double
    ) {
      speed += derivativeAlpha * ((input - output) / dt - speed)
      let alpha = OneEuroFilter.alpha(cutoff: minimumCutoff + beta * speed.magnitude, dt: dt)
      output += alpha * (input - output)
    }
  }

  init(_ parameters: OneEuroParameters, startingAt value: PixelOffset) {
    self.parameters = parameters
    x = Axis(output: value.x)
    y = Axis(output: value.y)
  }

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
