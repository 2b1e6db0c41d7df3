// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The gain from what is measured to what is shown in the band of hand tremor, by cross-spectra of windows: only
/// what both have in common counts, so that judder does not count as tremor.
///
/// The band has about eight frequencies of a window, so they are summed directly.
struct BandSpectrum {
  /// The band of physiological hand tremor, Hz.
  static let band = 8.0...12.0

  private let hann: [Double]
  private let frequencies: [Frequency]
  private var sums: [Sums]

  /// cos and sin of one frequency at each picture.
  private struct Frequency {
    var cosine: [Double]
    var sine: [Double]
  }

  private struct Sums {
    var crossReal = 0.0
    var crossImaginary = 0.0
    var own = 0.0
  }

  /// - Parameter count: The number of pictures in a window.
  init(count: Int, sampleHertz: Double) {
    hann = (0..<count).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(max(1, count - 1))) }
    frequencies = (0...count / 2)
      .filter { Self.band.contains(Double($0) * sampleHertz / Double(max(1, count))) }
      .map { number in
        let angles = (0..<count).map { 2 * .pi * Double(number * $0 % count) / Double(count) }
        return Frequency(cosine: angles.map { cos($0) }, sine: angles.map { sin($0) })
      }
    sums = Array(repeating: Sums(), count: frequencies.count)
  }

  /// Adds a window of both signals, px.
  mutating func add(shown: [SIMD2<Double>], measured: [SIMD2<Double>]) {
    let (shown, measured) = (weighted(shown), weighted(measured))
    for (number, frequency) in frequencies.enumerated() {
      let (a, b) = (component(of: shown, frequency), component(of: measured, frequency))
      sums[number].crossReal += (a.real * b.real + a.imaginary * b.imaginary).sum()
      sums[number].crossImaginary += (a.imaginary * b.real - a.real * b.imaginary).sum()
      sums[number].own += (b.real * b.real + b.imaginary * b.imaginary).sum()
    }
  }

  /// The gain; nil if nothing was measured in the band.
  var gain: Double? {
    var (passed, own) = (0.0, 0.0)
    for sum in sums where sum.own > 0 {
      let cross = sum.crossReal * sum.crossReal + sum.crossImaginary * sum.crossImaginary
      passed += cross / sum.own
      own += sum.own
    }
    return own > 0 ? (passed / own).squareRoot() : nil
  }

  private func weighted(_ signal: [SIMD2<Double>]) -> [SIMD2<Double>] {
    let mean = signal.reduce(.zero, +) / Double(signal.count)
    return zip(signal, hann).map { ($0 - mean) * $1 }
  }

  private func component(
    of signal: [SIMD2<Double>], _ frequency: Frequency
  ) -> (real: SIMD2<Double>, imaginary: SIMD2<Double>) {
    var (real, imaginary) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    for index in signal.indices {
      real += signal[index] * frequency.cosine[index]
      imaginary -= signal[index] * frequency.sine[index]
    }
    return (real, imaginary)
  }
}
