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
  /// A key of `[motion]`, or `rate`.
  case setting(Setting)
  /// Such a key to its configured value, for `auto`.
  case configured(SettingKey)

  /// The settings besides those of the configuration.
  fileprivate enum Control: String, CaseIterable {
    case reduceMotion = "reduce-motion"
    case lowPower = "low-power"
    case orientation
    case paused

    var words: [String] {
      switch self {
      case .reduceMotion, .lowPower: ManualGate.allCases.map(\.rawValue)
      case .orientation: ["auto"] + Orientation.allCases.map(\.rawValue)
      case .paused: ["on", "off"]
      }
    }

    var allowedValues: String { SettingText.alternatives(words) }
  }

  /// A key of SET with its values.
  package struct Key: Sendable {
    package let name: String
    /// The values in a sentence, for help and messages.
    package let allowedValues: String
    /// The words that a value can be or begin with.
    package let words: [String]

    fileprivate init(_ control: Control) {
      name = control.rawValue
      allowedValues = control.allowedValues
      words = control.words
    }

    fileprivate init(_ key: SettingKey) {
      let takesAuto = key.words.contains("auto")
      name = key.name
      allowedValues = takesAuto ? key.allowed : "\(key.allowed), or \"auto\""
      words = takesAuto ? key.words : key.words + ["auto"]
    }
  }

  /// The keys of the configuration that can be set: `rate` of `[sampling]` and all of `[motion]`.
  package static var settings: [SettingKey] {
    ConfigSchema.sampling.keys.filter { $0.name == "rate" } + ConfigSchema.motion.keys
  }

  /// All keys, for help and messages.
  package static var keys: [Key] {
    Control.allCases.map { Key($0) } + settings.map { Key($0) }
  }

  /// Returns the key of a name or a path such as `motion.scale`; nil if SET has none.
  package static func key(_ name: String) -> Key? {
    Control(rawValue: name).map { Key($0) } ?? setting(name).map { Key($0) }
  }

  private static func setting(_ name: String) -> SettingKey? {
    settings.first { $0.name == name || $0.path == name }
  }

  /// Reads a key and a value, as on the command line and in a request.
  ///
  /// - Throws: an error that lists the allowed keys or values, or says why the key cannot be set.
  package init(key name: String, value: SettingValue) throws(SettingError) {
    if let control = Control(rawValue: name) {
      try self.init(control, value)
    } else if let key = Self.setting(name) {
      guard value.text != "auto" else {
        self = .configured(key)
        return
      }
      do throws(SettingError) {
        self = .setting(try key.read(value))
      } catch {
        throw SettingError("\(key.name): \(error.message)")
      }
    } else {
      throw SettingError(Self.refusal(of: name))
    }
  }

  private init(_ control: Control, _ value: SettingValue) throws(SettingError) {
    let text = value.text
    var invalid: SettingError {
      SettingError(
        "invalid value '\(text)' for \(control.rawValue); use \(control.allowedValues)")
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

/// The settings of SET that are in effect, over a configuration.
package struct SettingOverrides: Sendable {
  private var settings: [Setting] = []

  package init() {}

  /// The overridden keys, in the order in which they were set.
  package var keys: [SettingKey] { settings.map(\.key) }

  package mutating func set(_ setting: Setting) {
    remove(setting.key)
    settings.append(setting)
  }

  package mutating func remove(_ key: SettingKey) {
    settings.removeAll { $0.key.path == key.path }
  }

  package func applied(to configuration: Configuration) -> Configuration {
    var result = configuration
    for setting in settings { setting.apply(to: &result) }
    return result
  }
}
