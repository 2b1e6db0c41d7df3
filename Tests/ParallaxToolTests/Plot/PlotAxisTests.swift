// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ParallaxTool

@Suite("Axes of plots")
struct PlotAxisTests {
  struct Case: Sendable {
    var low: Double
    var high: Double
    var labels: [String]
  }

  @Test(arguments: [
    Case(low: -5, high: 5, labels: ["-5", "0", "5"]),
    Case(low: 0, high: 1, labels: ["0", "0.5", "1.0"]),
    Case(low: -0.03, high: 0.012, labels: ["-0.02", "0"]),
    Case(low: 0, high: 3e7, labels: ["0", "1e7", "2e7", "3e7"]),
    Case(low: 0, high: 4e-9, labels: ["0", "2e-9", "4e-9"]),
    Case(low: 7, high: 7, labels: ["6.5", "7.0", "7.5"]),
    Case(low: 0, high: 0, labels: ["-1.0", "-0.5", "0", "0.5", "1.0"]),
    Case(low: -.infinity, high: .nan, labels: ["-1", "0", "1"]),
  ])
  func ticksAreRoundNumbers(_ given: Case) {
    let axis = PlotAxis(values: given.low, given.high, maxTicks: 4)
    #expect(axis.ticks.map(\.label) == given.labels)
  }

  @Test(arguments: [-1.7976931348623157e308, -1e300, -1, 0, 1e-300, 1, 1e300])
  func anyExtremesGiveAFiniteAxis(_ low: Double) {
    for high in [low, 0, 1e-300, 1, 1.7976931348623157e308] {
      for maxTicks in [1, 2, 10] {
        let axis = PlotAxis(values: low, high, maxTicks: maxTicks)
        #expect(axis.low < axis.high, "\(low) \(high)")
        #expect(axis.ticks.count <= 2 * maxTicks + 2, "\(low) \(high): \(axis.ticks.count)")
        for value in [low, high] where value.magnitude <= 1e300 {
          #expect((-1e-6...1 + 1e-6).contains(axis.share(of: value)), "\(low) \(high) \(value)")
        }
      }
    }
  }

  @Test(arguments: [
    (0.0, "ns", ["0"]), (2.5e-4, "µs", ["0", "100", "200"]), (0.8, "ms", ["0", "200", "400"]),
    (72.2, "s", ["0", "20", "40"]), (900, "min", ["0", "5", "10"]),
    (7200, "min", ["0", "30", "60"]),
    (86_400, "h", ["0", "6", "12"]), (8_640_000, "d", ["0", "50", "100"]),
  ])
  func timeHasTheUnitOfItsDuration(_ seconds: Double, _ unit: String, _ labels: [String]) {
    #expect(PlotTimeUnit(seconds: seconds).rawValue == unit)
    let axis = PlotAxis(seconds: seconds, unit: PlotTimeUnit(seconds: seconds), maxTicks: 4)
    #expect(Array(axis.ticks.map(\.label).prefix(labels.count)) == labels)
    #expect(axis.ticks.count <= 6)
  }
}
