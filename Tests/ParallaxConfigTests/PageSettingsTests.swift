// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxConfig
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// web/page/settings.json, from which the page makes its controls, is generated from the schema: after a change,
/// `PARALLAX_RECORD=1 swift test --filter PageSettings` writes it again.
@Suite("web/page/settings.json")
struct PageSettingsTests {
  private static let path = TestEnvironment.packageRoot + "/web/page/settings.json"

  @Test func matchesSchema() throws {
    let generated = "[\n" + SetChange.settings.map(json).joined(separator: ",\n") + "\n]\n"
    if environmentVariable("PARALLAX_RECORD") != nil {
      let file = try #require(fopen(Self.path, "w"))
      fputs(generated, file)
      fclose(file)
    }
    #expect(try text(ofFile: Self.path) == generated)
  }

  /// The words of a number and the examples of a text are values that SET takes.
  @Test func offeredValuesAreTaken() throws {
    for key in SetChange.settings {
      let values =
        switch key.form {
        case .number(_, _, let words), .choice(let words): words
        case .text(_, let examples): examples
        case .range: [String]()
        }
      for value in values {
        #expect(throws: Never.self) { try SetChange(key: key.name, value: .text(value)) }
      }
    }
  }

  /// One line of the file.
  private func json(_ key: SettingKey) -> String {
    let fields =
      [("key", quoted(key.name)), ("table", quoted(key.table))] + form(key.form)
      + [("default", defaultValue(key))] + (key.unit.map { [("unit", quoted($0))] } ?? [])
      + [("help", quoted(key.summary))]
    return "  {" + fields.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
  }

  private func form(_ form: SettingForm) -> [(String, String)] {
    switch form {
    case .number(let range, let usual, let words):
      [("kind", "\"number\"")] + bounds(range)
        + [("slider", pair(usual ?? range)), ("values", list(words))]
    case .choice(let words): [("kind", "\"choice\""), ("values", list(words))]
    case .range(let range): [("kind", "\"range\"")] + bounds(range)
    case .text(_, let examples): [("kind", "\"text\""), ("values", list(examples))]
    }
  }

  /// The scale without one in the configuration depends on the mode.
  private func defaultValue(_ key: SettingKey) -> String {
    key.name == "scale"
      ? "{\"rate\": \(number(PixelScale.rateDefault.x)), \"tilt\": \(number(PixelScale.tiltDefault.x))}"
      : key.value(in: Configuration()).toml
  }

  private func bounds(_ range: ClosedRange<Double>) -> [(String, String)] {
    [("minimum", number(range.lowerBound)), ("maximum", number(range.upperBound))]
  }

  private func pair(_ range: ClosedRange<Double>) -> String {
    "[\(number(range.lowerBound)), \(number(range.upperBound))]"
  }

  private func list(_ words: [String]) -> String {
    "[" + words.map(quoted).joined(separator: ", ") + "]"
  }

  private func number(_ value: Double) -> String { SettingValue.float(value).text }

  /// None of these texts has a control character.
  private func quoted(_ text: String) -> String {
    var result = "\""
    for character in text {
      if character == "\"" || character == "\\" { result += "\\" }
      result.append(character)
    }
    return result + "\""
  }
}
