// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxProtocol

@Suite("Published lengths")
struct HundredthsTests {
  /// px and hundredths.
  @Test(
    arguments: [
      (0, 0), (-0.0, 0), (0.005, 1), (-0.005, -1), (0.0049994, 0), (-0.0049994, 0),
      // The first rounding results in ...5000 millionths, which the second rounds up.
      (0.0049996, 1), (-0.0049996, -1), (1.2349995, 124), (1.2349994, 123), (1.225, 123),
      (5, 500), (-5, -500), (4.995, 500), (4.9949999, 500), (.nan, 0), (1e-300, 0),
    ] as [(Double, Int64)])
  func pxAreRoundedTwice(px: Double, count: Int64) {
    #expect(Hundredths(px: px).count == count)
  }

  @Test(arguments: [Double.infinity, 1e300, 1e13])
  func largeLengthsSaturate(px: Double) {
    #expect(Hundredths(px: px).count == 922_337_203_685_478)
    #expect(Hundredths(px: -px).count == -922_337_203_685_478)
  }

  @Test func publishedValueIsReplaysRowRounded() throws {
    var generator = SeededGenerator.forTest()
    for _ in 0..<100_000 {
      let px = Double.random(in: -6...6, using: &generator)
      let row = written { $0.append(px, fixedDecimals: 6) }
      let digits = row.filter { $0 != "." && $0 != "-" }
      let millionths = try #require(Int64(digits))
      let expected = (millionths + 5_000) / 10_000
      #expect(
        Hundredths(px: px).count == (row.hasPrefix("-") ? -expected : expected),
        "\(px) \(generator.note)")
    }
  }
}
