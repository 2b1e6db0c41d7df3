// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxMotion

/// A key of the configuration: its name, values, documentation, reader and writer.
///
/// Files, `--set`, the options of commands, messages, `config show` and config/parallax.toml all
/// derive from it.
package struct SettingKey: Sendable {
  /// The effect of a value or of a change: `Up`, "Less noise. More power."
  struct Effect: Sendable {
    let label: String
    let text: String
  }

  package let table: String
  package let name: String
  /// The setting in a noun phrase, then details in further sentences.
  package let summary: String
  /// The value's unit; nil if it has none.
  package let unit: String?
  /// The allowed values, for messages and documentation.
  package var allowed: String { describeAllowed() }
  /// The meaning of the default, if its value does not show it.
  let defaultNote: String?
  var effects: [Effect] { describeEffects().map { Effect(label: $0.key, text: $0.value) } }

  /// The form of the values, for controls that select one.
  package var form: SettingForm { describeForm() }

  // Text that only messages and documentation need is made on demand: the daemon reads a few keys
  // once, and keeps such text neither in memory nor in its resident code.
  private let describeAllowed: Description
  private let describeEffects: @Sendable () -> Effects
  private let describeForm: @Sendable () -> SettingForm
  private let readValue:
    @Sendable (SettingValue, Description, inout Configuration) throws(SettingError) -> Void
  private let showValue: @Sendable (Configuration) -> String

  /// `motion.smoothing`.
  package var path: String { "\(table).\(name)" }

  /// Reads a value into a configuration.
  ///
  /// - Throws: an error that lists the allowed values; then nothing is changed.
  package func read(
    _ value: SettingValue, into configuration: inout Configuration
  ) throws(SettingError) {
    try readValue(value, describeAllowed, &configuration)
  }

  /// Returns the value as TOML: `"tilt"`, `30`, `true`.
  package func tomlValue(in configuration: Configuration) -> String { showValue(configuration) }

  init(
    _ path: (table: String, name: String), _ summary: String, unit: String? = nil,
    allowed: @autoclosure @escaping Description, defaultNote: String? = nil,
    effects: @autoclosure @escaping @Sendable () -> Effects,
    form: @autoclosure @escaping @Sendable () -> SettingForm = .text([]),
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
    describeForm = form
    readValue = read
    showValue = show
  }
}

/// The form of a key's values.
package enum SettingForm: Equatable, Sendable {
  /// A number in a range. Some keys take words besides.
  ///
  /// - Parameter usual: The values that a slider offers; nil: the range.
  case number(ClosedRange<Double>, usual: ClosedRange<Double>? = nil, words: [String] = [])
  /// One of a few words.
  case choice([String])
  /// `LO:HI`, each end in a range.
  case range(ClosedRange<Double>)
  /// A text of its own grammar, with examples.
  case text([String])
}

/// A key's property of a configuration, as two closures: unlike a key path, they need no runtime
/// metadata.
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

// The kinds of keys, each for a property of a configuration.
extension SettingKey {
  typealias Property<Value> = SettingProperty<Value>
  /// A text that is made on demand.
  package typealias Description = @Sendable () -> String
  typealias Path = (table: String, name: String)
  typealias Effects = KeyValuePairs<String, String>

  static func number(
    _ path: Path, _ property: Property<Double>, in range: ClosedRange<Double>, unit: String,
    _ summary: String, effects: @autoclosure @escaping @Sendable () -> Effects
  ) -> SettingKey {
    SettingKey(
      path, summary, unit: unit,
      allowed: "\(SettingText.text(range.lowerBound)) to \(SettingText.text(range.upperBound))",
      effects: effects(), form: .number(range),
      read: { (value, allowed, configuration) throws(SettingError) in
        property.set(&configuration, try value.number(in: range, allowed: allowed))
      },
      show: { SettingText.text(property.get($0)) })
  }

  static func integer(
    _ path: Path, _ property: Property<Int>, in range: ClosedRange<Int>, unit: String,
    _ summary: String, effects: @autoclosure @escaping @Sendable () -> Effects
  ) -> SettingKey {
    SettingKey(
      path, summary, unit: unit,
      allowed: "a whole number, \(range.lowerBound) to \(range.upperBound)", effects: effects(),
      form: .number(Double(range.lowerBound)...Double(range.upperBound)),
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
      form: .choice(["true", "false"]),
      read: { (value, allowed, configuration) throws(SettingError) in
        property.set(&configuration, try value.boolean(allowed: allowed))
      },
      show: { property.get($0) ? "true" : "false" })
  }

  /// A key that takes one of a few words.
  static func choice<Choice: CaseIterable & RawRepresentable<String> & Sendable>(
    _ path: Path, _ property: Property<Choice>, _ summary: String,
    effects: @autoclosure @escaping @Sendable () -> Effects
  ) -> SettingKey {
    SettingKey(
      path, summary, allowed: TomlText.alternatives(Choice.allCases.map(\.rawValue)),
      effects: effects(), form: .choice(Choice.allCases.map(\.rawValue)),
      read: { (value, allowed, configuration) throws(SettingError) in
        let text = try value.string(allowed: allowed)
        guard let choice = Choice(rawValue: text) else {
          throw SettingError("unknown value '\(text)'; use \(allowed())")
        }
        property.set(&configuration, choice)
      },
      show: { TomlText.quoted(property.get($0).rawValue) })
  }

  /// A key that takes a string with its own parser.
  static func parsed<Value: Sendable>(
    _ path: Path, _ property: Property<Value>, _ summary: String, unit: String? = nil,
    allowed: @autoclosure @escaping Description, defaultNote: String? = nil,
    effects: @autoclosure @escaping @Sendable () -> Effects,
    form: @autoclosure @escaping @Sendable () -> SettingForm = .text([]),
    parse: @escaping @Sendable (String) throws(SettingError) -> Value,
    show: @escaping @Sendable (Value) -> String
  ) -> SettingKey {
    SettingKey(
      path, summary, unit: unit, allowed: allowed(), defaultNote: defaultNote, effects: effects(),
      form: form(),
      read: { (value, allowed, configuration) throws(SettingError) in
        property.set(&configuration, try parse(value.string(allowed: allowed)))
      },
      show: { TomlText.quoted(show(property.get($0))) })
  }

  /// A key that takes a string with its own parser, or a word that equals an absent key: "auto" or
  /// "".
  static func optional<Value: Sendable>(
    _ path: Path, _ property: Property<Value?>, absent: String, _ summary: String,
    unit: String? = nil, allowed: @autoclosure @escaping Description, defaultNote: String,
    effects: @autoclosure @escaping @Sendable () -> Effects,
    form: @autoclosure @escaping @Sendable () -> SettingForm = .text([]),
    parse: @escaping @Sendable (String) throws(SettingError) -> Value,
    show: @escaping @Sendable (Value) -> String
  ) -> SettingKey {
    .parsed(
      path, property, summary, unit: unit, allowed: allowed(), defaultNote: defaultNote,
      effects: effects(), form: form(),
      parse: { (text) throws(SettingError) in text == absent ? nil : try parse(text) },
      show: { value in value.map(show) ?? absent })
  }

  /// A key that takes a number, or a string for other values ("native", "auto", "10,14"). In files
  /// a number in quotes is refused: each value has one spelling.
  static func numberOrWord(
    _ path: Path, _ summary: String, unit: String, allowed: @autoclosure @escaping Description,
    defaultNote: String? = nil,
    effects: @autoclosure @escaping @Sendable () -> Effects,
    form: @autoclosure @escaping @Sendable () -> SettingForm = .text([]),
    number:
      @escaping @Sendable (SettingValue, Description, inout Configuration) throws(SettingError)
      -> Void,
    word: @escaping @Sendable (String, inout Configuration) throws(SettingError) -> Void,
    show: @escaping @Sendable (Configuration) -> String
  ) -> SettingKey {
    SettingKey(
      path, summary, unit: unit, allowed: allowed(), defaultNote: defaultNote, effects: effects(),
      form: form(),
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
