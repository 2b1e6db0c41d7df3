// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The state of a gyroscope's bias, its reading at rest.
package enum BiasState: Equatable, Sendable {
  /// Rates are not corrected.
  case off
  /// Estimated, rad/s in the device's frame; nil before any evidence.
  case auto(AngularRate?)
}

extension BiasState {
  /// Parses `off`, `auto` or `auto,X,Y,Z` with the estimate in rad/s. `off` may have rates, which
  /// mean nothing.
  package init(parsing text: String) throws(SettingError) {
    let cells = text.split(separator: ",", omittingEmptySubsequences: false)
    let mode = SettingText.trimmed(cells[0])
    let rates = cells.dropFirst().compactMap { SettingText.number($0) }
    guard mode == "off" || mode == "auto", cells.count == 1 || cells.count == 4,
      rates.count == cells.count - 1
    else {
      throw SettingError(
        "invalid bias '\(text)'; write off, auto or auto,X,Y,Z with three rates in rad/s")
    }
    if mode == "off" {
      self = .off
    } else {
      self = .auto(rates.isEmpty ? nil : AngularRate(x: rates[0], y: rates[1], z: rates[2]))
    }
  }

  /// The text that parses to this state.
  package var text: String { text(number: SettingText.text) }

  /// Returns the text form with numbers in the given form.
  package func text(number: (Double) -> String) -> String {
    switch self {
    case .off: "off"
    case .auto(nil): "auto"
    case .auto(let rate?): "auto," + [rate.x, rate.y, rate.z].map(number).joined(separator: ",")
    }
  }
}

extension MotionSettings {
  /// Returns the state a trace starts with: that of the settings, else the recording's own, else
  /// off.
  package func bias(recorded: BiasState?) -> BiasState {
    switch (estimatesBias, recorded) {
    case (nil, let recorded): recorded ?? .off
    case (false?, _): .off
    case (true?, .auto(let known)?): .auto(known)
    case (true?, _): .auto(nil)
    }
  }
}
