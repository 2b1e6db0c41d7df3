import Glibc

/// Animations by their id, from a folder: ID is FOLDER/ID.json. An id leads out of the folder only where
/// whoever may write into it has put a link there.
package struct DocumentDirectory: Equatable, Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// - Parameter driver: as `DocumentReader.read` has it.
  /// - Throws: `noSuchAnimation` where the folder has none of this id.
  package func document(
    _ id: DocumentID, driver: String? = nil
  ) throws(DocumentError) -> AnimationDocument {
    try DocumentReader.read(try text(of: id), name: "\(id.text).json", driver: driver)
  }

  /// The document's text. Blocks no longer than a disk does: what is no ordinary file is not read.
  package func text(of id: DocumentID) throws(DocumentError) -> [UInt8] {
    let file = "\(path)/\(id.text).json"
    // Without waiting for the other end of a FIFO.
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      if code == ENOENT || code == ENOTDIR { throw missing(id) }
      throw DocumentFile.openFailed(file, code)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw DocumentError(.noSuchAnimation, name: id.text, "no such animation: \(file) is no file")
    }
    return try DocumentFile.text(of: descriptor, name: file)
  }

  private func missing(_ id: DocumentID) -> DocumentError {
    let reason =
      access(path, F_OK) == 0
      ? "there is no \(id.text).json in \(path)" : "the folder \(path) is not there"
    return DocumentError(.noSuchAnimation, name: id.text, "no such animation: \(reason)")
  }
}
