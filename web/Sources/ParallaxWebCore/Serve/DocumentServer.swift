/// What a request gets, without any network: GET and HEAD of /ID.json, and nothing else.
package struct DocumentServer: Sendable {
  private let folder: DocumentFolder

  package init(_ folder: DocumentFolder) {
    self.folder = folder
  }

  /// An answer. Every one has its length and its type; none may be kept without asking again.
  package struct Reply: Equatable, Sendable {
    package let status: Int
    /// nil: a 304 has none.
    package let contentType: String?
    package let entityTag: String?
    /// Methods that are allowed, where another was used.
    package let allow: String?
    /// What GET gets.
    package let body: [UInt8]
    /// Whether the body is left out, and only its length told (HEAD).
    package let isHeadOnly: Bool
  }

  /// - Parameter target: the request's path, as it came.
  package func reply(method: String, target: String, ifNoneMatch: String?) -> Reply {
    let isHead = method == "HEAD"
    guard isHead || method == "GET" else {
      return Self.text(405, "only GET and HEAD are answered", allow: "GET, HEAD", isHead: false)
    }
    let path = target.prefix { $0 != "?" && $0 != "#" }
    // Nothing is decoded: an id has no character that a URL would write otherwise.
    guard path.first == "/", path.hasSuffix(".json"),
      let id = DocumentID(path.dropFirst().dropLast(".json".count))
    else { return Self.text(404, "documents are at /ID.json", isHead: isHead) }
    switch folder.find(id) {
    case .nothing: return Self.text(404, "no such animation: \(id)", isHead: isHead)
    case .refused(let why): return Self.text(500, why, isHead: isHead)
    case .text(let text):
      let tag = EntityTag.of(text)
      if let ifNoneMatch, EntityTag.matches(tag, ifNoneMatch: ifNoneMatch) {
        return Reply(
          status: 304, contentType: nil, entityTag: tag, allow: nil, body: [], isHeadOnly: isHead)
      }
      return Reply(
        status: 200, contentType: "application/json", entityTag: tag, allow: nil, body: text,
        isHeadOnly: isHead)
    }
  }

  private static func text(
    _ status: Int, _ text: String, allow: String? = nil, isHead: Bool
  ) -> Reply {
    Reply(
      status: status, contentType: "text/plain; charset=utf-8", entityTag: nil, allow: allow,
      body: Array((text + "\n").utf8), isHeadOnly: isHead)
  }
}
