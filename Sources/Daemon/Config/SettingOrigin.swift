// SPDX-License-Identifier: Apache-2.0

/// A position in a text file. Line and column count from 1, the column in code points.
package struct TextPosition: Equatable, Comparable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (a: TextPosition, b: TextPosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

/// The origin of a setting's value. Later cases override earlier ones.
package enum SettingOrigin: Equatable, Sendable {
  /// The default.
  case builtIn
  /// A configuration file; without a position, the file as a whole.
  case file(path: String, position: TextPosition?)
  /// An environment variable, by name.
  case environment(String)
  /// `--set TABLE.KEY=VALUE`.
  case assignment
  /// A command's own option, by name: `--smoothing`. Of it and `--set` the later one counts.
  case option(String)

  /// The precedence: a higher one overrides a lower, and of equals the later counts.
  var precedence: Int {
    switch self {
    case .builtIn: 0
    case .file: 1
    case .environment: 2
    case .assignment, .option: 3
    }
  }

  /// The origin in comments of `config show`: `/etc/parallax/parallax.toml:12`, `--set`.
  package var summary: String {
    switch self {
    case .builtIn: "built-in"
    case .file(let path, let position): position.map { "\(path):\($0.line)" } ?? path
    case .environment(let name): name
    case .assignment: "--set"
    case .option(let name): name
    }
  }
}
