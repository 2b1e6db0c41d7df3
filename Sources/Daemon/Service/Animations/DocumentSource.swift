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

/// Documents from the configured folder, then from the configured server.
package final class ConfiguredDocuments: DocumentSource {
  /// Fetches the document of an id below a web address; calls back once.
  package typealias Fetch = (
    _ id: String, _ base: String,
    _ reply: @escaping (Result<ProvidedDocument, ProviderError>) -> Void
  ) -> Void

  package var settings: Configuration.Animations
  private let worker: any DocumentWorker
  private let fetchFromServer: Fetch?

  /// - Parameters:
  ///   - worker: Reads the folder.
  ///   - fetchFromServer: nil if there is no provider.
  package init(
    _ settings: Configuration.Animations = Configuration().animations,
    worker: any DocumentWorker = ImmediateDocumentWorker(), fetchFromServer: Fetch? = nil
  ) {
    self.settings = settings
    self.worker = worker
    self.fetchFromServer = fetchFromServer
  }

  package func fetch(
    _ id: DocumentID, for waiter: (any DocumentWaiter)?,
    reply: @escaping (Result<FoundDocument, DocumentError>) -> Void
  ) {
    guard let directory = settings.directory else {
      let missing = DocumentError(
        .noSuchAnimation, name: id.text,
        "no such animation: set animations.directory or animations.url, or play a file")
      return askServer(id, missing: missing, reply: reply)
    }
    let isAccepted = worker.run(for: waiter) {
      Result { () throws(DocumentError) in try DocumentDirectory(path: directory).text(of: id) }
    } reply: { [weak self] text in
      switch text {
      case .success(let text): reply(.success(FoundDocument(text: text)))
      case .failure(let error) where error.meaning == .noSuchAnimation:
        self?.askServer(id, missing: error, reply: reply)
      case .failure(let error): reply(.failure(error))
      }
    }
    if !isAccepted {
      reply(
        .failure(DocumentError(.readFailed, name: id.text, "too many documents are being read")))
    }
  }

  private func askServer(
    _ id: DocumentID, missing: DocumentError,
    reply: @escaping (Result<FoundDocument, DocumentError>) -> Void
  ) {
    guard let base = settings.url, let fetchFromServer else { return reply(.failure(missing)) }
    fetchFromServer(id.text, base) { answer in
      reply(answer.map(FoundDocument.init).mapError { DocumentError($0, id) })
    }
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
