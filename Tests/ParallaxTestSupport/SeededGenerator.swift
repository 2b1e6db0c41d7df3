import Glibc

/// SplitMix64: small, quick, and the same numbers for the same seed on every machine.
///
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014;
/// the constants are those of Vigna's public-domain `splitmix64.c`.
///
/// A property test takes `SeededGenerator.forTest()` and names `generator.note` in its
/// expectations, so that a failure says how to see it again:
///
///     var generator = SeededGenerator.forTest()
///     for _ in 0..<100_000 {
///       let value = Double.random(in: -1...1, using: &generator)
///       #expect(abs(value) <= 1, "\(generator.note)")
///     }
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// What `forTest()` starts from unless the environment says otherwise.
  package static let defaultSeed: UInt64 = 20_070_629

  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// A generator from `PARALLAX_SEED`, or from a fixed seed where that is not set.
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

  /// How to see the same numbers again; for an expectation's comment.
  package var note: String { "PARALLAX_SEED=\(Self.environmentSeed)" }

  // Printed once a run: a crash leaves no failed expectation behind that could name it.
  private static let environmentSeed: UInt64 = {
    let given = environmentVariable("PARALLAX_SEED").flatMap { UInt64($0) }
    let seed = given ?? defaultSeed
    announce("random tests use PARALLAX_SEED=\(seed)")
    return seed
  }()
}
