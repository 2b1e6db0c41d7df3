// SPDX-License-Identifier: Apache-2.0

/// The parts of a response's status line and header fields that `Fetch` uses.
package struct ResponseHead: Equatable, Sendable {
  package var status: Int
  package var contentType: String?
  /// In bytes.
  package var contentLength: Int?
  package var contentEncoding: String?
  package var entityTag: String?
  package var location: String?

  package init(
    status: Int, contentType: String? = nil, contentLength: Int? = nil,
    contentEncoding: String? = nil, entityTag: String? = nil, location: String? = nil
  ) {
    self.status = status
    self.contentType = contentType
    self.contentLength = contentLength
    self.contentEncoding = contentEncoding
    self.entityTag = entityTag
    self.location = location
  }

  /// The reason why the body is not a document; nil if it may be one.
  var errorMessage: String? {
    guard let contentType else { return "no content type; expected application/json" }
    guard Self.isJSON(contentType) else {
      return "the content type is \(Self.type(contentType)); expected application/json"
    }
    if let contentEncoding, contentEncoding.lowercased() != "identity" {
      return "unexpected content encoding '\(contentEncoding)'"
    }
    if let contentLength, contentLength > DocumentLimits.bytes {
      return "the document has \(contentLength) bytes; the limit is \(DocumentLimits.bytes)"
    }
    return nil
  }

  /// Whether the body is text that people can read, such as the reason of an error.
  var isPlainText: Bool { contentType.map(Self.type) == "text/plain" }

  /// The entity tag, if it can be sent back: `"..."` or `W/"..."`, printable, at most 256 bytes.
  var usableTag: String? {
    guard let entityTag, entityTag.utf8.count <= 256 else { return nil }
    let opaque = entityTag.hasPrefix("W/") ? entityTag.dropFirst(2) : entityTag[...]
    guard opaque.utf8.count >= 2, opaque.hasPrefix("\""), opaque.hasSuffix("\""),
      opaque.dropFirst().dropLast().utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 })
    else { return nil }
    return entityTag
  }

  /// Accepts application/json, text/json and types such as application/vnd.lottie+json.
  private static func isJSON(_ contentType: String) -> Bool {
    let type = type(contentType)
    return type == "application/json" || type == "text/json"
      || (type.hasSuffix("+json") && type.contains("/"))
  }

  private static func type(_ contentType: String) -> String {
    let type = contentType.prefix { $0 != ";" }.lowercased()
    return String(type.filter { !$0.isWhitespace }.prefix(80))
  }
}
