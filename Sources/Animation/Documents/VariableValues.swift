// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The values that a request or a command line gives to the variables of a document, or to the slots of
/// a Lottie file.
package struct VariableValues: Equatable, Sendable {
  package let object: JSONObject

  package static let none = VariableValues(JSONObject([]))

  package init(_ object: JSONObject) {
    self.object = object
  }

  /// Reads `NAME=VALUE`. A value that is not JSON is a text: `curve=ease-out`.
  package init(settings: [String]) throws(SettingError) {
    var members: [JSONObject.Member] = []
    for setting in settings {
      guard let split = setting.firstIndex(of: "="), split != setting.startIndex else {
        throw SettingError("\(QuotedText.of(setting)): expected NAME=VALUE, as in strength=8")
      }
      let name = String(setting[..<split])
      guard !members.contains(where: { $0.key == name }) else {
        throw SettingError("\(QuotedText.of(name)) is given twice; give it once")
      }
      let text = String(setting[setting.index(after: split)...])
      let value = try? JSONValue.parse(text, limits: .streamLine)
      members.append(JSONObject.Member(key: name, value: value ?? .string(text)))
    }
    object = JSONObject(members)
  }

  /// The `variables` of a request; nil if there are none.
  package var json: JSONValue? { object.isEmpty ? nil : .object(object) }
}
