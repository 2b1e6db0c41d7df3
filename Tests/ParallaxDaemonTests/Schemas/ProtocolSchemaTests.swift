// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxProtocol
import ParallaxTestSupport
import Testing

/// docs/schemas, except for that of documents, is generated from the messages: after a change,
/// `PARALLAX_RECORD=1 swift test --filter ProtocolSchema` writes it again.
@Suite("docs/schemas")
struct ProtocolSchemaTests {
  struct File: CustomTestStringConvertible {
    let name: String
    let title: String
    let description: String
    let role: SchemaRecorder.Role
    let types: [any ProtocolMessage.Type]
    /// Those whose schema is in `stream-messages`.
    var shared: [String] = []

    var testDescription: String { name }
    var path: String { TestEnvironment.packageRoot + "/docs/schemas/\(name).json" }
  }

  private static let answered =
    "Fields that are not listed are allowed: clients ignore them. `examples` of a word lists "
    + "those of this release; there may be more."

  static let files = [
    File(
      name: "stream-messages", title: "Lines that parallaxd sends on the stream socket",
      description: "docs/protocol.md, \"Stream: messages\". \(answered)", role: .answer,
      types: StreamMessage.classes.map { $0.type } + [PollRequest.self]),
    File(
      name: "stream-requests", title: "Requests on the stream socket",
      description:
        "docs/protocol.md, \"Stream: requests\". Fields that are not listed are allowed: the "
        + "daemon ignores them, and names them in its answer.",
      role: .request, types: StreamRequest.classes.map { $0.type }),
    File(
      name: "control-answers", title: "Lines that parallaxd sends on the control socket",
      description: "docs/protocol.md, \"Control: answers\". \(answered)", role: .answer,
      types: ControlAnswer.classes.map { $0.type },
      shared: ["DEVICE", "GATE", "ANIMATION", "ERROR"]),
    File(
      name: "control-requests", title: "Requests on the control socket",
      description:
        "docs/protocol.md, \"Control: requests\". Fields that are not listed are allowed: the "
        + "daemon ignores them.",
      role: .request, types: ControlRequest.classes.map { $0.type }),
  ]

  @Test(arguments: files) func fileIsThatOfTheMessages(_ file: File) throws {
    let generated = Self.schema(file).pretty() + "\n"
    if environmentVariable("PARALLAX_RECORD") != nil {
      let output = try #require(fopen(file.path, "w"))
      fputs(generated, output)
      fclose(output)
    }
    #expect(try text(ofFile: file.path) == generated)
  }

  private static func schema(_ file: File) -> JSONValue {
    var references: [JSONValue] = []
    var definitions: JSONObject = [:]
    for type in file.types {
      let name = type.className
      let isShared = file.shared.contains(name)
      references.append([
        "$ref": .string((isShared ? "stream-messages.json" : "") + "#/$defs/\(name)")
      ])
      if !isShared { definitions = definitions.adding(name, line(type, file.role)) }
    }
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(file.title),
      "description": .string(
        file.description
          + " Generated: PARALLAX_RECORD=1 swift test --filter ProtocolSchema."),
      "oneOf": .array(references), "$defs": .object(definitions),
    ]
  }

  private static func line(
    _ type: any ProtocolMessage.Type, _ role: SchemaRecorder.Role
  ) -> JSONValue {
    func recorded<Message: ProtocolMessage>(_ type: Message.Type) -> JSONValue {
      SchemaRecorder.line(type, role)
    }
    return recorded(type)
  }
}

extension JSONValue {
  /// The value on lines of at most 120 columns, as far as its texts allow.
  fileprivate func pretty(indentation: Int = 0, column: Int = 0) -> String {
    let compact = compact
    if column + compact.count <= 118 { return compact }
    let indent = String(repeating: " ", count: indentation + 2)
    let end = "\n" + String(repeating: " ", count: indentation)
    switch self {
    case .array(let elements):
      return "[\n"
        + elements.map {
          indent + $0.pretty(indentation: indentation + 2, column: indentation + 2)
        }.joined(separator: ",\n") + end + "]"
    case .object(let object):
      return "{\n"
        + object.members.map { member in
          let key = indent + JSONValue.string(member.key).text + ": "
          return key + member.value.pretty(indentation: indentation + 2, column: key.count)
        }.joined(separator: ",\n") + end + "}"
    default: return compact
    }
  }

  private var compact: String {
    switch self {
    case .array(let elements): "[" + elements.map(\.compact).joined(separator: ", ") + "]"
    case .object(let object):
      "{"
        + object.members.map { JSONValue.string($0.key).text + ": " + $0.value.compact }
        .joined(separator: ", ") + "}"
    default: text
    }
  }
}
