// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Normally distributed numbers, the same ones as NumPy's `default_rng(1).normal()`.
///
/// Overshoot is the worst of 20 stops and depends on the noise of the samples. With NumPy's numbers, a script
/// makes the same stops. PCG64 (O'Neill 2014; XSL-RR) with NumPy's seed sequence of 1, and the ziggurat of
/// Marsaglia and Tsang (2000) with 256 layers.
struct ReferenceNoise {
  private var state: UInt128 = 0x9c5b_484b_fedb_756c_2a6e_7d6f_320f_bc7e
  private static let increment: UInt128 = 0x922a_f2da_2645_f895_a198_57b9_5740_937b
  private static let multiplier: UInt128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645

  /// The right end of the lowest layer, and the area of each.
  private static let tail = 3.6541528853610087963519472518
  private static let area = 0.004928673233974658
  private static let layers = Layers()

  private struct Layers {
    /// Of 52-bit numbers: below it, a point is within the layer above too.
    var inside = [UInt64](repeating: 0, count: 256)
    /// The width of a layer over 2^52.
    var width = [Double](repeating: 0, count: 256)
    /// The density at the right end of a layer.
    var density = [Double](repeating: 0, count: 256)

    init() {
      let scale = 0x1p52
      var right = ReferenceNoise.tail
      let lowest = ReferenceNoise.area / exp(-0.5 * right * right)
      inside[0] = UInt64(right / lowest * scale)
      width[0] = lowest / scale
      width[255] = right / scale
      density[0] = 1
      density[255] = exp(-0.5 * right * right)
      for layer in stride(from: 254, through: 1, by: -1) {
        let next = (-2 * log(ReferenceNoise.area / right + exp(-0.5 * right * right))).squareRoot()
        inside[layer + 1] = UInt64(next / right * scale)
        right = next
        density[layer] = exp(-0.5 * right * right)
        width[layer] = right / scale
      }
    }
  }

  mutating func next() -> Double {
    while true {
      let bits = nextBits()
      let layer = Int(bits & 0xff)
      let isNegative = bits >> 8 & 1 == 1
      let magnitude = bits >> 9 & 0x000f_ffff_ffff_ffff
      let value = Double(magnitude) * Self.layers.width[layer]
      if magnitude < Self.layers.inside[layer] { return isNegative ? -value : value }
      if layer == 0 { return tail(isNegative: magnitude >> 8 & 1 == 1) }
      let (above, below) = (Self.layers.density[layer - 1], Self.layers.density[layer])
      if (above - below) * nextUniform() + below < exp(-0.5 * value * value) {
        return isNegative ? -value : value
      }
    }
  }

  private mutating func tail(isNegative: Bool) -> Double {
    while true {
      let beyond = -log1p(-nextUniform()) / Self.tail
      let height = -log1p(-nextUniform())
      if 2 * height > beyond * beyond {
        return isNegative ? -(Self.tail + beyond) : Self.tail + beyond
      }
    }
  }

  private mutating func nextUniform() -> Double { Double(nextBits() >> 11) * 0x1p-53 }

  private mutating func nextBits() -> UInt64 {
    state = state &* Self.multiplier &+ Self.increment
    let mixed = UInt64(truncatingIfNeeded: state >> 64) ^ UInt64(truncatingIfNeeded: state)
    let turn = UInt64(state >> 122)
    return mixed >> turn | mixed << ((64 - turn) & 63)
  }
}
