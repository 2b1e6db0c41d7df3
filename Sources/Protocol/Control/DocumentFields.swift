// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The fields of a document in a request: `id`, `document`, `text` and `file`.
struct DocumentFields {
  var id: String?
  var document: JSONValue?
  var text: String?
  var file: String?

  init(_ subject: PlayRequest.Subject? = nil) {
    switch subject {
    case .id(let id)?: self.id = id
    case .document(let document, let id)?: (self.document, self.id) = (document, id)
    case .text(let text, let file, let id)?: (self.text, self.file, self.id) = (text, file, id)
    case .chain?, nil: break
    }
  }

  var subject: PlayRequest.Subject {
    if let text { return .text(text, file: file, id: id) }
    if let document { return .document(document, id: id) }
    return .id(id ?? "")
  }

  /// Visits `document`, `text` and `file`.
  mutating func visit(
    _ fields: inout some Fields, _ format: FieldFormat<JSONValue>, _ description: String
  ) throws(JSONShapeError) {
    try fields.optional("document", &document, format, description)
    try fields.optional(
      "text", &text, .documentText, "The text of the document, instead of `document`.")
    try fields.optional(
      "file", &file, .text,
      "The name of the file with `text`: for messages, and the id of a document that has none.")
    if document != nil, text != nil {
      try fields.fail(at: "document", "use \"document\" or \"text\", not both")
    }
  }

  func failIfNoneIsGiven(_ fields: inout some Fields) throws(JSONShapeError) {
    guard id == nil, document == nil, text == nil else { return }
    try fields.fail(at: nil, "\"id\", \"document\", \"text\" or \"chain\" is missing")
  }

  // MARK: - Schema

  static let oneIsRequired: JSONValue = [
    ["required": ["id"]], ["required": ["document"]], ["required": ["text"]],
  ]
  static let bothAreGiven: JSONValue = ["required": ["document", "text"]]
}

extension FieldFormat<String> {
  /// The text of a document: JSON in a string.
  fileprivate static let documentText = text(rules: ["maxLength": 1_048_576])
}
