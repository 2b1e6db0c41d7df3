import ParallaxJSON

/// A document as the provider gives it: bytes that it has found to be one JSON object. What they mean
/// is their reader's business.
package struct ProvidedDocument: Equatable, Sendable {
  package enum Origin: String, CaseIterable, Sendable {
    /// From the server, just now.
    case network
    /// The kept copy, which the server says is still the newest.
    case cache
    /// The kept copy, since the server could not be had.
    case stale
  }

  package var text: [UInt8]
  package var origin: Origin
  /// What a person should know: why the copy is not the newest.
  package var note: String?

  package init(text: [UInt8], origin: Origin, note: String? = nil) {
    self.text = text
    self.origin = origin
    self.note = note
  }
}

/// Why the provider gives no document: one line for a person, as `no such animation: nudge`.
package struct ProviderTrouble: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String
  /// Whether the server has no such document, rather than that it cannot be had.
  package let isMissing: Bool

  package init(_ description: String, isMissing: Bool = false) {
    self.description = description
    self.isMissing = isMissing
  }
}

/// What the provider answers to one request, put together from the pieces in which it comes: a line,
/// and behind the line of a document its bytes.
///
///     {"class":"DOCUMENT","id":"nudge","bytes":61,"origin":"network"}
///     {"parallax": 1, ...
///
/// Whatever comes, it takes no more memory than a document may.
package struct ProviderAnswer {
  /// Bytes of the largest document (contract, "Values").
  package static let documentLimit = 1 << 20
  private static let lineLimits = JSONLimits(bytes: 8 << 10, depth: 4, values: 64)

  private let id: String
  private var line: [UInt8] = []
  private var document: ProvidedDocument?
  private var missingBytes = 0

  /// - Parameter id: the document that was asked for.
  package init(id: String) {
    self.id = id
  }

  /// Takes what came.
  /// - Returns: true when the document is whole; nothing is looked at behind it.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) throws(ProviderTrouble) -> Bool {
    var rest = bytes[...]
    if document == nil {
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      line.append(contentsOf: rest[..<(end ?? rest.endIndex)])
      guard line.count <= Self.lineLimits.bytes else {
        throw ProviderTrouble("the provider's answer is no line of JSON; is it parallax-provider?")
      }
      guard let end else { return false }
      rest = rest[(end + 1)...]
      try readLine()
    }
    let taken = min(rest.count, missingBytes)
    document?.text.append(contentsOf: rest.prefix(taken))
    missingBytes -= taken
    return missingBytes == 0
  }

  /// The document, as far as it has come.
  package func whole() -> ProvidedDocument? {
    missingBytes == 0 ? document : nil
  }

  private mutating func readLine() throws(ProviderTrouble) {
    let trouble: ProviderTrouble?
    do {
      let node = JSONNode(
        try line.withUnsafeBytes { bytes throws(JSONSyntaxError) in
          try JSONValue.parse(bytes, limits: Self.lineLimits)
        })
      switch try node.required("class").string() {
      case "ERROR":
        trouble = ProviderTrouble(
          try node.required("message").string(),
          isMissing: try node.member("missing")?.bool() ?? false)
      case "DOCUMENT":
        trouble = try readDocument(node).map { ProviderTrouble($0) }
      case let other:
        trouble = ProviderTrouble(
          "the provider answers with \(other); is it of this release?")
      }
    } catch {
      throw ProviderTrouble("the provider's answer cannot be read: \(error)")
    }
    if let trouble { throw trouble }
  }

  /// - Returns: what is wrong with it, nil for nothing.
  private mutating func readDocument(_ node: JSONNode) throws(JSONShapeError) -> String? {
    let answered = try node.required("id").string()
    guard answered == id else {
      return "the provider answers with another document than \(id)"
    }
    missingBytes = Int(
      try node.required("bytes").integer(in: 1...Int64(Self.documentLimit)))
    var document = ProvidedDocument(
      text: [], origin: try node.required("origin").choice(),
      note: try node.member("note")?.string())
    document.text.reserveCapacity(missingBytes)
    self.document = document
    return nil
  }
}
