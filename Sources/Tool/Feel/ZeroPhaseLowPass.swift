// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A low-pass that delays nothing: the gain 1 / (1 + (f / cutoff)^4) of a second-order Butterworth filter run
/// forwards and backwards.
///
/// The impulse response of that gain is e^-|u| (cos u + sin |u|) with u = sqrt(2) pi cutoff t: a decaying complex
/// exponential on each side. So the convolution is exact with one complex pole forwards and one backwards, in time
/// proportional to the length and without a Fourier transform. Sampling the response 100 times per cutoff period
/// changes the gain by less than 4e-7.
struct ZeroPhaseLowPass {
  /// The pole, e^(-u + iu) of one step.
  private let real: Double
  private let imaginary: Double
  /// Makes the gain at 0 Hz 1.
  private let share: Double

  init(cutoffHertz: Double, rateHertz: Double) {
    let step = 2.0.squareRoot() * .pi * cutoffHertz / rateHertz
    real = exp(-step) * cos(step)
    imaginary = exp(-step) * sin(step)
    // The sum of p^k for k >= 0 is 1 / (1 - p). Both sides have the sample itself.
    let square = (1 - real) * (1 - real) + imaginary * imaginary
    share = 1 / (2 * (1 - real + imaginary) / square - 1)
  }

  /// Returns the filtered signal; its ends are mirrored through the end points.
  ///
  /// - Parameter margin: The number of mirrored samples, after which the response has vanished.
  func filtered(_ signal: [SIMD2<Double>], margin: Int) -> [SIMD2<Double>] {
    guard let first = signal.first, let last = signal.last else { return [] }
    let count = signal.count
    let margin = min(count - 1, margin)
    var sum = [SIMD2<Double>](repeating: .zero, count: count)
    run(over: sum.indices, of: signal, into: &sum) { state in
      for index in stride(from: margin, to: 0, by: -1) { add(2 * first - signal[index], &state) }
    }
    run(over: sum.indices.reversed(), of: signal, into: &sum) { state in
      for index in stride(from: margin, to: 0, by: -1) {
        add(2 * last - signal[count - 1 - index], &state)
      }
    }
    for index in sum.indices { sum[index] = share * (sum[index] - signal[index]) }
    return sum
  }

  private typealias State = (real: SIMD2<Double>, imaginary: SIMD2<Double>)

  private func run(
    over indices: some Sequence<Int>, of signal: [SIMD2<Double>],
    into sum: inout [SIMD2<Double>], after start: (inout State) -> Void
  ) {
    var state: State = (.zero, .zero)
    start(&state)
    for index in indices {
      add(signal[index], &state)
      sum[index] += state.real + state.imaginary
    }
  }

  @inline(__always)
  private func add(_ value: SIMD2<Double>, _ state: inout State) {
    state = (
      real * state.real - imaginary * state.imaginary + value,
      real * state.imaginary + imaginary * state.real
    )
  }
}
