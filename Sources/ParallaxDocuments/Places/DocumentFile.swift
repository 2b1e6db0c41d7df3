import Glibc

/// A document's text from a file or a pipe, no more of it than is allowed.
package enum DocumentFile {
  /// - Parameter path: `-` is standard input.
  package static func text(path: String) throws(DocumentError) -> [UInt8] {
    guard path != "-" else { return try text(of: STDIN_FILENO, name: "standard input") }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw openFailed(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw DocumentError(
        .noSuchAnimation, name: path, "this is a folder; name an animation's file in it")
    }
    return try text(of: descriptor, name: path)
  }

  static func openFailed(_ name: String, _ code: Int32) -> DocumentError {
    switch code {
    case ENOENT, ENOTDIR:
      DocumentError(.noSuchAnimation, name: name, "there is no such file; check the path")
    case EACCES, EPERM:
      DocumentError(
        .noPermission, name: name, "may not be read; give this user read access to it")
    default:
      DocumentError(
        .readFailed, name: name, "cannot be opened (\(String(cString: strerror(code))))")
    }
  }

  /// Reads to the end, or until it is clear that this is too much.
  static func text(of descriptor: Int32, name: String) throws(DocumentError) -> [UInt8] {
    var text: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let got = read(descriptor, &block, block.count)
      if got > 0 {
        text.append(contentsOf: block[..<got])
        guard text.count <= DocumentLimits.bytes else {
          throw DocumentError(
            .badData, name: name, "larger than \(DocumentLimits.bytes) bytes, which is the limit")
        }
      } else if got == 0 {
        return text
      } else if errno == EAGAIN {
        // Somebody left this descriptor non-blocking; wait as a blocking one would.
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&ready, 1, -1)
      } else if errno != EINTR {
        throw DocumentError(
          .readFailed, name: name, "reading failed (\(String(cString: strerror(errno))))")
      }
    }
  }
}
