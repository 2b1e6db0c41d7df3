import Glibc

/// Standard output and error, by plain `write`: nothing is held back and nothing is lost at exit.
package enum Console {
  /// Prints `parallax: message` and a line feed to standard error. Line feeds and tabs inside the
  /// message become spaces, so that it stays one line; other control characters, which names of
  /// files may hold, become `?`.
  package static func report(_ message: String) {
    var line = "parallax: "
    for character in message {
      let isControl = character.unicodeScalars.contains { scalar in
        scalar.properties.generalCategory == .control
      }
      line.append(character.isNewline || character == "\t" ? " " : isControl ? "?" : character)
    }
    line.append("\n")
    // There is nobody left to tell where standard error is closed.
    _ = line.utf8CString.withUnsafeBytes { writeAll($0.dropLast(), to: STDERR_FILENO) }
  }

  /// Prints text to standard error as it is.
  package static func writeError(_ text: String) {
    _ = text.utf8CString.withUnsafeBytes { writeAll($0.dropLast(), to: STDERR_FILENO) }
  }

  /// Prints text to standard output as it is.
  ///
  /// - Throws: `OutputClosed` where nobody reads any more, else `CommandFailure` with exit 74.
  package static func print(_ text: String, terminator: String = "\n") throws {
    try write((text + terminator).utf8CString.withUnsafeBytes { Array($0.dropLast()) })
  }

  /// Writes bytes to standard output. Errors as `print`'s.
  package static func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try write($0[...]) }
  }

  /// Writes bytes to standard output. Errors as `print`'s.
  package static func write(_ bytes: Slice<UnsafeRawBufferPointer>) throws {
    switch writeAll(bytes, to: STDOUT_FILENO) {
    case 0: return
    case EPIPE: throw OutputClosed()
    case let code:
      throw CommandFailure(
        .inputOutput,
        "standard output: cannot be written: \(String(cString: strerror(code))); "
          + "make room, or send it elsewhere"
      )
    }
  }

  /// Writes everything, however often it takes.
  ///
  /// - Returns: 0, or the errno of the write that failed.
  static func writeAll(_ bytes: Slice<UnsafeRawBufferPointer>, to descriptor: CInt) -> CInt {
    var rest = UnsafeRawBufferPointer(rebasing: bytes)
    while !rest.isEmpty {
      let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if written >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
      } else if errno == EAGAIN {
        // Somebody made the terminal or pipe non-blocking; wait until it takes more.
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}
