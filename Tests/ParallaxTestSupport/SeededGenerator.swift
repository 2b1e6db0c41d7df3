// SPDX-License-Identifier: Apache-2.0

import Glibc

/// SplitMix64: small, fast, and the same numbers for the same seed on every machine.
///
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014;
/// the constants are those of Vigna's public-domain `splitmix64.c`.
///
/// A property test uses `SeededGenerator.forTest()` and adds `generator.note` to its expectations: a
/// failure then says how to reproduce it.
///
///     var generator = SeededGenerator.forTest()
///     for _ in 0..<100_000 {
///       let value = Double.random(in: -1...1, using: &generator)
///       #expect(abs(value) <= 1, "\(generator.note)")
///     }
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The seed of `forTest()` if `PARALLAX_SEED` is not set.
  package static let defaultSeed: UInt64 = 20_070_629

  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Returns a generator with the seed `PARALLAX_SEED`, by default a fixed one.
  ///
  /// - Parameter salt: added to the seed, so that several generators of one test differ.
  package static func forTest(salt: UInt64 = 0) -> Self {
    Self(seed: environmentSeed &+ salt)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// The setting that reproduces the numbers, for the comment of an expectation.
  package var note: String { "PARALLAX_SEED=\(Self.environmentSeed)" }

  // Printed once per run: after a crash, no failed expectation names it.
  private static let environmentSeed: UInt64 = {
    let given = environmentVariable("PARALLAX_SEED").flatMap { UInt64($0) }
    let seed = given ?? defaultSeed
    announce("random tests use PARALLAX_SEED=\(seed)")
    return seed
  }()
}
