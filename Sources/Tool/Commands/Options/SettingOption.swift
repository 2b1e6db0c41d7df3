// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxConfig

/// A setting of the configuration that an option requests.
struct SettingAssignment: Equatable, Sendable {
  /// The key's path, as in `motion.recenter`.
  var key: String
  var text: String
  /// The option's name in messages, as in `--recenter`.
  var option: String
}

extension Option where Value == SettingAssignment? {
  /// Creates an option that sets a key of the configuration, which also checks the value.
  ///
  /// - Parameters:
  ///   - key: The key's path. The option has the key's name unless `name` is given.
  ///   - valueName: The placeholder of the value in the help.
  ///   - parsing: `.unconditional` for values that may begin with a minus sign.
  ///   - help: The help; by default the key's summary.
  init(
    setting key: String, _ valueName: String, name: String? = nil,
    parsing: SingleValueParsingStrategy = .next, help: String? = nil
  ) {
    let setting = ConfigSchema.key(at: key)
    let name = name ?? setting?.name ?? key
    self.init(
      name: .customLong(name), parsing: parsing,
      help: .init(.init(stringLiteral: help ?? setting?.optionHelp ?? ""), valueName: valueName),
      completion: .setting(key: key, valueName: valueName),
      transform: { SettingAssignment(key: key, text: $0, option: "--\(name)") })
  }
}

extension SettingKey {
  /// The first sentence of the summary, with the unit if it is a single word.
  fileprivate var optionHelp: String {
    let words = summary.split(separator: " ")
    let count = 1 + (words.firstIndex { $0.hasSuffix(".") } ?? words.count - 1)
    let sentence = words.prefix(count).joined(separator: " ")
    guard let unit, !unit.contains(" ") else { return sentence }
    return "\(sentence.dropLast()), in \(unit)."
  }
}

extension ConfigurationBuilder {
  mutating func set(_ assignments: [SettingAssignment]) {
    for assignment in assignments {
      set(key: assignment.key, text: assignment.text, origin: .option(assignment.option))
    }
  }
}
