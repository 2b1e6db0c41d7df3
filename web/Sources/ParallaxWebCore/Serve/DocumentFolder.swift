// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The folder of served documents, the files ID.json. Nothing outside the folder is served, not
/// even through links.
package struct DocumentFolder: Sendable {
  /// The path of the folder with links resolved.
  package let path: String

  /// The reason why a folder is not usable, and the exit code of sysexits(3).
  package struct OpenError: Error, Equatable, Sendable {
    package let message: String
    package let exitCode: Int32
  }

  /// The result of a search for a document.
  package enum SearchResult: Equatable, Sendable {
    case text([UInt8])
    case notFound
    /// A file that is not served, with the HTTP status and the reason.
    case refused(status: Int, String)
  }

  package init(_ path: String) throws(OpenError) {
    guard let resolved = realpath(path, nil) else {
      throw OpenError(
        message: "\(path): \(Self.reason(errno)); specify a folder of documents", exitCode: 66)
    }
    defer { free(resolved) }
    self.path = String(cString: resolved)
    var status = stat()
    guard stat(self.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw OpenError(message: "\(path): not a folder; specify a folder of documents", exitCode: 66)
    }
    guard access(self.path, R_OK | X_OK) == 0 else {
      throw OpenError(
        message: "\(path): \(Self.reason(errno)); make it readable for this user", exitCode: 77)
    }
  }

  /// Returns the ids of the documents, sorted.
  package func ids() -> [DocumentID] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var ids: [DocumentID] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".json"), let id = DocumentID(name.dropLast(5)) { ids.append(id) }
    }
    return ids.sorted { $0.text < $1.text }
  }

  /// Reads the current text of a document.
  package func find(_ id: DocumentID) -> SearchResult {
    // O_NONBLOCK: opening a pipe must not block.
    let descriptor = open("\(path)/\(id.fileName)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      return errno == EACCES
        ? .refused(status: 403, "\(id.fileName): permission denied") : .notFound
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .notFound
    }
    // Checked with the open file, so the path cannot change in between.
    guard isInside(descriptor) else { return .notFound }
    guard status.st_size <= DocumentLimits.bytes else {
      return .refused(
        status: 413,
        "\(id.fileName) has \(status.st_size) bytes; the limit is \(DocumentLimits.bytes)")
    }
    guard let text = Descriptor.read(descriptor, limit: DocumentLimits.bytes) else {
      return .refused(status: 500, "\(id.fileName): cannot be read, or is growing")
    }
    return .text(text)
  }

  /// Returns whether an open file is in the folder or in a subfolder.
  private func isInside(_ descriptor: Int32) -> Bool {
    guard let real = realpath("/proc/self/fd/\(descriptor)", nil) else { return false }
    defer { free(real) }
    return String(cString: real).hasPrefix(path == "/" ? path : path + "/")
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
