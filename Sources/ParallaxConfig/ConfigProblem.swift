/// One thing that is wrong in a configuration: where, what, and what to do.
package struct ConfigProblem: Equatable, Sendable {
  /// What the problem means for the program's exit code (sysexits).
  package enum Kind: Equatable, Sendable {
    /// A value, a key or a file's syntax: 64 from the command line, else 78.
    case content
    /// A named file that is not there: 66.
    case missing
    /// A file that may not be read: 77.
    case denied
    /// Reading failed: 74.
    case unreadable
  }

  package let kind: Kind
  package let origin: SettingOrigin
  /// `motion.smoothing`, a table's name, or nil where the whole file is meant.
  package let key: String?
  /// What is wrong and what is allowed. One line.
  package let message: String

  package init(
    kind: Kind = .content, origin: SettingOrigin, key: String?, message: String
  ) {
    self.kind = kind
    self.origin = origin
    self.key = key.map(ConfigProblem.printable)
    self.message = ConfigProblem.printable(message)
  }

  /// One line for people: `FILE:LINE:COLUMN: KEY: what, and what to do`; from the command line
  /// `--smoothing: what` or `--set motion.smoothing: what`.
  package var description: String {
    let keyPart = key.map { "\($0): " } ?? ""
    switch origin {
    case .builtIn:
      return keyPart + message
    case .file(let path, let position):
      let place = position.map { ":\($0.line):\($0.column)" } ?? ""
      return "\(ConfigProblem.printable(path))\(place): \(keyPart)\(message)"
    case .environment(let name):
      return "\(name): \(message)"
    case .assignment:
      return key.map { "--set \($0): \(message)" } ?? "--set: \(message)"
    case .option(let name):
      return "\(name): \(message)"
    }
  }

  /// Values and names come from strangers' files: control characters must reach no terminal or
  /// log, and a message is one line.
  private static func printable(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { !isControl($0) }
    if isPlain { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isControl(scalar) {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
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

/// Everything that is wrong, in the order of files and lines, then environment, then command line.
package struct ConfigError: Error, Equatable, Sendable {
  /// Never empty.
  package let problems: [ConfigProblem]

  /// More problems than this are only counted: a wrong file is wrong in every line.
  package static let limit = 100

  package init(_ problems: [ConfigProblem]) {
    self.problems = problems
  }

  /// The exit code of a program that cannot go on: the first problem's (64 the command line's
  /// values, 66 a missing `--config` file, 74 and 77 what cannot be read, 78 bad configuration).
  package var exitStatus: Int32 { problems.first?.exitStatus ?? 78 }

  /// One line a problem, without the program's name in front.
  package var lines: [String] { problems.map(\.description) }
}
