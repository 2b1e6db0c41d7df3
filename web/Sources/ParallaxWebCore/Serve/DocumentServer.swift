// SPDX-License-Identifier: Apache-2.0

/// Answers HTTP requests, without a network: GET and HEAD of /ID.json.
package struct DocumentServer: Sendable {
  private let folder: DocumentFolder

  package init(_ folder: DocumentFolder) {
    self.folder = folder
  }

  /// An answer. Each has a length and a type, and requires revalidation.
  package struct Reply: Equatable, Sendable {
    package let status: Int
    /// Nil for a 304.
    package let contentType: String?
    package let entityTag: String?
    /// The allowed methods, for a 405.
    package let allow: String?
    /// The body for GET.
    package let body: [UInt8]
    /// Whether to send the body's length without the body (HEAD).
    package let isHeadOnly: Bool
  }

  /// - Parameter target: the path of the request, not decoded.
  package func reply(method: String, target: String, ifNoneMatch: String?) -> Reply {
    let isHead = method == "HEAD"
    guard isHead || method == "GET" else {
      return Self.text(405, "only GET and HEAD are allowed", allow: "GET, HEAD", isHead: false)
    }
    let path = target.prefix { $0 != "?" && $0 != "#" }
    // Not decoded: no character of an id needs an escape in a URL.
    guard path.first == "/", path.hasSuffix(".json"),
      let id = DocumentID(path.dropFirst().dropLast(".json".count))
    else { return Self.text(404, "documents are at /ID.json", isHead: isHead) }
    switch folder.find(id) {
    case .notFound: return Self.text(404, "no such animation: \(id)", isHead: isHead)
    case .refused(let status, let reason): return Self.text(status, reason, isHead: isHead)
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
