// SPDX-License-Identifier: Apache-2.0

/// The file format of a cached document: header lines, a blank line and the document.
///
///     parallax document 1
///     base https://example.org/a
///     id nudge
///     etag "5d-62a1"
///     bytes 61
///     sum 9f0c3a5e11d2b487
///
///     {"parallax": 1, ...
///
/// The file's modification time is the time of the last check.
package enum CacheFile {
  private static let title = "parallax document 1"

  /// The maximum size in bytes: the document and the header lines.
  static let lengthLimit = DocumentLimits.bytes + (8 << 10)
  static let suffix = ".document"

  /// The file's name: the id, and a fingerprint of base URL and id.
  package static func name(_ request: FetchRequest) -> String {
    "\(request.id)-\(Fingerprint("\(request.base)\n\(request.id)".utf8))\(suffix)"
  }

  package static func bytes(_ document: CachedDocument, _ request: FetchRequest) -> [UInt8] {
    var lines = [title, "base \(request.base)", "id \(request.id)"]
    if let tag = document.entityTag { lines.append("etag \(tag)") }
    lines += ["bytes \(document.text.count)", "sum \(Fingerprint(document.text))", "", ""]
    return Array(lines.joined(separator: "\n").utf8) + document.text
  }

  /// - Returns: nil if the file is truncated or damaged, or has another document.
  package static func read(
    _ bytes: [UInt8], _ request: FetchRequest, checkedSeconds: Int64
  ) -> CachedDocument? {
    guard let end = endOfLines(bytes) else { return nil }
    let text = Array(bytes[(end + 2)...])
    var expected: [Substring] = ["\(title)", "base \(request.base)", "id \(request.id)"]
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n")
    let tag = lines.dropFirst(3).first.flatMap { line -> String? in
      line.hasPrefix("etag ") ? String(line.dropFirst(5)) : nil
    }
    if let tag { expected.append("etag \(tag)") }
    expected += ["bytes \(text.count)", "sum \(Fingerprint(text))"]
    guard lines == expected else { return nil }
    return try? CachedDocument(text: text, entityTag: tag, checkedSeconds: checkedSeconds)
  }

  /// Returns the index of the line feed before the first blank line.
  private static func endOfLines(_ bytes: [UInt8]) -> Int? {
    let feed = UInt8(ascii: "\n")
    return bytes.indices.dropLast().first { bytes[$0] == feed && bytes[$0 + 1] == feed }
  }
}
