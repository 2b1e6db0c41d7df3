// SPDX-License-Identifier: Apache-2.0

package import ParallaxJSON
import ParallaxMotion
import ParallaxText

/// PLAY as the daemon reads it.
package struct ParsedPlayRequest: Sendable {
  package enum Subject: Sendable {
    /// A document to look up.
    case id(String)
    /// The document itself, and the id that the request gives it.
    case document(JSONValue, id: String?)
    /// The document, read.
    case prepared(Result<PreparedDocument, PlayError>)
  }

  package private(set) var subject: Subject
  package let layer: String?
  package let isDetached: Bool

  /// Reads a PLAY.
  init(_ request: JSONNode) throws(JSONShapeError) {
    let id = try request.member("id")?.string()
    if let document = try request.member("document") {
      subject = .document(document.value, id: id)
    } else if let id {
      subject = .id(id)
    } else {
      throw request.error("\"id\" or \"document\" is missing")
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
  }

  /// Reads the document in the request, if there is one. Takes long for a large one.
  func preparingDocument() -> ParsedPlayRequest {
    guard case .document(let value, let id) = subject else { return self }
    var request = self
    request.subject = .prepared(
      Result { () throws(PlayError) in try PreparedDocument(value, id: id, driver: layer) })
    return request
  }
}

extension JSONLimits {
  /// The limits of a PLAY: those of a document, one level down.
  static let play = JSONLimits(
    bytes: document.bytes, depth: document.depth + 1, values: document.values)
}
