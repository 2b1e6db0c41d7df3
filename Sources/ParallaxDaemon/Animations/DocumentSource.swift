package import ParallaxConfig
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

/// The folder that the configuration names, then the server that it names.
package final class ConfiguredDocuments: DocumentSource {
  /// Asks for the document of an id below a web address; calls back once.
  package typealias Ask = (
    _ id: String, _ base: String,
    _ reply: @escaping (Result<ProvidedDocument, ProviderTrouble>) -> Void
  ) -> Void

  package var settings: Configuration.Animations
  private let ask: Ask?

  /// - Parameter ask: nil: there is nobody who knows the network.
  package init(_ settings: Configuration.Animations = Configuration().animations, ask: Ask? = nil) {
    self.settings = settings
    self.ask = ask
  }

  package func fetch(
    _ id: DocumentID, reply: @escaping (Result<FoundDocument, DocumentError>) -> Void
  ) {
    var missing = DocumentError(
      .noSuchAnimation, name: id.text,
      "no such animation: set animations.directory or animations.url, or play a file")
    if let directory = settings.directory {
      do throws(DocumentError) {
        let text = try DocumentDirectory(path: directory).text(of: id)
        return reply(.success(FoundDocument(text: text)))
      } catch {
        guard error.meaning == .noSuchAnimation else { return reply(.failure(error)) }
        missing = error
      }
    }
    guard let base = settings.url, let ask else { return reply(.failure(missing)) }
    ask(id.text, base) { answer in
      reply(answer.map(FoundDocument.init).mapError { DocumentError($0, id) })
    }
  }
}

extension FoundDocument {
  fileprivate init(_ document: ProvidedDocument) {
    var note = document.note
    if document.origin == .stale {
      note = "the server cannot be had, a kept copy plays" + (note.map { ": \($0)" } ?? "")
    }
    self.init(text: document.text, note: note)
  }
}

extension DocumentError {
  fileprivate init(_ trouble: ProviderTrouble, _ id: DocumentID) {
    self.init(
      trouble.isMissing ? .noSuchAnimation : .readFailed, name: id.text, trouble.description)
  }
}
