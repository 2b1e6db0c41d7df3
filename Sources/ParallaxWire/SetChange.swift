// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion
package import ParallaxText

/// A setting that `parallax set` changes in the running daemon. It overrides the configuration, also
/// after a reload; `auto` removes the override.
package enum SetChange: Equatable, Sendable {
  /// `reduce-motion`: on or off overrides the desktop's setting.
  case reduceMotion(Switch)
  /// `low-power`: on or off overrides the detected state.
  case lowPower(Switch)
  /// `orientation`: nil is `auto`.
  case orientation(Orientation?)
  /// `paused`: true stops all motion.
  case paused(Bool)
  /// `scale`: nil is `auto`, the configured value.
  case scale(PixelScale?)
  /// `smoothing`: nil is `auto`, the configured value.
  case smoothing(Smoothing?)

  /// The manual override of a gate.
  package enum Switch: String, CaseIterable, Equatable, Sendable {
    case auto, on, off
  }

  /// The settings that can be changed.
  package enum Key: String, CaseIterable, Equatable, Sendable {
    case reduceMotion = "reduce-motion"
    case lowPower = "low-power"
    case orientation
    case paused
    case scale
    case smoothing

    /// The values in a sentence, for help and messages.
    package var allowedValues: String {
      switch self {
      case .reduceMotion, .lowPower: SettingText.alternatives(Switch.allCases.map(\.rawValue))
      case .orientation:
        SettingText.alternatives(["auto"] + Orientation.allCases.map(\.rawValue))
      case .paused: "on or off"
      case .scale: "auto, or px per rad/s (in tilt mode, px per rad), as in 5 or 10,14"
      case .smoothing: SettingText.alternatives(Smoothing.forms)
      }
    }
  }

  package var key: Key {
    switch self {
    case .reduceMotion: .reduceMotion
    case .lowPower: .lowPower
    case .orientation: .orientation
    case .paused: .paused
    case .scale: .scale
    case .smoothing: .smoothing
    }
  }

  /// Parses a key and a value, as on the command line and in a request.
  ///
  /// - Throws: an error that lists the allowed keys or values.
  package init(key name: String, value: String) throws(SettingError) {
    guard let key = Key(rawValue: name) else {
      let keys = Key.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingError("unknown setting '\(name)'; use one of \(keys)")
    }
    let isAuto = value == "auto"
    switch key {
    case .reduceMotion: self = .reduceMotion(try Self.parseSwitch(key, value))
    case .lowPower: self = .lowPower(try Self.parseSwitch(key, value))
    case .orientation:
      guard isAuto || Orientation(rawValue: value) != nil else {
        throw Self.invalidValue(key, value)
      }
      self = .orientation(Orientation(rawValue: value))
    case .paused:
      let state = try Self.parseSwitch(key, value)
      guard state != .auto else { throw Self.invalidValue(key, value) }
      self = .paused(state == .on)
    case .scale: self = .scale(isAuto ? nil : try PixelScale(parsing: value))
    case .smoothing: self = .smoothing(isAuto ? nil : try Smoothing(parsing: value))
    }
  }

  private static func parseSwitch(_ key: Key, _ value: String) throws(SettingError) -> Switch {
    guard let state = Switch(rawValue: value) else { throw invalidValue(key, value) }
    return state
  }

  private static func invalidValue(_ key: Key, _ value: String) -> SettingError {
    SettingError("invalid value '\(value)' for \(key.rawValue); use \(key.allowedValues)")
  }

  /// The value in a request: always a string, as on the command line.
  package var valueText: String {
    switch self {
    case .reduceMotion(let state), .lowPower(let state): state.rawValue
    case .orientation(let orientation): orientation?.rawValue ?? "auto"
    case .paused(let paused): paused ? "on" : "off"
    case .scale(nil), .smoothing(nil): "auto"
    case .scale(let scale?): "\(scale.x),\(scale.y)"
    case .smoothing(let smoothing?): smoothing.text(number: \.description)
    }
  }
}
