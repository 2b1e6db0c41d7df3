// SPDX-License-Identifier: Apache-2.0

package import ParallaxConfig
package import ParallaxDocuments

/// A source of documents by id.
package protocol DocumentSource: AnyObject {
  /// Looks up a document.
  ///
  /// - Parameters:
  ///   - waiter: See `DocumentWorker.run`.
  ///   - reply: Called once, before this returns or later, on the loop's thread.
  func fetch(
    _ id: DocumentID, for waiter: (any DocumentWaiter)?,
    reply: @escaping (Result<FoundDocument, DocumentError>) -> Void)
}

/// The text of a document, with a remark on its origin.
package struct FoundDocument: Equatable, Sendable {
  package var text: [UInt8]
  package var note: String?

  package init(text: [UInt8], note: String? = nil) {
    self.text = text
    self.note = note
  }
}

/// Documents from the configured folder, then from the configured server, then those that are installed with
/// parallax.
package final class ConfiguredDocuments: DocumentSource {
  /// Fetches the document of an id below a web address; calls back once.
  package typealias Fetch = (
    _ id: String, _ base: String,
    _ reply: @escaping (Result<ProvidedDocument, ProviderError>) -> Void
  ) -> Void

  package var settings: Configuration.Animations
  private let shipped: DocumentDirectory?
  private let worker: any DocumentWorker
  private let fetchFromServer: Fetch?

  /// - Parameters:
  ///   - shipped: The documents that are installed with parallax; nil if there are none.
  ///   - worker: Reads the folders.
  ///   - fetchFromServer: nil if there is no provider.
  package init(
    _ settings: Configuration.Animations = Configuration().animations,
    shipped: DocumentDirectory? = nil,
    worker: any DocumentWorker = ImmediateDocumentWorker(), fetchFromServer: Fetch? = nil
  ) {
    self.settings = settings
    self.shipped = shipped
    self.worker = worker
    self.fetchFromServer = fetchFromServer
  }

  package func fetch(
    _ id: DocumentID, for waiter: (any DocumentWaiter)?,
    reply: @escaping (Result<FoundDocument, DocumentError>) -> Void
  ) {
    let own = settings.directory.map(DocumentDirectory.init)
    let isAccepted = worker.run(for: waiter) { [shipped] in
      // Together: between two jobs, the waiter would be served.
      (own: Self.text(of: id, in: own), shipped: try? shipped?.text(of: id))
    } reply: { [weak self] texts in
      let found = texts.own.map { FoundDocument(text: $0) }
      guard found.isMissing, let self else { return reply(found) }
      askServer(id, missing: found) { answer in
        let last = texts.shipped.map { .success(FoundDocument(text: $0)) } ?? answer
        reply(answer.isMissing ? last : answer)
      }
    }
    if !isAccepted {
      reply(
        .failure(DocumentError(.readFailed, name: id.text, "too many documents are being read")))
    }
  }

  private static func text(
    of id: DocumentID, in folder: DocumentDirectory?
  ) -> Result<[UInt8], DocumentError> {
    Result { () throws(DocumentError) in
      guard let folder else {
        throw DocumentError(
          .noSuchAnimation, name: id.text,
          "no such animation: set animations.directory or animations.url, or play a file")
      }
      return try folder.text(of: id)
    }
  }

  private func askServer(
    _ id: DocumentID, missing: Result<FoundDocument, DocumentError>,
    reply: @escaping (Result<FoundDocument, DocumentError>) -> Void
  ) {
    guard let base = settings.url, let fetchFromServer else { return reply(missing) }
    fetchFromServer(id.text, base) { answer in
      reply(answer.map(FoundDocument.init).mapError { DocumentError($0, id) })
    }
  }
}

extension Result<FoundDocument, DocumentError> {
  /// Whether another place may have the document.
  fileprivate var isMissing: Bool {
    if case .failure(let error) = self { error.meaning == .noSuchAnimation } else { false }
  }
}

extension FoundDocument {
  fileprivate init(_ document: ProvidedDocument) {
    var note = document.note
    if document.origin == .stale {
      note = "the server is unavailable; a cached copy plays" + (note.map { ": \($0)" } ?? "")
    }
    self.init(text: document.text, note: note)
  }
}

extension DocumentError {
  fileprivate init(_ error: ProviderError, _ id: DocumentID) {
    self.init(
      error.isMissing ? .noSuchAnimation : .readFailed, name: id.text, error.description)
  }
}
