// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Numbers as they are printed and drawn.
enum Figures {
  /// Exactly that many decimals.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    var buffer = OutputBuffer()
    buffer.append(value, fixedDecimals: decimals)
    return buffer.text
  }

  /// With a sign, so that a value does not move when it changes sides.
  static func signed(_ value: Double, _ decimals: Int) -> String {
    let text = fixed(value, decimals)
    return text.hasPrefix("-") ? text : "+" + text
  }

  /// At most that many decimals.
  static func short(_ value: Double, _ decimals: Int = 2) -> String {
    var buffer = OutputBuffer()
    buffer.append(
      scaled: DecimalText.scaled(value, decimals: decimals), trimmedDecimals: decimals)
    return buffer.text
  }

  /// The next of 1, 2 and 5 times a power of ten.
  static func roundedUp(_ value: Double) -> Double {
    var power = 0.01
    while power < 1e6 {
      for factor in [1.0, 2, 5] where value <= factor * power { return factor * power }
      power *= 10
    }
    return power
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
  }
}
