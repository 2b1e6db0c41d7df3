/// What a server says before a document: what the rules look at.
package struct ResponseHead: Equatable, Sendable {
  package var status: Int
  package var contentType: String?
  /// Bytes, where the server says so.
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

  /// Why the body is no document; nil where it may be one.
  var refusal: String? {
    guard let contentType else { return "it does not say that it is application/json" }
    guard Self.isJSON(contentType) else {
      return "it is \(Self.type(contentType)), and a document is application/json"
    }
    if let contentEncoding, contentEncoding.lowercased() != "identity" {
      return "it is packed (\(contentEncoding)), which was not asked for"
    }
    if let contentLength, contentLength > DocumentLimits.bytes {
      return "it has \(contentLength) bytes, at most \(DocumentLimits.bytes) are allowed"
    }
    return nil
  }

  /// An entity tag that may be sent back: `"..."` or `W/"..."`, printable, not too long.
  var usableTag: String? {
    guard let entityTag, entityTag.utf8.count <= 256 else { return nil }
    let opaque = entityTag.hasPrefix("W/") ? entityTag.dropFirst(2) : entityTag[...]
    guard opaque.utf8.count >= 2, opaque.hasPrefix("\""), opaque.hasSuffix("\""),
      opaque.dropFirst().dropLast().utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 })
    else { return nil }
    return entityTag
  }

  /// application/json, or one of those that say they are it (application/vnd.lottie+json).
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
