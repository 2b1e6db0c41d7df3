// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file that only this user may read. It is replaced as a whole.
package struct PrivateFile: Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// A file in this user's state folder: `$XDG_STATE_HOME/parallax`, by default `~/.local/state/parallax`.
  package static func state(
    _ name: String, variable: (String) -> String? = ProgramEnvironment.variable
  ) -> PrivateFile {
    // The specification tells programs to ignore a relative path.
    let base =
      variable("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? "\(variable("HOME") ?? "/")/.local/state"
    return PrivateFile(path: "\(base)/parallax/\(name)")
  }

  /// Returns the text; nil if there is none, or if others may read or have written it.
  package func read() -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == getuid(), status.st_mode & 0o077 == 0
    else { return nil }
    return Descriptor.read(descriptor, limit: 64 << 10).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Writes the file, and creates the folders above it.
  /// - Returns: the reason if that fails.
  package func write(_ text: String) -> String? {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, 0o700) == 0 || errno == EEXIST else { return reason(made) }
    }
    let draft = "\(path).\(getpid())"
    // A draft of a process with this number that was killed.
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return reason(draft) }
    let isWritten = Descriptor.write(descriptor, Array(text.utf8)) && fsync(descriptor) == 0
    let failure = isWritten ? nil : reason(draft)
    close(descriptor)
    if let failure {
      unlink(draft)
      return failure
    }
    guard rename(draft, path) == 0 else { return reason(path) }
    return nil
  }

  private func reason(_ path: String) -> String { "\(path): \(String(cString: strerror(errno)))" }
}
