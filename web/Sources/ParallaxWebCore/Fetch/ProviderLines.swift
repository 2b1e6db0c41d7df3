import FoundationEssentials

/// What the daemon asks: `{"class":"FETCH","base":"https://example.org/a","id":"nudge"}`.
package struct FetchRequest: Hashable, Sendable {
  package let base: WebAddress
  package let id: DocumentID

  /// Bytes of the longest line.
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

  /// Reads a line.
  /// - Throws: an ERROR to answer with.
  package init(line: [UInt8]) throws(FetchTrouble) {
    guard let line = try? JSONDecoder().decode(Line.self, from: Data(line)) else {
      throw FetchTrouble(
        id: nil, #"one JSON object a line is wanted: {"class":"FETCH","base":"...","id":"..."}"#)
    }
    guard line.class == "FETCH" else {
      throw FetchTrouble(id: line.id, "the provider knows FETCH alone")
    }
    guard let text = line.id, let id = DocumentID(text) else {
      throw FetchTrouble(
        id: line.id,
        "an id is 1 to \(DocumentID.lengthLimit) letters, digits, \".\", \"_\" and \"-\"")
    }
    do throws(WebAddress.Problem) {
      base = try WebAddress(line.base ?? "")
      // What cannot be asked for is refused before anything is looked up.
      _ = try base.document(id)
    } catch {
      throw FetchTrouble(id: text, error.description)
    }
    self.id = id
  }
}

/// Why there is no document: one line for a person.
package struct FetchTrouble: Error, Equatable, Sendable {
  /// As it was asked for, whatever it is; nil where nothing was.
  package let id: String?
  package let message: String
  /// Whether the server has no such document, rather than that it cannot be had.
  package let isMissing: Bool

  package init(id: String?, _ message: String, isMissing: Bool = false) {
    self.id = id
    self.message = message
    self.isMissing = isMissing
  }
}

/// What the provider answers.
package enum FetchAnswer: Equatable, Sendable {
  case document(DocumentID, text: [UInt8], origin: Origin, note: String?)
  case error(FetchTrouble)

  package enum Origin: String, Sendable {
    /// From the server, just now.
    case network
    /// The kept copy, which the server says is still the newest.
    case cache
    /// The kept copy, since the server could not be had.
    case stale
  }

  /// The line, and a document's bytes behind it.
  package var bytes: [UInt8] {
    var line: String
    switch self {
    case .document(let id, let text, let origin, let note):
      line = #"{"class":"DOCUMENT","id":"\#(id)","bytes":\#(text.count),"origin":"\#(origin)""#
      if let note { line += #","note":\#(Self.quoted(note, limit: Self.messageLimit))"# }
      return Array("\(line)}\n".utf8) + text
    case .error(let trouble):
      line = #"{"class":"ERROR""#
      if let id = trouble.id {
        line += #","id":\#(Self.quoted(id, limit: DocumentID.lengthLimit))"#
      }
      line += #","message":\#(Self.quoted(trouble.message, limit: Self.messageLimit))"#
      if trouble.isMissing { line += #","missing":true"# }
      return Array("\(line)}\n".utf8)
    }
  }

  /// Characters of the longest message.
  private static let messageLimit = 1000

  /// Text from elsewhere as a string of JSON: on one line and not too long.
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
