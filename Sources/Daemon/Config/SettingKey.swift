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
  private let readValue: @Sendable (SettingValue, Description) throws(SettingError) -> Assignment
  private let showValue: @Sendable (Configuration) -> SettingValue

  /// Puts a value that was read into a configuration.
  typealias Assignment = @Sendable (inout Configuration) -> Void

  /// `motion.smoothing`.
  package var path: String { "\(table).\(name)" }

  /// The words that a value can be or begin with: `auto`, `ema:`.
  package var words: [String] { form.words }

  /// Reads a value.
  ///
  /// - Throws: an error that lists the allowed values.
  package func read(_ value: SettingValue) throws(SettingError) -> Setting {
    Setting(key: self, assign: try readValue(value, describeAllowed))
  }

  /// Returns the value as a number, a boolean or a string.
  package func value(in configuration: Configuration) -> SettingValue { showValue(configuration) }

  init<Value: Sendable>(
    _ path: Path, _ property: Property<Value>, _ summary: String, unit: String? = nil,
    allowed: @autoclosure @escaping Description, defaultNote: String? = nil,
    effects: @autoclosure @escaping @Sendable () -> Effects,
    form: @autoclosure @escaping @Sendable () -> SettingForm = .text(),
    read: @escaping @Sendable (SettingValue, Description) throws(SettingError) -> Value,
    show: @escaping @Sendable (Value) -> SettingValue
  ) {
    table = path.table
    name = path.name
    self.summary = summary
    self.unit = unit
    self.defaultNote = defaultNote
    describeAllowed = allowed
    describeEffects = effects
    describeForm = form
    readValue = { (value, allowed) throws(SettingError) in
      let value = try read(value, allowed)
      return { property.set(&$0, value) }
    }
    showValue = { show(property.get($0)) }
  }
}

/// A value that its key has read.
package struct Setting: Sendable {
  package let key: SettingKey
  private let assign: SettingKey.Assignment

  fileprivate init(key: SettingKey, assign: @escaping SettingKey.Assignment) {
    self.key = key
    self.assign = assign
  }

  /// Puts the value into a configuration.
  package func apply(to configuration: inout Configuration) { assign(&configuration) }
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
  /// A text of its own grammar.
  ///
  /// - Parameter words: What a text can be or begin with.
  case text(words: [String] = [], examples: [String] = [])

  var words: [String] {
    switch self {
    case .number(_, _, let words), .choice(let words), .text(let words, _): words
    case .range: []
    }
  }
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
      path, property, summary, unit: unit,
      allowed: "\(SettingText.text(range.lowerBound)) to \(SettingText.text(range.upperBound))",
      effects: effects(), form: .number(range),
      read: { (value, allowed) throws(SettingError) in
        try value.number(in: range, allowed: allowed)
      },
      show: { .float($0) })
  }

  static func integer(
    _ path: Path, _ property: Property<Int>, in range: ClosedRange<Int>, unit: String,
    _ summary: String, effects: @autoclosure @escaping @Sendable () -> Effects
  ) -> SettingKey {
    SettingKey(
      path, property, summary, unit: unit,
      allowed: "a whole number, \(range.lowerBound) to \(range.upperBound)", effects: effects(),
      form: .number(Double(range.lowerBound)...Double(range.upperBound)),
      read: { (value, allowed) throws(SettingError) in
        try value.integer(in: range, allowed: allowed)
      },
      show: { .integer(Int64($0)) })
  }

  static func boolean(
    _ path: Path, _ property: Property<Bool>, _ summary: String,
    effects: @autoclosure @escaping @Sendable () -> Effects
  ) -> SettingKey {
    SettingKey(
      path, property, summary, allowed: "true or false", effects: effects(),
      form: .choice(["true", "false"]),
      read: { (value, allowed) throws(SettingError) in try value.boolean(allowed: allowed) },
      show: { .boolean($0) })
  }

  /// A key that takes one of a few words.
  static func choice<Choice: CaseIterable & RawRepresentable<String> & Sendable>(
    _ path: Path, _ property: Property<Choice>, _ summary: String,
    effects: @autoclosure @escaping @Sendable () -> Effects
  ) -> SettingKey {
    SettingKey(
      path, property, summary, allowed: TomlText.alternatives(Choice.allCases.map(\.rawValue)),
      effects: effects(), form: .choice(Choice.allCases.map(\.rawValue)),
      read: { (value, allowed) throws(SettingError) in
        let text = try value.string(allowed: allowed)
        guard let choice = Choice(rawValue: text) else {
          throw SettingError("unknown value '\(text)'; use \(allowed())")
        }
        return choice
      },
      show: { .string($0.rawValue) })
  }

  /// A key that takes a string with its own parser.
  static func parsed<Value: Sendable>(
    _ path: Path, _ property: Property<Value>, _ summary: String, unit: String? = nil,
    allowed: @autoclosure @escaping Description, defaultNote: String? = nil,
    effects: @autoclosure @escaping @Sendable () -> Effects,
    form: @autoclosure @escaping @Sendable () -> SettingForm = .text(),
    parse: @escaping @Sendable (String) throws(SettingError) -> Value,
    show: @escaping @Sendable (Value) -> String
  ) -> SettingKey {
    SettingKey(
      path, property, summary, unit: unit, allowed: allowed(), defaultNote: defaultNote,
      effects: effects(), form: form(),
      read: { (value, allowed) throws(SettingError) in
        try parse(try value.string(allowed: allowed))
      },
      show: { .string(show($0)) })
  }

  /// A key that takes a string with its own parser, or a word that equals an absent key: "auto" or
  /// "".
  static func optional<Value: Sendable>(
    _ path: Path, _ property: Property<Value?>, absent: String, _ summary: String,
    unit: String? = nil, allowed: @autoclosure @escaping Description, defaultNote: String,
    effects: @autoclosure @escaping @Sendable () -> Effects,
    form: @autoclosure @escaping @Sendable () -> SettingForm = .text(),
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
  static func numberOrWord<Value: Sendable>(
    _ path: Path, _ property: Property<Value>, _ summary: String, unit: String,
    allowed: @autoclosure @escaping Description, defaultNote: String? = nil,
    effects: @autoclosure @escaping @Sendable () -> Effects,
    form: @autoclosure @escaping @Sendable () -> SettingForm,
    number: @escaping @Sendable (SettingValue, Description) throws(SettingError) -> Value,
    word: @escaping @Sendable (String) throws(SettingError) -> Value,
    show: @escaping @Sendable (Value) -> SettingValue
  ) -> SettingKey {
    SettingKey(
      path, property, summary, unit: unit, allowed: allowed(), defaultNote: defaultNote,
      effects: effects(), form: form(),
      read: { (value, allowed) throws(SettingError) in
        switch value {
        case .string(let text) where SettingText.number(text) == nil:
          try word(try value.string(allowed: allowed))
        case .text(let text) where !value.isNumber:
          try word(text)
        default:
          try number(value, allowed)
        }
      },
      show: show)
  }
}
