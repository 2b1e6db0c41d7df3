// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// A document from the provider: bytes that are known to be one JSON object, but are not interpreted.
package struct ProvidedDocument: Equatable, Sendable {
  package enum Origin: String, CaseIterable, Sendable {
    /// From the server.
    case network
    /// From the cache; the server confirmed that it is current.
    case cache
    /// From the cache, because the server was unavailable.
    case stale
  }

  package var text: [UInt8]
  package var origin: Origin
  /// A remark for the user: why the copy may be outdated.
  package var note: String?

  package init(text: [UInt8], origin: Origin, note: String? = nil) {
    self.text = text
    self.origin = origin
    self.note = note
  }
}

/// Why the provider returned no document, as one line: `no such animation: nudge`.
package struct ProviderError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String
  /// Whether the server does not have the document, rather than being unavailable.
  package let isMissing: Bool

  package init(_ description: String, isMissing: Bool = false) {
    self.description = description
    self.isMissing = isMissing
  }
}

/// The provider's answer to one request, assembled from the blocks that arrive: a line, followed by the
/// bytes of the document.
///
///     {"class":"DOCUMENT","id":"nudge","bytes":61,"origin":"network"}
///     {"parallax": 1, ...
///
/// Its memory is limited to the size of the largest document.
package struct ProviderAnswer {
  /// Bytes of the largest document.
  package static let documentLimit = 1 << 20
  private static let lineLimits = JSONLimits(bytes: 8 << 10, depth: 4, values: 64)

  private let id: String
  private var line: [UInt8] = []
  private var document: ProvidedDocument?
  private var missingBytes = 0

  /// - Parameter id: The id of the requested document.
  package init(id: String) {
    self.id = id
  }

  /// Adds received bytes.
  ///
  /// - Returns: Whether the document is complete. Bytes after it are ignored.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) throws(ProviderError) -> Bool {
    var rest = bytes[...]
    if document == nil {
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      line.append(contentsOf: rest[..<(end ?? rest.endIndex)])
      guard line.count <= Self.lineLimits.bytes else {
        throw ProviderError("the provider's answer is not a line of JSON; is it parallax-provider?")
      }
      guard let end else { return false }
      rest = rest[(end + 1)...]
      try readLine()
    }
    let count = min(rest.count, missingBytes)
    document?.text.append(contentsOf: rest.prefix(count))
    missingBytes -= count
    return missingBytes == 0
  }

  /// Returns the document; nil until it is complete.
  package func whole() -> ProvidedDocument? {
    missingBytes == 0 ? document : nil
  }

  private mutating func readLine() throws(ProviderError) {
    let failure: ProviderError?
    do {
      let node = JSONNode(
        try line.withUnsafeBytes { bytes throws(JSONSyntaxError) in
          try JSONValue.parse(bytes, limits: Self.lineLimits)
        })
      switch try node.required("class").string() {
      case "ERROR":
        let message = try node.required("message").string()
        failure = ProviderError(
          message.isEmpty ? "the provider gives no reason" : PrintableText.line(message),
          isMissing: try node.member("missing")?.bool() ?? false)
      case "DOCUMENT":
        failure = try readDocument(node).map { ProviderError($0) }
      case let other:
        failure = ProviderError(
          "the provider answered with \(PrintableText.line(other)); is it the same release?")
      }
    } catch {
      throw ProviderError("the provider's answer cannot be read: \(error)")
    }
    if let failure { throw failure }
  }

  /// Reads the line of a document. Returns what is wrong with it; nil if nothing is.
  private mutating func readDocument(_ node: JSONNode) throws(JSONShapeError) -> String? {
    let answered = try node.required("id").string()
    guard answered == id else {
      return "the provider answered with a document other than \(id)"
    }
    missingBytes = Int(
      try node.required("bytes").integer(in: 1...Int64(Self.documentLimit)))
    let note = try node.member("note")?.string() ?? ""
    var document = ProvidedDocument(
      text: [], origin: try node.required("origin").choice(),
      note: note.isEmpty ? nil : PrintableText.line(note))
    document.text.reserveCapacity(missingBytes)
    self.document = document
    return nil
  }
}
