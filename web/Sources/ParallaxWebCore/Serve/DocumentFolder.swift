import Glibc

/// The folder that is served: ID.json each, and nothing outside it, whatever is asked for and wherever
/// links lead.
package struct DocumentFolder: Sendable {
  /// The folder, without links in it.
  package let path: String

  /// Why a folder cannot be served: what, and the exit code of sysexits(3).
  package struct Problem: Error, Equatable, Sendable {
    package let message: String
    package let exitCode: Int32
  }

  /// What is found under an id.
  package enum Found: Equatable, Sendable {
    case text([UInt8])
    case nothing
    /// There is something that is not served: why, for a person.
    case refused(String)
  }

  package init(_ path: String) throws(Problem) {
    guard let resolved = realpath(path, nil) else {
      throw Problem(
        message: "\(path): \(Self.reason(errno)); name a folder of documents", exitCode: 66)
    }
    defer { free(resolved) }
    self.path = String(cString: resolved)
    var status = stat()
    guard stat(self.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw Problem(message: "\(path): is no folder; name one with documents in it", exitCode: 66)
    }
    guard access(self.path, R_OK | X_OK) == 0 else {
      throw Problem(message: "\(path): \(Self.reason(errno)); let this user read it", exitCode: 77)
    }
  }

  /// Ids that can be asked for, sorted.
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

  /// The document as it is now.
  package func find(_ id: DocumentID) -> Found {
    // A pipe that somebody has put there keeps nobody waiting.
    let descriptor = open("\(path)/\(id.fileName)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      return errno == EACCES ? .refused("\(id.fileName) may not be read") : .nothing
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .nothing
    }
    // Asked of the open file, so that nothing can be changed in between.
    guard isInside(descriptor) else { return .nothing }
    guard status.st_size <= DocumentLimits.bytes,
      let text = Descriptor.read(descriptor, limit: DocumentLimits.bytes)
    else {
      return .refused(
        "\(id.fileName) has more than \(DocumentLimits.bytes) bytes, which no document may have")
    }
    return .text(text)
  }

  /// Whether an open file lies in the folder or below it.
  private func isInside(_ descriptor: Int32) -> Bool {
    guard let real = realpath("/proc/self/fd/\(descriptor)", nil) else { return false }
    defer { free(real) }
    return String(cString: real).hasPrefix(path == "/" ? path : path + "/")
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
