// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxDocuments
import ParallaxMotion
package import ParallaxProtocol

/// PLAY as the daemon reads it.
package struct ParsedPlayRequest: Sendable {
  package enum Subject: Sendable {
    /// A document to look up.
    case id(String)
    /// The document itself, and the id that the request gives it.
    case document(JSONValue, id: String?)
    /// The text of the document, the name of its file, and the id that the request gives it.
    case text(String, file: String?, id: String?)
    /// The document, read.
    case prepared(Result<PreparedDocument, PlayError>)
    /// Several of the above.
    case chain([ParsedPlayRequest], ChainRequest)
  }

  package private(set) var subject: Subject
  package var layer: String?
  package let isDetached: Bool
  /// `variables`: the values of the document's variables.
  let variables: VariableValues
  /// The id in ANIMATION lines; nil: that of the document.
  let name: String?
  let isPaused: Bool
  let pausesAtEnd: Bool

  /// The document that an ANIMATE adds.
  ///
  /// - Parameter layer: The layer of a Lottie file to follow.
  init(addedBy request: JSONNode, layer: String?) throws(JSONShapeError) {
    if let subject = try Self.text(of: request, id: nil) {
      self.init(subject, layer: layer)
      return
    }
    let document = try request.required("document")
    if case .string(let id) = document.value {
      self.init(.id(id), layer: layer)
    } else {
      self.init(.document(document.value, id: nil), layer: layer)
    }
  }

  private init(_ subject: Subject, layer: String? = nil) {
    self.subject = subject
    self.layer = layer
    isDetached = true
    name = nil
    isPaused = false
    variables = .none
    pausesAtEnd = false
  }

  /// Reads a PLAY.
  init(_ request: JSONNode) throws(JSONShapeError) {
    let id = try request.member("id")?.string()
    if let chain = try request.member("chain") {
      if id != nil { throw chain.error("use \"as\" for the id of a chain, not \"id\"") }
      subject = .chain(try Self.parts(chain), try ChainRequest(request))
    } else if let text = try Self.text(of: request, id: id) {
      subject = text
    } else if let document = try request.member("document") {
      subject = .document(document.value, id: id)
    } else if let id {
      subject = .id(id)
    } else {
      throw request.error("\"id\", \"document\", \"text\" or \"chain\" is missing")
    }
    layer = try request.member("layer").map { node throws(JSONShapeError) in
      let name = try node.string()
      do throws(SettingError) {
        return try Layer(name: name, depth: 0).name
      } catch {
        throw node.error(error.message)
      }
    }
    isDetached = try request.member("detached")?.bool() ?? false
    if let node = try request.member("variables") {
      guard case .object(let object) = node.value else {
        throw node.error("expected an object, got \(node.value.kind)")
      }
      variables = VariableValues(object)
    } else {
      variables = .none
    }
    name = try request.member("as").map { node throws(JSONShapeError) in
      let text = try node.string()
      do throws(PlayError) {
        return try DocumentID(requested: text).text
      } catch {
        throw node.error(error.answer.message)
      }
    }
    isPaused = try request.member("paused")?.bool() ?? false
    pausesAtEnd = try request.member("pauses_at_end")?.bool() ?? false
  }

  /// A part of a chain: its id, or an object with an id or a document, and a layer.
  init(part node: JSONNode) throws(JSONShapeError) {
    if case .string(let id) = node.value {
      self.init(.id(id))
      return
    }
    for key in ["chain", "as", "paused", "pauses_at_end", "detached"] {
      if let member = try node.member(key) {
        throw member.error("not allowed in a part of a chain")
      }
    }
    try self.init(node)
  }

  /// The document that is in a request as `text`; nil if there is none.
  private static func text(
    of request: JSONNode, id: String?
  ) throws(JSONShapeError) -> Subject? {
    guard let text = try request.member("text") else { return nil }
    if let document = try request.member("document") {
      throw document.error("use \"document\" or \"text\", not both")
    }
    return .text(try text.string(), file: try request.member("file")?.string(), id: id)
  }

  private static func parts(_ chain: JSONNode) throws(JSONShapeError) -> [ParsedPlayRequest] {
    let nodes = try chain.elements()
    guard (1...LiveChain.maxParts).contains(nodes.count) else {
      throw chain.error("expected 1 to \(LiveChain.maxParts) parts, got \(nodes.count)")
    }
    return try nodes.map { node throws(JSONShapeError) in try ParsedPlayRequest(part: node) }
  }

  /// Whether it contains a document that has not been read.
  var hasDocument: Bool {
    switch subject {
    case .document, .text: true
    case .id, .prepared, .chain: false
    }
  }

  /// Reads the document in the request, if there is one. Takes long for a large one.
  func preparingDocument() -> ParsedPlayRequest {
    var request = self
    switch subject {
    case .document(let value, let id):
      request.subject = .prepared(
        Result { () throws(PlayError) in
          try PreparedDocument(value, id: id, driver: layer, variables: variables)
        })
    case .text(let text, let file, let id):
      request.subject = .prepared(
        Result { () throws(PlayError) in
          try PreparedDocument(text, file: file, id: id, driver: layer, variables: variables)
        })
    case .id, .prepared, .chain: break
    }
    return request
  }
}

extension JSONLimits {
  /// The limits of a PLAY or an ANIMATE: its length, and those of a document, one level down.
  static let play = JSONLimits(
    bytes: PlayRequest.lineLimit, depth: document.depth + 1, values: document.values)
}

extension ChainRequest {
  /// The most passes, and the most parts of `take`.
  private static let maxCount: Int64 = 1_000_000

  /// Reads the fields of a PLAY with a chain.
  fileprivate init(_ request: JSONNode) throws(JSONShapeError) {
    self.init()
    if let order: Order = try request.member("order")?.choice() { self.order = order }
    if let delay = try request.member("delay") {
      let seconds = try delay.number()
      guard (0...86_400).contains(seconds) else {
        throw delay.error("\(seconds) is out of range; use 0 to 86400 seconds")
      }
      delaySeconds = seconds
    }
    if let passes = try request.member("repeat") {
      if case .string("forever") = passes.value {
        self.passes = nil
      } else {
        self.passes = Int(try passes.integer(in: 1...Self.maxCount))
      }
    }
    take = try request.member("take").map { node throws(JSONShapeError) in
      Int(try node.integer(in: 1...Self.maxCount))
    }
  }
}
