// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// The rates that a device can be set to, in Hz.
package enum RateList: Equatable, Sendable {
  /// Ascending, without duplicates and without the 0 that stops some devices.
  case list([Double])
  case range(minimum: Double, step: Double, maximum: Double)
  /// The driver states no valid list.
  case unknown

  /// Parses `sampling_frequency_available`: `25 50 100`, or `[min step max]`, where any multiple
  /// of the step is valid.
  package init(parsing text: String) {
    let isRange = text.contains("[")
    let numbers = text.split { $0.isWhitespace || $0 == "[" || $0 == "]" || $0 == "," }
      .compactMap { SettingText.number($0) }
    if isRange {
      guard numbers.count == 3, numbers[0] >= 0, numbers[1] >= 0, numbers[2] > 0,
        numbers[0] <= numbers[2]
      else {
        self = .unknown
        return
      }
      self = .range(minimum: numbers[0], step: numbers[1], maximum: numbers[2])
    } else {
      var rates: [Double] = []
      for rate in numbers.sorted() where rate > 0 && rate != rates.last { rates.append(rate) }
      self = rates.isEmpty ? .unknown : .list(rates)
    }
  }
}

/// Chooses the rate to request from a device.
package enum RateChoice {
  /// Rates are texts with at most nine decimals; smaller differences do not count.
  private static let tolerance = 1e-6

  /// Returns the lowest available rate of at least `hertz`, else the highest. If no rates are known,
  /// returns `hertz` itself: the driver takes the nearest, which is read back.
  ///
  /// - Parameter hertz: Above 0.
  package static func rate(atLeast hertz: Double, from rates: RateList) -> Double {
    let minimumHertz = hertz * (1 - tolerance)
    switch rates {
    case .list(let rates):
      return rates.first { $0 >= minimumHertz } ?? rates.last ?? hertz
    case .range(let minimum, let step, let maximum):
      if minimum >= minimumHertz && minimum > 0 { return minimum }
      guard step > 0 else { return min(hertz, maximum) }
      let steps = ((minimumHertz - minimum) / step).rounded(.up)
      return min(minimum + steps * step, maximum)
    case .unknown:
      return hertz
    }
  }
}
