// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Documents by id in a folder: ID is FOLDER/ID.json. An id leads out of the folder only through a
/// symbolic link in it.
package struct DocumentDirectory: Equatable, Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// The animations that are installed with parallax, in `../share/parallax/animations` relative to this
  /// program's folder. A program in its build folder uses `examples/animations` of the sources. nil if neither
  /// folder exists.
  package static func shipped() -> DocumentDirectory? {
    guard let parts = ProgramFolder.parts() else { return nil }
    let installed = "/" + (parts.dropLast() + ["share/parallax/animations"]).joined(separator: "/")
    let sources = ProgramFolder.sources(ofBuild: parts).map { $0 + "/examples/animations" }
    let path = [installed, sources].compactMap(\.self).first { access($0, F_OK) == 0 }
    return path.map(DocumentDirectory.init)
  }

  /// The ids of the documents, sorted; none if the folder cannot be read.
  package var ids: [String] {
    let names = (try? Directory.names(in: path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// Returns the text of a document. Only regular files are read, so the call blocks no longer than
  /// a disk does.
  ///
  /// - Throws: `noSuchAnimation` if the folder has no document with this id.
  package func text(of id: DocumentID) throws(DocumentError) -> [UInt8] {
    let file = "\(path)/\(id.text).json"
    let descriptor: FileDescriptor
    do {
      // Without waiting for the other end of a FIFO.
      descriptor = try FileDescriptor.open(file, O_RDONLY | O_NOCTTY | O_NONBLOCK)
    } catch {
      if error.number == ENOENT || error.number == ENOTDIR { throw missing(id) }
      throw DocumentFile.openFailed(file, error)
    }
    var status = stat()
    guard fstat(descriptor.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw DocumentError(
        .noSuchAnimation, name: id.text, "no such animation: \(file) is not a regular file")
    }
    return try DocumentFile.text(of: descriptor.raw, name: file)
  }

  private func missing(_ id: DocumentID) -> DocumentError {
    let reason =
      access(path, F_OK) == 0
      ? "\(path) has no \(id.text).json" : "the folder \(path) does not exist"
    return DocumentError(.noSuchAnimation, name: id.text, "no such animation: \(reason)")
  }
}
