// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxMotion

/// PLAY: starts an animation.
///
///     {"class":"PLAY","id":"nudge","layer":"card","detached":true}
///     {"class":"PLAY","id":"nudge","document":{"parallax":1,"animation":{"delay":1}}}
///     {"class":"PLAY","id":"shake","variables":{"strength":8}}
///     {"class":"PLAY","text":"{\n \"parallax\": 1, ...","file":"examples/nudge.json"}
package struct PlayRequest: Equatable, Sendable {
  package enum Subject: Equatable, Sendable {
    /// `id`: a document in the daemon's folder or on its server.
    case id(String)
    /// `document`: the document itself. `id` overrides the document's id in ANIMATION lines; nil keeps it.
    case document(JSONValue, id: String?)
    /// `text` and `file`: the text of a document, and the name of its file. Errors have the line and column
    /// of the text; the file's name is the id of a document that has none.
    case text(String, file: String? = nil, id: String? = nil)
    /// `chain`: several of the above, in one animation.
    indirect case chain([PlayRequest], ChainRequest)
  }

  package var subject: Subject
  package var layer: String?
  package var isDetached: Bool
  package var name: String?
  package var isPaused: Bool
  package var pausesAtEnd: Bool

  package var variables: JSONValue?

  package init(
    _ subject: Subject, layer: String? = nil, isDetached: Bool = false, name: String? = nil,
    isPaused: Bool = false, pausesAtEnd: Bool = false, variables: JSONValue? = nil
  ) {
    self.subject = subject
    self.variables = variables
    self.layer = layer
    self.isDetached = isDetached
    self.name = name
    self.isPaused = isPaused
    self.pausesAtEnd = pausesAtEnd
  }

  /// The maximum length of a PLAY or an ANIMATE, in bytes; other requests have 64 KiB. A document of
  /// 1 MiB fits even if each of its bytes is escaped in `text`.
  package static let lineLimit = 2_306_868
}

extension PlayRequest: ProtocolMessage {
  package static let className = "PLAY"
  package static let description =
    "Starts an animation, by `id` or as `document` or `text`, or a `chain` of several."
  package static let blank = PlayRequest(.id(""))
  package static let rules: JSONObject = [
    "oneOf": [
      ["required": ["chain"]],
      [
        "not": ["required": ["chain"]],
        "anyOf": DocumentFields.oneIsRequired,
      ],
    ],
    "not": DocumentFields.bothAreGiven,
  ]

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    var source = DocumentFields(subject)
    var (parts, chain) = subject.chain
    try fields.optional(
      "id", &source.id, .id,
      "The id of a document in the configured folder or on the server, or the one under which "
        + "`document` or `text` plays."
    )
    try fields.optional(
      "chain", &parts, .parts, "The parts: they play one after the other, or together.")
    if parts != nil, source.id != nil {
      try fields.fail(at: "chain", "use \"as\" for the id of a chain, not \"id\"")
    }
    if fields.applies(parts != nil) { try chain.visit(&fields) }
    try fields.layer(&layer, "The layer to move. Default: the document's, or else all layers.")
    try fields.optional(
      "as", &name, .id,
      "The id of the animation for ANIMATE and STOP. Default: the document's; of a chain, `chain`.")
    try fields.flag(
      "detached", &isDetached,
      "true: the animation survives this connection, which gets none of its ANIMATION lines. "
        + "Default false."
    )
    try fields.flag("paused", &isPaused, "true: it waits at its start for ANIMATE. Default false.")
    try fields.flag(
      "pauses_at_end", &pausesAtEnd, "true: it pauses at an end instead of ending. Default false.")
    try fields.variables(&variables)
    if fields.applies(parts == nil) {
      try source.visit(&fields, .document, "The document itself; animation.json describes it.")
    }
    if let parts {
      subject = .chain(parts, chain)
    } else {
      try source.failIfNoneIsGiven(&fields)
      subject = source.subject
    }
  }
}

extension PlayRequest.Subject {
  fileprivate var chain: ([PlayRequest]?, ChainRequest) {
    if case .chain(let parts, let chain) = self { (parts, chain) } else { (nil, ChainRequest()) }
  }
}

extension FieldVisitor where Self: ~Copyable {
  fileprivate mutating func flag(
    _ key: String, _ value: inout Bool, _ description: String
  ) throws(JSONShapeError) {
    try optional(key, &value, default: false, .flag, description)
  }

  fileprivate mutating func layer(
    _ name: inout String?, _ description: String
  ) throws(JSONShapeError) {
    try optional("layer", &name, .layer, description)
  }

  fileprivate mutating func variables(_ values: inout JSONValue?) throws(JSONShapeError) {
    try optional(
      "variables", &values, .variables,
      "Values of the document's variables, or of a Lottie file's slots.")
  }
}

extension FieldFormat<String> {
  /// The name of a layer.
  fileprivate static let layer = FieldFormat(
    .rules(["type": "string", "pattern": .string(LayerSet.namePattern)]),
    read: { (node, _) throws(JSONShapeError) in
      let name = try node.string()
      do throws(SettingError) {
        return try Layer(name: name, depth: 0).name
      } catch {
        throw node.error(error.message)
      }
    },
    write: { $1.append(jsonString: $0) })
}

// MARK: - Parts of a chain

/// A part of a chain that is an object.
private struct PartFields: FieldGroup {
  static let blank = PartFields(part: .blank)
  static let rules: JSONObject = [
    "anyOf": DocumentFields.oneIsRequired, "not": DocumentFields.bothAreGiven,
  ]

  var part: PlayRequest

  mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    var source = DocumentFields(part.subject)
    for key in ["chain", "as", "paused", "pauses_at_end", "detached"] {
      try fields.refuse(key, "not allowed in a part of a chain")
    }
    try source.visit(&fields, .document, "The document itself.")
    try fields.optional("id", &source.id, .id, "The id of the document.")
    try fields.layer(&part.layer, "The layer to move.")
    try fields.variables(&part.variables)
    try source.failIfNoneIsGiven(&fields)
    part.subject = source.subject
  }
}

extension FieldFormat<PlayRequest> {
  /// A part of a chain: its id, or an object with a document or a layer.
  static let part = FieldFormat(
    .alternatives([FieldFormat<String>.id.schema(), .group(PartFields.self)]),
    read: { (node, isStrict) throws(JSONShapeError) in
      if case .string(let id) = node.value { return PlayRequest(.id(id)) }
      let fields: PartFields = try FieldReader.read(node, isStrict: isStrict)
      return fields.part
    },
    write: { part, buffer in
      if case .id(let id) = part.subject, part.layer == nil, part.variables == nil {
        buffer.append(jsonString: id)
      } else {
        buffer.append(group: PartFields(part: part))
      }
    })
}

extension FieldFormat<[PlayRequest]> {
  /// The parts of a chain.
  fileprivate static let parts = FieldFormat(
    .list(
      of: FieldFormat<PlayRequest>.part.schema(),
      rules: [
        "minItems": 1, "maxItems": .integer(Int64(ChainRequest.maxParts)),
      ]),
    read: { (node, isStrict) throws(JSONShapeError) in
      let count = try node.elements().count
      guard (1...ChainRequest.maxParts).contains(count) else {
        throw node.error("expected 1 to \(ChainRequest.maxParts) parts, got \(count)")
      }
      return try list(of: .part).read(node, isStrict)
    },
    write: { list(of: .part).write($0, &$1) })
}
