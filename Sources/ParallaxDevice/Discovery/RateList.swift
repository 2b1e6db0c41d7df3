import ParallaxMotion

/// The rates that a device can be set to, in Hz.
package enum RateList: Equatable, Sendable {
  /// Rising, without doubles and without the 0 that stops some devices.
  case list([Double])
  case range(minimum: Double, step: Double, maximum: Double)
  /// The driver says nothing that can be understood.
  case unknown

  /// Parses `sampling_frequency_available`: `25 50 100`, or `[min step max]` where any multiple goes.
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

/// Which of a device's rates to ask for.
package enum RateChoice {
  /// Rates are decimal texts of at most nine places: what differs by less is the same.
  private static let tolerance = 1e-6

  /// The lowest available rate at or above the wanted one, else the highest. Where none are known,
  /// the wanted one: the driver takes what comes nearest, which is read back.
  ///
  /// - Parameter wanted: Hz, above 0.
  package static func rate(wanted: Double, from rates: RateList) -> Double {
    let atLeast = wanted * (1 - tolerance)
    switch rates {
    case .list(let rates):
      return rates.first { $0 >= atLeast } ?? rates.last ?? wanted
    case .range(let minimum, let step, let maximum):
      if minimum >= atLeast && minimum > 0 { return minimum }
      guard step > 0 else { return min(wanted, maximum) }
      let steps = ((atLeast - minimum) / step).rounded(.up)
      return min(minimum + steps * step, maximum)
    case .unknown:
      return wanted
    }
  }
}
