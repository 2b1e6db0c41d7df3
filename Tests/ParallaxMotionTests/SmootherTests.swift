// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxMotion
import ParallaxTestSupport
import Testing

@Suite struct SmootherTests {
  static let origin = PixelOffset(x: 2, y: -1)

  @Test func emaReachesOneMinusOneOverEAfterItsTimeConstant() {
    var smoother = Smoother(.ema(timeConstantSeconds: 0.2), startingAt: .zero)
    let output = smoother.step(toward: PixelOffset(x: 1, y: -2), dtSeconds: 0.2)
    #expect((output.x - 0.6321205588285577).magnitude < 1e-15)
    #expect((output.y + 1.2642411176571153).magnitude < 1e-15)
  }

  /// Compared with the paper's pseudocode, one scalar at a time.
  @Test func oneEuroIsThatOfThePaper() {
    let parameters = OneEuroParameters(
      minimumCutoffHertz: 1.2, betaX: 0.3, betaY: 0.7, derivativeCutoffHertz: 0.9)
    var smoother = Smoother(.oneEuro(parameters), startingAt: Self.origin)
    var generator = SeededGenerator.forTest()
    func alpha(_ cutoff: Double, _ dt: Double) -> Double {
      let tau = 1 / (2 * Double.pi * cutoff)
      return 1 / (1 + tau / dt)
    }
    var (hatX, speedX) = (Self.origin.x, 0.0)
    for _ in 0..<1000 {
      let dt = Double.random(in: 0.001...0.1, using: &generator)
      let input = PixelOffset(x: .random(in: -5...5, using: &generator), y: 0)
      let rawSpeed = (input.x - hatX) / dt
      speedX =
        alpha(0.9, dt) * rawSpeed + (1 - alpha(0.9, dt)) * speedX
      let a = alpha(1.2 + 0.3 * speedX.magnitude, dt)
      hatX = a * input.x + (1 - a) * hatX
      let output = smoother.step(toward: input, dtSeconds: dt)
      #expect((output.x - hatX).magnitude < 1e-12, "\(generator.note)")
    }
  }

  /// Compared with the differential equation, integrated in small steps (Runge-Kutta 4).
  @Test(arguments: [0.2, 0.825, 1.0, 1.0000001, 1.7, 40])
  func springSolvesItsEquation(damping: Double) {
    let response = 0.5
    let w = 2 * Double.pi / response
    func acceleration(_ x: Double, _ v: Double) -> Double {
      -2 * damping * w * v - w * w * (x - 3)
    }
    var smoother = Smoother(
      .spring(responseSeconds: response, damping: damping), startingAt: Self.origin)
    var (x, v) = (Self.origin.x, 0.0)
    for _ in 0..<60 {
      let steps = 2000
      let h = 1.0 / 30 / Double(steps)
      for _ in 0..<steps {
        let (k1x, k1v) = (v, acceleration(x, v))
        let (k2x, k2v) = (v + h / 2 * k1v, acceleration(x + h / 2 * k1x, v + h / 2 * k1v))
        let (k3x, k3v) = (v + h / 2 * k2v, acceleration(x + h / 2 * k2x, v + h / 2 * k2v))
        let (k4x, k4v) = (v + h * k3v, acceleration(x + h * k3x, v + h * k3v))
        x += h / 6 * (k1x + 2 * k2x + 2 * k3x + k4x)
        v += h / 6 * (k1v + 2 * k2v + 2 * k3v + k4v)
      }
      let output = smoother.step(toward: PixelOffset(x: 3, y: 3), dtSeconds: 1.0 / 30)
      #expect((output.x - x).magnitude < 1e-8)
    }
  }

  /// A step over dt equals two steps over its halves with the same target.
  @Test func emaAndSpringDoNotDependOnTheFrameRate() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<100_000 {
      let smoothing: Smoothing =
        Bool.random(using: &generator)
        ? .ema(timeConstantSeconds: pow2(-9...4, &generator))
        : .spring(responseSeconds: pow2(-6...4, &generator), damping: pow2(-5...5, &generator))
      var once = Smoother(smoothing, startingAt: Self.origin)
      let warmUp = PixelOffset(x: .random(in: -5...5, using: &generator), y: 5)
      _ = once.step(toward: warmUp, dtSeconds: pow2(-12...0, &generator))
      var twice = once
      let target = PixelOffset(x: .random(in: -5...5, using: &generator), y: -5)
      let dt = pow2(-30...3.3, &generator)
      let whole = once.step(toward: target, dtSeconds: dt)
      _ = twice.step(toward: target, dtSeconds: dt / 2)
      let halves = twice.step(toward: target, dtSeconds: dt / 2)
      let error = max((whole.x - halves.x).magnitude, (whole.y - halves.y).magnitude)
      if error > 1e-10 {
        Issue.record("\(smoothing) over \(dt) s: \(whole) and \(halves); \(generator.note)")
      }
    }
  }

  private func pow2(
    _ exponents: ClosedRange<Double>, _ generator: inout SeededGenerator
  ) -> Double {
    let exponent = Double.random(in: exponents, using: &generator)
    return Double(sign: .plus, exponent: Int(exponent.rounded(.down)), significand: 1)
      * (1 + exponent - exponent.rounded(.down))
  }

  @Test(arguments: ["none", "ema:0.1", "one-euro:1,0.2", "spring:0.5,0.5"])
  func stepOfNoTimeMovesNothing(text: String) throws {
    let smoothing = try Smoothing(parsing: text)
    guard smoothing != .none else { return }
    var smoother = Smoother(smoothing, startingAt: Self.origin)
    let output = smoother.step(toward: PixelOffset(x: 5, y: 5), dtSeconds: 0)
    #expect(output == Self.origin)
  }
}
