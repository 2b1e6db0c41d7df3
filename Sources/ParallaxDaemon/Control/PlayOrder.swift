package import ParallaxJSON
import ParallaxMotion

/// PLAY as the daemon reads it.
package struct PlayOrder {
  package enum Subject {
    /// A document to be found.
    case id(String)
    /// The document itself, and what the request calls it.
    case document(JSONValue, id: String?)
  }

  package let subject: Subject
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
}

extension JSONLimits {
  /// A PLAY: a document that may be as deep as any is, one level down.
  static let play = JSONLimits(
    bytes: document.bytes, depth: document.depth + 1, values: document.values)
}
