// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The text of a document from a file or a pipe, up to the limit.
package enum DocumentFile {
  /// Reads a file to its end.
  ///
  /// - Parameter path: `-` for standard input.
  package static func text(path: String) throws(DocumentError) -> [UInt8] {
    guard path != "-" else { return try text(of: STDIN_FILENO, name: "standard input") }
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(path, O_RDONLY | O_NOCTTY)
    } catch {
      throw openFailed(path, error)
    }
    var status = stat()
    if fstat(descriptor.raw, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw DocumentError(.noSuchAnimation, name: path, "is a folder; name an animation file in it")
    }
    return try text(of: descriptor.raw, name: path)
  }

  static func openFailed(_ name: String, _ error: SystemError) -> DocumentError {
    switch error.number {
    case ENOENT, ENOTDIR:
      DocumentError(.noSuchAnimation, name: name, "no such file; check the path")
    case EACCES, EPERM:
      DocumentError(
        .noPermission, name: name, "permission denied; give this user read access to it")
    default:
      DocumentError(.readFailed, name: name, "cannot be opened: \(error.reason); check the path")
    }
  }

  /// Reads to the end, or until the text exceeds the limit. Pipes may pause for any time.
  static func text(of descriptor: Int32, name: String) throws(DocumentError) -> [UInt8] {
    var text: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let got = read(descriptor, &block, block.count)
      if got > 0 {
        text.append(contentsOf: block[..<got])
        guard text.count <= DocumentLimits.bytes else {
          throw DocumentError(
            .badData, name: name, "too large; the limit is \(DocumentLimits.bytes) bytes")
        }
      } else if got == 0 {
        return text
      } else if errno == EAGAIN {
        // Standard input may be non-blocking; wait as if it were not.
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&ready, 1, -1)
      } else if errno != EINTR {
        throw DocumentError(
          .readFailed, name: name,
          "cannot be read: \(SystemError.last("read").reason); check the disk or the input")
      }
    }
  }
}
