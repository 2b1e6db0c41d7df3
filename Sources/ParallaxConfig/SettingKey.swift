package import ParallaxMotion

/// One key of the configuration: what it is called, what it takes, what it does, how it is read
/// and shown. Files, `--set`, error messages, `config show` and config/parallax.toml all follow
/// this one record.
package struct SettingKey: Sendable {
  /// What turning a setting does: `up` "calmer, but later".
  struct Effect: Sendable {
    let label: String
    let text: String
  }

  package let table: String
  package let name: String
  /// What the setting is, a sentence or two.
  package let summary: String
  /// nil where the value has none.
  package let unit: String?
  /// What may be written, as messages and documentation say it.
  package let allowed: String
  /// What the default amounts to, where the value alone does not say.
  let defaultNote: String?
  let effects: [Effect]

  private let readValue:
    @Sendable (SettingValue, String, inout Configuration) throws(SettingError) -> Void
  private let showValue: @Sendable (Configuration) -> String

  /// `motion.smoothing`.
  package var path: String { "\(table).\(name)" }

  /// Reads a value into a configuration.
  /// - Throws: what is wrong and what is allowed; then nothing has changed.
  package func read(
    _ value: SettingValue, into configuration: inout Configuration
  ) throws(SettingError) {
    try readValue(value, allowed, &configuration)
  }

  /// The value as it stands in TOML: `"tilt"`, `30`, `true`.
  package func tomlValue(in configuration: Configuration) -> String { showValue(configuration) }

  init(
    _ path: (table: String, name: String), _ summary: String, unit: String? = nil,
    allowed: String, defaultNote: String? = nil, effects: KeyValuePairs<String, String>,
    read:
      @escaping @Sendable (SettingValue, String, inout Configuration) throws(SettingError)
      -> Void,
    show: @escaping @Sendable (Configuration) -> String
  ) {
    table = path.table
    name = path.name
    self.summary = summary
    self.unit = unit
    self.allowed = allowed
    self.defaultNote = defaultNote
    self.effects = effects.map { Effect(label: $0.key, text: $0.value) }
    readValue = read
    showValue = show
  }
}

// The kinds of keys there are. Each takes the property it stands for.
extension SettingKey {
  typealias Property<Value> = any WritableKeyPath<Configuration, Value> & Sendable
  typealias Path = (table: String, name: String)
  typealias Effects = KeyValuePairs<String, String>

  static func number(
    _ path: Path, _ property: Property<Double>, in range: ClosedRange<Double>, unit: String,
    _ summary: String, effects: Effects
  ) -> SettingKey {
    SettingKey(
      path, summary, unit: unit,
      allowed: "\(TomlText.number(range.lowerBound)) to \(TomlText.number(range.upperBound))",
      effects: effects,
      read: { (value, allowed, configuration) throws(SettingError) in
        configuration[keyPath: property] = try value.number(in: range, allowed: allowed)
      },
      show: { TomlText.number($0[keyPath: property]) })
  }

  static func integer(
    _ path: Path, _ property: Property<Int>, in range: ClosedRange<Int>, unit: String,
    _ summary: String, effects: Effects
  ) -> SettingKey {
    SettingKey(
      path, summary, unit: unit,
      allowed: "a whole number, \(range.lowerBound) to \(range.upperBound)", effects: effects,
      read: { (value, allowed, configuration) throws(SettingError) in
        configuration[keyPath: property] = try value.integer(in: range, allowed: allowed)
      },
      show: { "\($0[keyPath: property])" })
  }

  static func boolean(
    _ path: Path, _ property: Property<Bool>, _ summary: String, effects: Effects
  ) -> SettingKey {
    SettingKey(
      path, summary, allowed: "true or false", effects: effects,
      read: { (value, allowed, configuration) throws(SettingError) in
        configuration[keyPath: property] = try value.boolean(allowed: allowed)
      },
      show: { $0[keyPath: property] ? "true" : "false" })
  }

  /// One of a few words.
  static func choice<Choice: CaseIterable & RawRepresentable<String> & Sendable>(
    _ path: Path, _ property: Property<Choice>, _ summary: String, effects: Effects
  ) -> SettingKey {
    SettingKey(
      path, summary, allowed: TomlText.alternatives(Choice.allCases.map(\.rawValue)),
      effects: effects,
      read: { (value, allowed, configuration) throws(SettingError) in
        let text = try value.string(allowed: allowed)
        guard let choice = Choice(rawValue: text) else {
          throw SettingError("'\(text)' is not known; use \(allowed)")
        }
        configuration[keyPath: property] = choice
      },
      show: { TomlText.quoted($0[keyPath: property].rawValue) })
  }

  /// A string with a grammar of its own.
  static func parsed<Value: Sendable>(
    _ path: Path, _ property: Property<Value>, _ summary: String, unit: String? = nil,
    allowed: String, defaultNote: String? = nil, effects: Effects,
    parse: @escaping @Sendable (String) throws(SettingError) -> Value,
    show: @escaping @Sendable (Value) -> String
  ) -> SettingKey {
    SettingKey(
      path, summary, unit: unit, allowed: allowed, defaultNote: defaultNote, effects: effects,
      read: { (value, allowed, configuration) throws(SettingError) in
        configuration[keyPath: property] = try parse(value.string(allowed: allowed))
      },
      show: { TomlText.quoted(show($0[keyPath: property])) })
  }

  /// A string with a grammar of its own, or the word that stands for "left out": "auto" or "".
  static func optional<Value: Sendable>(
    _ path: Path, _ property: Property<Value?>, absent: String, _ summary: String,
    unit: String? = nil, allowed: String, defaultNote: String, effects: Effects,
    parse: @escaping @Sendable (String) throws(SettingError) -> Value,
    show: @escaping @Sendable (Value) -> String
  ) -> SettingKey {
    .parsed(
      path, property, summary, unit: unit, allowed: allowed, defaultNote: defaultNote,
      effects: effects,
      parse: { (text) throws(SettingError) in text == absent ? nil : try parse(text) },
      show: { value in value.map(show) ?? absent })
  }

  /// A number, or a string for what no number says ("native", "auto", "10,14"). A number in quotes
  /// is refused in files: one value has one spelling.
  static func numberOrWord(
    _ path: Path, _ summary: String, unit: String, allowed: String, defaultNote: String? = nil,
    effects: Effects,
    number:
      @escaping @Sendable (SettingValue, String, inout Configuration) throws(SettingError)
      -> Void,
    word: @escaping @Sendable (String, inout Configuration) throws(SettingError) -> Void,
    show: @escaping @Sendable (Configuration) -> String
  ) -> SettingKey {
    SettingKey(
      path, summary, unit: unit, allowed: allowed, defaultNote: defaultNote, effects: effects,
      read: { (value, allowed, configuration) throws(SettingError) in
        switch value {
        case .string(let text) where SettingText.number(text) == nil:
          try word(value.string(allowed: allowed), &configuration)
        case .text(let text) where !value.isNumber:
          try word(text, &configuration)
        default:
          try number(value, allowed, &configuration)
        }
      },
      show: show)
  }
}
