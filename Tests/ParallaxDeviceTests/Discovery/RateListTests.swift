// SPDX-License-Identifier: Apache-2.0

import ParallaxDevice
import Testing

@Suite("Available rates")
struct RateListTests {
  @Test(
    arguments: [
      ("25 50 100", .list([25, 50, 100])),
      ("0.000000 25.000000 100.000000", .list([25, 100])),
      ("760 95 190 95", .list([95, 190, 760])),
      ("12.500\t26.000 \n", .list([12.5, 26])),
      ("[0 1 1000]", .range(minimum: 0, step: 1, maximum: 1000)),
      ("[10.000000 0.500000 200.000000]", .range(minimum: 10, step: 0.5, maximum: 200)),
      ("[10 1]", .unknown), ("[200 1 10]", .unknown), ("[0 0 0]", .unknown), ("", .unknown),
      ("0", .unknown), ("fast slow", .unknown),
    ] as [(String, RateList)])
  func parsed(text: String, rates: RateList) {
    #expect(RateList(parsing: text) == rates)
  }

  @Test(
    arguments: [
      (30, .list([25, 50, 100]), 50),
      (25, .list([25, 50, 100]), 25),
      (120, .list([25, 50, 100]), 100),
      (1, .list([25, 50, 100]), 25),
      (120, .list([12.5, 26, 52, 104, 208]), 208),
      // The driver's text has fewer decimals.
      (33.333_333_3, .list([33.333_333, 50]), 33.333_333),
      (30, .range(minimum: 10, step: 4, maximum: 200), 30),
      (31, .range(minimum: 10, step: 4, maximum: 200), 34),
      (5, .range(minimum: 10, step: 4, maximum: 200), 10),
      (300, .range(minimum: 10, step: 4, maximum: 200), 200),
      (31.5, .range(minimum: 10, step: 0, maximum: 200), 31.5),
      (0.5, .range(minimum: 0, step: 1, maximum: 200), 1),
      (30, .unknown, 30),
    ] as [(Double, RateList, Double)])
  func chosen(requested: Double, from rates: RateList, rate: Double) {
    #expect(RateChoice.rate(atLeast: requested, from: rates) == rate)
  }
}
