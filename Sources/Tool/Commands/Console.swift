// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase

/// Standard output and error, by plain `write`: nothing is buffered, so nothing is lost at exit.
enum Console {
  /// Whether standard output is a terminal that shows colors and the user wants them (no-color.org).
  static var hasColor: Bool {
    func value(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return isatty(STDOUT_FILENO) == 1 && value("NO_COLOR").isEmpty && value("TERM") != "dumb"
  }

  /// Prints `parallax: message` and a line feed to standard error.
  ///
  /// The message stays one line: line feeds and tabs become spaces, other control characters, which
  /// file names may contain, become `?`.
  static func report(_ message: String) {
    let line = String(message.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    writeError("parallax: \(PrintableText.line(line, replacement: "?"))\n")
  }

  /// Prints text to standard error as it is.
  static func writeError(_ text: String) {
    // If standard error is closed, there is no other place for messages.
    _ = text.utf8CString.withUnsafeBytes {
      CompleteWrite.write($0.dropLast(), to: STDERR_FILENO)
    }
  }

  /// Prints text to standard output as it is.
  ///
  /// - Throws: `OutputClosed` if the reader is gone, else `CommandFailure` with exit 74.
  static func print(_ text: String, terminator: String = "\n") throws {
    try write((text + terminator).utf8CString.withUnsafeBytes { Array($0.dropLast()) })
  }

  /// Writes bytes to standard output. Throws like `print`.
  static func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try write($0[...]) }
  }

  /// Writes bytes to standard output. Throws like `print`.
  static func write(_ bytes: Slice<UnsafeRawBufferPointer>) throws {
    switch CompleteWrite.write(bytes, to: STDOUT_FILENO) {
    case 0: return
    case EPIPE: throw OutputClosed()
    case let code:
      throw CommandFailure(
        .inputOutput,
        "standard output: cannot be written: \(String(cString: strerror(code))); "
          + "free some space or redirect it"
      )
    }
  }
}
