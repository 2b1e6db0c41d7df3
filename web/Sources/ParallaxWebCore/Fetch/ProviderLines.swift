// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The daemon's request: `{"class":"FETCH","base":"https://example.org/a","id":"nudge"}`.
package struct FetchRequest: Hashable, Sendable {
  package let base: WebAddress
  package let id: DocumentID

  /// The maximum length of a line, in bytes.
  package static let lineLimit = 4 << 10

  package init(base: WebAddress, id: DocumentID) {
    self.base = base
    self.id = id
  }

  private struct Line: Decodable {
    let `class`: String
    let base: String?
    let id: String?
  }

  /// Parses a line.
  /// - Throws: the ERROR to answer.
  package init(line: [UInt8]) throws(FetchError) {
    guard let line = try? JSONDecoder().decode(Line.self, from: Data(line)) else {
      throw FetchError(
        id: nil, #"expected one JSON object per line: {"class":"FETCH","base":"...","id":"..."}"#)
    }
    guard line.class == "FETCH" else {
      throw FetchError(id: line.id, "unknown class; the provider supports only FETCH")
    }
    guard let text = line.id, let id = DocumentID(text) else {
      throw FetchError(
        id: line.id,
        "an id must be 1 to \(DocumentID.lengthLimit) letters, digits, \".\", \"_\" or \"-\"")
    }
    do throws(WebAddress.InvalidAddressError) {
      base = try WebAddress(line.base ?? "")
      // Rejects an invalid address before the cache is used.
      _ = try base.document(id)
    } catch {
      throw FetchError(id: text, error.description)
    }
    self.id = id
  }
}

/// The reason why there is no document, as one line of text.
package struct FetchError: Error, Equatable, Sendable {
  /// The requested id, valid or not; nil if the request has none.
  package let id: String?
  package let message: String
  /// Whether the server has no such document; false if it could not be fetched.
  package let isMissing: Bool

  package init(id: String?, _ message: String, isMissing: Bool = false) {
    self.id = id
    self.message = message
    self.isMissing = isMissing
  }
}

/// The provider's answer.
package enum FetchAnswer: Equatable, Sendable {
  case document(DocumentID, text: [UInt8], origin: Origin, note: String?)
  case error(FetchError)

  package enum Origin: String, Sendable {
    /// From the server.
    case network
    /// The cached copy, which the server has confirmed as current.
    case cache
    /// The cached copy, because fetching failed.
    case stale
  }

  /// The answer's line, followed by the document's bytes.
  package var bytes: [UInt8] {
    var line: String
    switch self {
    case .document(let id, let text, let origin, let note):
      line = #"{"class":"DOCUMENT","id":"\#(id)","bytes":\#(text.count),"origin":"\#(origin)""#
      if let note { line += #","note":\#(Self.quoted(note, limit: Self.messageLimit))"# }
      return Array("\(line)}\n".utf8) + text
    case .error(let error):
      line = #"{"class":"ERROR""#
      if let id = error.id {
        line += #","id":\#(Self.quoted(id, limit: DocumentID.lengthLimit))"#
      }
      line += #","message":\#(Self.quoted(error.message, limit: Self.messageLimit))"#
      if error.isMissing { line += #","missing":true"# }
      return Array("\(line)}\n".utf8)
    }
  }

  /// The maximum length of a message, in characters.
  private static let messageLimit = 1000

  /// Returns text as a JSON string on one line, shortened to `limit` characters.
  private static func quoted(_ text: String, limit: Int) -> String {
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in text.unicodeScalars.prefix(limit) {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}
