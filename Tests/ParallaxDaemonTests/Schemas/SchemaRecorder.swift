// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxGates
import ParallaxProtocol

/// Records the fields of a message as JSON Schema.
struct SchemaRecorder: FieldVisitor {
  enum Role {
    case request
    case answer
  }

  let isStrict = false
  private let role: Role
  private var properties: JSONObject = [:]
  private var required: [String] = []
  /// Fields that are present together: the first, and the others.
  private var groups: JSONObject = [:]
  /// The fields that a word requires.
  private var conditions: [JSONValue] = []
  private var word: (key: String, value: String)?

  private init(_ role: Role) {
    self.role = role
  }

  // MARK: - Schemas

  /// Returns the schema of a line.
  static func line<Message: ProtocolMessage>(_ type: Message.Type, _ role: Role) -> JSONValue {
    var recorder = SchemaRecorder(role)
    var kind: String?
    recorder.field(
      "class", &kind, constant(Message.className), .required, "The type of the line.")
    if let presence = Message.tagPresence {
      var tag: RequestTag?
      let isAnswer = role == .answer
      recorder.field(
        "tag", &tag, .tag, presence,
        (isAnswer
          ? "The tag of the request, if it had one" : "Comes back in the answers to this request")
          + ": a string of at most 64 bytes, or any number.")
    }
    return recorder.object(of: type, description: Message.description)
  }

  private static func constant(_ text: String) -> FieldFormat<String> {
    .text(.rules(["const": .string(text)]))
  }

  private mutating func object<Group: FieldGroup>(
    of type: Group.Type, description: String?
  ) -> JSONValue {
    var group = Group.blank
    try? group.visit(&self)
    var schema: JSONObject = [:]
    if let description { schema = ["description": .string(description)] }
    schema = schema.adding("type", "object")
    if !required.isEmpty { schema = schema.adding("required", Self.list(required)) }
    schema = JSONObject(schema.members + Group.rules.members)
    if !groups.isEmpty { schema = schema.adding("dependentRequired", .object(groups)) }
    schema = schema.adding("properties", .object(properties))
    if !conditions.isEmpty { schema = schema.adding("allOf", .array(conditions)) }
    return .object(schema)
  }

  private static func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  private func json(_ schema: FieldSchema) -> JSONObject {
    switch schema {
    case .rules(let rules): return rules
    case .list(let element, let rules):
      return JSONObject(
        (["type": "array"] as JSONObject).members + rules.members
          + [.init(key: "items", value: .object(json(element)))])
    case .map(let element, let names, let description, let rules):
      let element = json(element).adding("description", .string(description))
      let names = json(names).members.filter { $0.key != "type" }
      var all = rules
      if !names.isEmpty { all = all.adding("propertyNames", .object(JSONObject(names))) }
      return all.adding("additionalProperties", .object(element))
    case .group(let type):
      guard case .object(let object) = group(type) else { return [:] }
      return object
    case .words(let words):
      return role == .request
        ? ["enum": Self.list(words)] : ["type": "string", "examples": Self.list(words)]
    case .vocabulary(.settings): return json(.words(SetChange.keys.map(\.name).sorted()))
    case .vocabulary(.gateReasons): return json(.words(GateReason.allCases.map(\.rawValue)))
    case .alternatives(let all): return ["oneOf": .array(all.map { .object(json($0)) })]
    case .either(let request, let answer): return json(role == .request ? request : answer)
    }
  }

  private func group<Group: FieldGroup>(_ type: Group.Type) -> JSONValue {
    var recorder = SchemaRecorder(role)
    return recorder.object(of: type, description: nil)
  }

  // MARK: - Fields

  mutating func field<Value>(
    _ key: String, _ value: inout Value?, _ format: FieldFormat<Value>, _ presence: FieldPresence,
    _ description: String
  ) {
    if presence == .answerOnly, role == .request { return }
    let schema = json(format.schema()).adding("description", .string(description))
    properties = properties.adding(key, .object(schema))
    let isRequired =
      switch presence {
      case .required, .expected: true
      case .answered: role == .answer
      case .optional, .answerOnly: false
      }
    guard isRequired else { return }
    if let word {
      conditions.append([
        "if": ["properties": .object([word.key: ["const": .string(word.value)]])],
        "then": ["required": [.string(key)]],
      ])
    } else {
      required.append(key)
    }
  }

  mutating func group<Group: FieldGroup>(_ group: inout Group?, if key: String) {
    let own = required
    required = []
    var fields = Group.blank
    try? fields.visit(&self)
    groups = groups.adding(key, Self.list(required.filter { $0 != key }))
    required = own
  }

  mutating func applies(_ condition: Bool, when word: (key: String, value: String)?) -> Bool {
    self.word = word
    return true
  }

  func fail(at key: String?, _ message: @autoclosure () -> String) {}

  func refuse(_ key: String, _ message: String) {}
}
