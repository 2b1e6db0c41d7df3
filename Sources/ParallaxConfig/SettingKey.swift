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
  package var allowed: String { describeAllowed() }
  /// What the default amounts to, where the value alone does not say.
  let defaultNote: String?
  var effects: [Effect] { describeEffects().map { Effect(label: $0.key, text: $0.value) } }

  // What only messages and documentation need is made when they ask: the daemon, which reads a few
  // keys and is done, keeps it neither in memory nor in its resident code.
  private let describeAllowed: Description
  private let describeEffects: @Sendable () -> Effects
  private let readValue:
    @Sendable (SettingValue, Description, inout Configuration) throws(SettingError) -> Void
  private let showValue: @Sendable (Configuration) -> String

  /// `motion.smoothing`.
  package var path: String { "\(table).\(name)" }

  /// Reads a value into a configuration.
  /// - Throws: what is wrong and what is allowed; then nothing has changed.
  package func read(
    _ value: SettingValue, into configuration: inout Configuration
  ) throws(SettingError) {
    try readValue(value, describeAllowed, &configuration)
  }

  /// The value as it stands in TOML: `"tilt"`, `30`, `true`.
  package func tomlValue(in configuration: Configuration) -> String { showValue(configuration) }

  init(
    _ path: (table: String, name: String), _ summary: String, unit: String? = nil,
    allowed: @autoclosure @escaping Description, defaultNote: String? = nil,
    effects: @autoclosure @escaping @Sendable () -> Effects,
    read:
      @escaping @Sendable (SettingValue, Description, inout Configuration) throws(SettingError)
      -> Void,
    show: @escaping @Sendable (Configuration) -> String
  ) {
    table = path.table
    name = path.name
    self.summary = summary
    self.unit = unit
    self.defaultNote = defaultNote
    describeAllowed = allowed
    describeEffects = effects
    readValue = read
    showValue = show
  }
}

/// A key's place in a configuration: two closures, which unlike a key path need no metadata of
/// the runtime's.
struct SettingProperty<Value>: Sendable {
  let get: @Sendable (Configuration) -> Value
  let set: @Sendable (inout Configuration, Value) -> Void

  init(
    _ get: @escaping @Sendable (Configuration) -> Value,
    _ set: @escaping @Sendable (inout Configuration, Value) -> Void
  ) {
    self.get = get
    self.set = set
  }
}

// The kinds of keys there are. Each takes the property it stands for.
extension SettingKey {
  typealias Property<Value> = SettingProperty<Value>
  /// Text that is made when somebody reads it.
  package typealias Description = @Sendable () -> String
  typealias Path = (table: String, name: String)
  typealias Effects = KeyValuePairs<String, String>

  static func number(
    _ path: Path, _ property: Property<Double>, in range: ClosedRange<Double>, unit: String,
    _ summary: String, effects: @autoclosure @escaping @Sendable () -> Effects
  ) -> SettingKey {
    SettingKey(
      path, summary, unit: unit,
      allowed: "\(TomlText.number(range.lowerBound)) to \(TomlText.number(range.upperBound))",
      effects: effects(),
      read: { (value, allowed, configuration) throws(SettingError) in
        property.set(&configuration, try value.number(in: range, allowed: allowed))
      },
      show: { TomlText.number(property.get($0)) })
  }

  static func integer(
    _ path: Path, _ property: Property<Int>, in range: ClosedRange<Int>, unit: String,
    _ summary: String, effects: @autoclosure @escaping @Sendable () -> Effects
  ) -> SettingKey {
    SettingKey(
      path, summary, unit: unit,
      allowed: "a whole number, \(range.lowerBound) to \(range.upperBound)", effects: effects(),
      read: { (value, allowed, configuration) throws(SettingError) in
        property.set(&configuration, try value.integer(in: range, allowed: allowed))
      },
      show: { "\(property.get($0))" })
  }

  static func boolean(
    _ path: Path, _ property: Property<Bool>, _ summary: String,
    effects: @autoclosure @escaping @Sendable () -> Effects
  ) -> SettingKey {
    SettingKey(
      path, summary, allowed: "true or false", effects: effects(),
      read: { (value, allowed, configuration) throws(SettingError) in
        property.set(&configuration, try value.boolean(allowed: allowed))
      },
      show: { property.get($0) ? "true" : "false" })
  }

  /// One of a few words.
  static func choice<Choice: CaseIterable & RawRepresentable<String> & Sendable>(
    _ path: Path, _ property: Property<Choice>, _ summary: String,
    effects: @autoclosure @escaping @Sendable () -> Effects
  ) -> SettingKey {
    SettingKey(
      path, summary, allowed: TomlText.alternatives(Choice.allCases.map(\.rawValue)),
      effects: effects(),
      read: { (value, allowed, configuration) throws(SettingError) in
        let text = try value.string(allowed: allowed)
        guard let choice = Choice(rawValue: text) else {
          throw SettingError("'\(text)' is not known; use \(allowed())")
        }
        property.set(&configuration, choice)
      },
      show: { TomlText.quoted(property.get($0).rawValue) })
  }

  /// A string with a grammar of its own.
  static func parsed<Value: Sendable>(
    _ path: Path, _ property: Property<Value>, _ summary: String, unit: String? = nil,
    allowed: @autoclosure @escaping Description, defaultNote: String? = nil,
    effects: @autoclosure @escaping @Sendable () -> Effects,
    parse: @escaping @Sendable (String) throws(SettingError) -> Value,
    show: @escaping @Sendable (Value) -> String
  ) -> SettingKey {
    SettingKey(
      path, summary, unit: unit, allowed: allowed(), defaultNote: defaultNote, effects: effects(),
      read: { (value, allowed, configuration) throws(SettingError) in
        property.set(&configuration, try parse(value.string(allowed: allowed)))
      },
      show: { TomlText.quoted(show(property.get($0))) })
  }

  /// A string with a grammar of its own, or the word that stands for "left out": "auto" or "".
  static func optional<Value: Sendable>(
    _ path: Path, _ property: Property<Value?>, absent: String, _ summary: String,
    unit: String? = nil, allowed: @autoclosure @escaping Description, defaultNote: String,
    effects: @autoclosure @escaping @Sendable () -> Effects,
    parse: @escaping @Sendable (String) throws(SettingError) -> Value,
    show: @escaping @Sendable (Value) -> String
  ) -> SettingKey {
    .parsed(
      path, property, summary, unit: unit, allowed: allowed(), defaultNote: defaultNote,
      effects: effects(),
      parse: { (text) throws(SettingError) in text == absent ? nil : try parse(text) },
      show: { value in value.map(show) ?? absent })
  }

  /// A number, or a string for what no number says ("native", "auto", "10,14"). A number in quotes
  /// is refused in files: one value has one spelling.
  static func numberOrWord(
    _ path: Path, _ summary: String, unit: String, allowed: @autoclosure @escaping Description,
    defaultNote: String? = nil,
    effects: @autoclosure @escaping @Sendable () -> Effects,
    number:
      @escaping @Sendable (SettingValue, Description, inout Configuration) throws(SettingError)
      -> Void,
    word: @escaping @Sendable (String, inout Configuration) throws(SettingError) -> Void,
    show: @escaping @Sendable (Configuration) -> String
  ) -> SettingKey {
    SettingKey(
      path, summary, unit: unit, allowed: allowed(), defaultNote: defaultNote, effects: effects(),
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
