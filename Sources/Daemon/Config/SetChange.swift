// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// A setting that SET and `parallax set` change in the running daemon. It overrides the configuration,
/// also after a reload; `auto` removes the override.
package enum SetChange: Sendable {
  /// `reduce-motion`: on or off overrides the desktop's setting.
  case reduceMotion(ManualGate)
  /// `low-power`: on or off overrides the detected state.
  case lowPower(ManualGate)
  /// `orientation`: nil is `auto`.
  case orientation(Orientation?)
  /// `paused`: true stops all motion.
  case paused(Bool)
  /// A key of `[motion]`, or `rate`; nil is `auto`, the configured value.
  case setting(SettingKey, SettingValue?)

  /// The settings besides those of the configuration.
  private enum Control: String, CaseIterable {
    case reduceMotion = "reduce-motion"
    case lowPower = "low-power"
    case orientation
    case paused
  }

  /// The keys of the configuration that can be set: `rate` of `[sampling]` and all of `[motion]`.
  package static var settings: [SettingKey] {
    ConfigSchema.sampling.keys.filter { $0.name == "rate" } + ConfigSchema.motion.keys
  }

  /// All keys, with their values in a sentence, for help and messages.
  package static var keys: [(name: String, allowedValues: String)] {
    Control.allCases.map { ($0.rawValue, allowedValues($0)) }
      + settings.map { ($0.name, allowedValues($0)) }
  }

  private static func allowedValues(_ control: Control) -> String {
    switch control {
    case .reduceMotion, .lowPower: SettingText.alternatives(ManualGate.allCases.map(\.rawValue))
    case .orientation: SettingText.alternatives(["auto"] + Orientation.allCases.map(\.rawValue))
    case .paused: "on or off"
    }
  }

  private static func allowedValues(_ key: SettingKey) -> String {
    key.allowed.contains("\"auto\"") || key.allowed.contains("\"auto[")
      ? key.allowed : "\(key.allowed), or \"auto\""
  }

  /// Reads a key and a value, as on the command line and in a request.
  ///
  /// - Throws: an error that lists the allowed keys or values, or says why the key cannot be set.
  package init(key name: String, value: SettingValue) throws(SettingError) {
    if let control = Control(rawValue: name) {
      try self.init(control, value)
    } else if let key = Self.settings.first(where: { $0.name == name || $0.path == name }) {
      guard value != .text("auto") else {
        self = .setting(key, nil)
        return
      }
      // Read once here, so that a value that is stored is valid.
      var configuration = Configuration()
      do throws(SettingError) {
        try key.read(value, into: &configuration)
      } catch {
        throw SettingError("\(key.name): \(error.message)")
      }
      self = .setting(key, value)
    } else {
      throw SettingError(Self.refusal(of: name))
    }
  }

  /// Whether the key, not the value, is why a SET is refused.
  package static func isKnown(_ name: String) -> Bool {
    Control(rawValue: name) != nil || settings.contains { $0.name == name || $0.path == name }
  }

  private init(_ control: Control, _ value: SettingValue) throws(SettingError) {
    let text = value.text
    var invalid: SettingError {
      SettingError(
        "invalid value '\(text)' for \(control.rawValue); use \(Self.allowedValues(control))")
    }
    switch control {
    case .reduceMotion, .lowPower:
      guard let gate = ManualGate(rawValue: text) else { throw invalid }
      self = control == .lowPower ? .lowPower(gate) : .reduceMotion(gate)
    case .orientation:
      guard text == "auto" || Orientation(rawValue: text) != nil else { throw invalid }
      self = .orientation(Orientation(rawValue: text))
    case .paused:
      guard text == "on" || text == "off" else { throw invalid }
      self = .paused(text == "on")
    }
  }

  // MARK: - Keys that cannot be set

  private static func refusal(of name: String) -> String {
    let names = keys.map(\.name)
    if let key = ConfigSchema.keys.first(where: { $0.path == name || $0.name == name }) {
      let restart = ["socket.path", "socket.control"].contains(key.path)
      let advice = restart ? "restart the daemon" : "run 'parallax reload'"
      return "\(key.path) cannot be set while the daemon runs: \(reason(key)); "
        + "change it in the configuration, then \(advice)"
    }
    let all = "use one of \(names.joined(separator: ", "))"
    guard let guess = NearestName.of(name, among: names) else {
      return "unknown setting '\(name)'; \(all)"
    }
    return "unknown setting '\(name)'; did you mean \(guess)? Otherwise \(all)"
  }

  private static func reason(_ key: SettingKey) -> String {
    switch key.table {
    case "source": "it selects the source of motion"
    case "sampling": "it decides how the gyroscope is opened"
    case "orientation": "it describes how the device is built; 'orientation' turns the screen"
    case "gates": "of [gates], only reduce-motion and low-power can be set"
    case "animations": "it names where animations come from"
    default: "it decides who may connect"
    }
  }
}

extension SettingValue {
  /// The value as on the command line: `on`, `5`, `ema:0.1`.
  package var text: String {
    switch self {
    case .text(let text), .string(let text): text
    case .boolean(let flag): flag ? "on" : "off"
    case .integer(let number): "\(number)"
    case .float(let number): SettingText.text(number)
    case .dateTime, .array, .table: ""
    }
  }
}

extension SettingKey {
  /// Returns the value as a number, a boolean or a text.
  package func value(in configuration: Configuration) -> SettingValue {
    let toml = tomlValue(in: configuration)
    if let number = SettingText.number(toml) { return .float(number) }
    if toml == "true" || toml == "false" { return .boolean(toml == "true") }
    // Neither names nor values of these keys need an escape.
    return .text(String(toml.dropFirst().dropLast()))
  }
}

/// The settings of SET that are in effect, over a configuration.
package struct SettingOverrides: Sendable {
  private var values: [(key: SettingKey, value: SettingValue)] = []

  package init() {}

  /// The paths of the keys, in the order in which they were set: `motion.scale`.
  package var keys: [SettingKey] { values.map(\.key) }

  /// Overrides a key, or no longer for nil.
  package mutating func set(_ key: SettingKey, to value: SettingValue?) {
    values.removeAll { $0.key.path == key.path }
    if let value { values.append((key, value)) }
  }

  package func applied(to configuration: Configuration) -> Configuration {
    var result = configuration
    for (key, value) in values {
      // SetChange has read the value before.
      try? key.read(value, into: &result)
    }
    return result
  }
}
