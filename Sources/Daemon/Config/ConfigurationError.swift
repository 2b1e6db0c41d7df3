// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// An error in a configuration: its place, what is wrong, and what to do.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of error, which decides the program's exit code (sysexits).
  package enum Kind: Equatable, Sendable {
    /// A value, a key or a file's syntax: 64 from the command line, else 78.
    case content
    /// A named file that does not exist: 66.
    case missing
    /// A file without read permission: 77.
    case denied
    /// A file that could not be read: 74.
    case unreadable
  }

  package let kind: Kind
  package let origin: SettingOrigin
  /// A key's path (`motion.smoothing`) or a table's name; nil if the whole file is meant.
  package let key: String?
  /// What is wrong and what is allowed, on one line.
  package let message: String

  package init(
    kind: Kind = .content, origin: SettingOrigin, key: String?, message: String
  ) {
    self.kind = kind
    self.origin = origin
    // A file may hold anything: none of it must control a terminal or break a log's line.
    self.key = key.map(PrintableText.escaped)
    self.message = PrintableText.escaped(message)
  }

  /// The error on one line: `FILE:LINE:COLUMN: KEY: MESSAGE`, or from the command line
  /// `--smoothing: MESSAGE` or `--set motion.smoothing: MESSAGE`.
  package var description: String {
    let keyPart = key.map { "\($0): " } ?? ""
    switch origin {
    case .builtIn:
      return keyPart + message
    case .file(let path, let position):
      let place = position.map { ":\($0.line):\($0.column)" } ?? ""
      return "\(PrintableText.escaped(path))\(place): \(keyPart)\(message)"
    case .environment(let name):
      return "\(name): \(message)"
    case .assignment:
      return key.map { "--set \($0): \(message)" } ?? "--set: \(message)"
    case .option(let name):
      return "\(name): \(message)"
    }
  }

  var exitStatus: Int32 {
    switch (kind, origin) {
    case (.missing, _): 66
    case (.denied, _): 77
    case (.unreadable, _): 74
    case (.content, .assignment), (.content, .option): 64
    case (.content, _): 78
    }
  }
}

/// All errors of a configuration, in the order of files and lines, then environment, then command
/// line.
package struct ConfigurationErrors: Error, Equatable, Sendable {
  /// Never empty.
  package let errors: [ConfigurationError]

  /// The number of errors that are kept; the rest is counted, since a wrong file is wrong on every
  /// line.
  package static let limit = 100

  package init(_ errors: [ConfigurationError]) {
    self.errors = errors
  }

  /// The exit code of a program that cannot continue, decided by the first error: 64 for a value on
  /// the command line, 66 for a missing `--config` file, 74 and 77 for an unreadable one, 78 for a
  /// bad configuration.
  package var exitStatus: Int32 { errors.first?.exitStatus ?? 78 }

  /// One line per error, without the program's name.
  package var lines: [String] { errors.map(\.description) }
}
