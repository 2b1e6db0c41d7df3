package import ParallaxMotion

/// A setting that `parallax set` changes while the daemon runs, over the configuration and over
/// reloads. `auto` gives it back to what decided before.
package enum SetChange: Equatable, Sendable {
  /// `reduce-motion`: on treats motion as reduced whatever the desktop says, off as not reduced.
  case reduceMotion(Switch)
  /// `low-power`: on treats power as low, off as not low.
  case lowPower(Switch)
  /// `orientation`: nil is `auto`.
  case orientation(Orientation?)
  /// `paused`: nothing moves.
  case paused(Bool)
  /// `scale`: nil is `auto`, the configuration's.
  case scale(PixelScale?)
  /// `smoothing`: nil is `auto`, the configuration's.
  case smoothing(Smoothing?)

  /// A gate by hand.
  package enum Switch: String, CaseIterable, Equatable, Sendable {
    case auto, on, off
  }

  /// What can be set.
  package enum Key: String, CaseIterable, Equatable, Sendable {
    case reduceMotion = "reduce-motion"
    case lowPower = "low-power"
    case orientation
    case paused
    case scale
    case smoothing

    /// For a person who asks what the key takes.
    package var allowedValues: String {
      switch self {
      case .reduceMotion, .lowPower: "auto, on or off"
      case .orientation: "auto, normal, left-up, bottom-up or right-up"
      case .paused: "on or off"
      case .scale: "auto, or px per rad/s (px per rad in tilt mode) as 5 or 10,14"
      case .smoothing: "auto, none, ema:TAU, one-euro:MINCUTOFF,BETA or spring:RESPONSE"
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

  /// Reads `key` and `value` as both stand on the command line and in a request.
  ///
  /// - Throws: with the keys or values that are allowed.
  package init(key name: String, value: String) throws(SettingError) {
    guard let key = Key(rawValue: name) else {
      let keys = Key.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingError("'\(name)' cannot be set; use one of \(keys)")
    }
    let isAuto = value == "auto"
    switch key {
    case .reduceMotion: self = .reduceMotion(try Self.switched(key, value))
    case .lowPower: self = .lowPower(try Self.switched(key, value))
    case .orientation:
      guard isAuto || Orientation(rawValue: value) != nil else { throw Self.refusal(key, value) }
      self = .orientation(Orientation(rawValue: value))
    case .paused:
      let state = try Self.switched(key, value)
      guard state != .auto else { throw Self.refusal(key, value) }
      self = .paused(state == .on)
    case .scale: self = .scale(isAuto ? nil : try PixelScale(parsing: value))
    case .smoothing: self = .smoothing(isAuto ? nil : try Smoothing(parsing: value))
    }
  }

  private static func switched(_ key: Key, _ value: String) throws(SettingError) -> Switch {
    guard let state = Switch(rawValue: value) else { throw refusal(key, value) }
    return state
  }

  private static func refusal(_ key: Key, _ value: String) -> SettingError {
    SettingError("'\(value)' is no value of \(key.rawValue); use \(key.allowedValues)")
  }

  /// The value as a request carries it: always a string, as on the command line.
  package var valueText: String {
    switch self {
    case .reduceMotion(let state), .lowPower(let state): state.rawValue
    case .orientation(let orientation): orientation?.rawValue ?? "auto"
    case .paused(let paused): paused ? "on" : "off"
    case .scale(nil), .smoothing(nil): "auto"
    case .scale(let scale?): Self.text(scale.x, scale.y)
    case .smoothing(let smoothing?): Self.text(smoothing)
    }
  }

  private static func text(_ numbers: Double...) -> String {
    numbers.map(\.description).joined(separator: ",")
  }

  private static func text(_ smoothing: Smoothing) -> String {
    switch smoothing {
    case .none: "none"
    case .ema(let seconds): "ema:" + text(seconds)
    case .oneEuro(let parameters):
      "one-euro:"
        + text(
          parameters.minimumCutoffHertz, parameters.betaX, parameters.derivativeCutoffHertz)
    case .spring(let seconds, let damping): "spring:" + text(seconds, damping)
    }
  }
}
