// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

import ParallaxBase

/// A labeled place on an axis.
struct PlotTick: Equatable, Sendable {
  /// In the axis's own unit.
  var value: Double
  var label: String
}

/// The values from one end of a plot to the other, and the places that are labeled.
struct PlotAxis: Equatable, Sendable {
  let low: Double
  /// Above `low`.
  let high: Double
  let ticks: [PlotTick]

  private static let maxValue = 1e300

  /// Creates an axis of values.
  ///
  /// - Parameters:
  ///   - low, high: The values that must be visible.
  ///   - maxTicks: The most labels that fit.
  init(values low: Double, _ high: Double, maxTicks: Int) {
    let isNumber = !low.isNaN && !high.isNaN
    // Bounded, so that nothing overflows.
    let ends = (isNumber ? [low, high] : [-1, 1]).map {
      min(max($0, -Self.maxValue), Self.maxValue)
    }
    var (low, high) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
    let half = high / 2 - low / 2
    if half <= max(low.magnitude, high.magnitude) * 1e-9 {
      let reach = max(low.magnitude * 0.1, low == 0 ? 1 : 1e-300)
      (low, high) = (low - reach, high + reach)
    } else {
      (low, high) = (low - half * 0.1, high + half * 0.1)
    }
    self.init(from: low, to: high, step: Self.step(for: high / 2 - low / 2, maxTicks: maxTicks))
  }

  /// Creates an axis of time, in seconds. Its values begin at 0, its labels at `start`; labels are in `unit`.
  init(seconds: Double, start: Double = 0, unit: PlotTimeUnit, maxTicks: Int) {
    let whole = max(seconds, 1e-9)
    var step = 0.0
    for candidate in unit.steps where step == 0 {
      if whole / candidate <= Double(max(1, maxTicks)) { step = candidate }
    }
    if step == 0 {
      step = unit.seconds * Self.step(for: whole / unit.seconds / 2, maxTicks: maxTicks)
    }
    let axis = PlotAxis(
      from: start / unit.seconds, to: (start + whole) / unit.seconds, step: step / unit.seconds)
    low = 0
    high = whole
    ticks = axis.ticks.map {
      PlotTick(value: $0.value * unit.seconds - start, label: $0.label)
    }
  }

  private init(from low: Double, to high: Double, step: Double) {
    self.low = low
    self.high = high
    var ticks: [PlotTick] = []
    let first = (low / step).rounded(.up)
    for number in 0..<1000 {
      let value = (first + Double(number)) * step
      guard value <= high * (high < 0 ? 1 - 1e-12 : 1 + 1e-12) else { break }
      ticks.append(PlotTick(value: value, label: Self.label(value, step: step)))
    }
    self.ticks = ticks
  }

  /// Returns the share of the axis, 0 at `low` and 1 at `high`.
  func share(of value: Double) -> Double {
    (value / 2 - low / 2) / (high / 2 - low / 2)
  }

  /// Returns 1, 2 or 5 times a power of ten.
  ///
  /// - Parameter half: Half the width of the axis.
  private static func step(for half: Double, maxTicks: Int) -> Double {
    let least = half / Double(max(1, maxTicks)) * 2
    guard least.isFinite, least > 0 else { return 1 }
    let power = pow(10, log10(least).rounded(.down))
    for factor in [1.0, 2, 5] where factor * power >= least * (1 - 1e-9) { return factor * power }
    return 10 * power
  }

  /// Returns a value with the decimals of the step: `0.25`, `-5`, `2e6`.
  static func label(_ value: Double, step: Double) -> String {
    if value.magnitude < step / 2 { return "0" }
    let exponent = Int(log10(step * 1.000001).rounded(.down))
    if exponent < -6 || value.magnitude >= 1e6 {
      let power = Int(log10(value.magnitude * 1.000001).rounded(.down))
      let digits = min(max(0, power - exponent), 9)
      return Figures.fixed(value / pow(10, Double(power)), digits) + "e\(power)"
    }
    return Figures.fixed(value, max(0, -exponent))
  }
}

/// The unit of a time axis.
enum PlotTimeUnit: String, Sendable {
  case nanoseconds = "ns"
  case microseconds = "µs"
  case milliseconds = "ms"
  case seconds = "s"
  case minutes = "min"
  case hours = "h"
  case days = "d"

  /// Chooses the unit for a duration.
  init(seconds: Double) {
    self =
      switch seconds {
      case ..<1e-6: .nanoseconds
      case ..<1e-3: .microseconds
      case ..<1: .milliseconds
      case ..<300: .seconds
      case ..<10_800: .minutes
      case ..<432_000: .hours
      default: .days
      }
  }

  var seconds: Double {
    switch self {
    case .nanoseconds: 1e-9
    case .microseconds: 1e-6
    case .milliseconds: 1e-3
    case .seconds: 1
    case .minutes: 60
    case .hours: 3600
    case .days: 86_400
    }
  }

  /// The distances between labels that are not 1, 2 or 5 times a power of ten, in seconds.
  var steps: [Double] {
    switch self {
    case .minutes: [1, 2, 5, 10, 15, 30].map { $0 * 60 }
    case .hours: [0.5, 1, 2, 3, 6, 12, 24].map { $0 * 3600 }
    default: []
    }
  }
}
