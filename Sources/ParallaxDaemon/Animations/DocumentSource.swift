package import ParallaxDocuments

/// Where animations come from by their id.
package protocol DocumentSource: AnyObject {
  /// - Parameter reply: called once, before this returns or later; on the loop's thread.
  func fetch(_ id: DocumentID, reply: @escaping (Result<FoundDocument, DocumentError>) -> Void)
}

/// A document's text, and what a person should know of where it came from.
package struct FoundDocument: Equatable, Sendable {
  package var text: [UInt8]
  package var note: String?

  package init(text: [UInt8], note: String? = nil) {
    self.text = text
    self.note = note
  }
}

/// The folder that the configuration names.
package final class ConfiguredDocuments: DocumentSource {
  package var directory: String?

  package init(directory: String? = nil) {
    self.directory = directory
  }

  package func fetch(
    _ id: DocumentID, reply: @escaping (Result<FoundDocument, DocumentError>) -> Void
  ) {
    guard let directory else {
      return reply(
        .failure(
          DocumentError(
            .noSuchAnimation, name: id.text,
            "no such animation: set animations.directory or animations.url, or play a file")))
    }
    reply(
      Result { () throws(DocumentError) in
        FoundDocument(text: try DocumentDirectory(path: directory).text(of: id))
      })
  }
}
