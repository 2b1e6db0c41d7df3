/// A text that is no JSON, or more of it than is allowed.
package struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
  /// From 1.
  package var line: Int
  /// From 1, in characters; where reading stopped.
  package var column: Int
  /// What is wrong; no control characters in it.
  package var message: String

  package init(line: Int, column: Int, message: String) {
    self.line = line
    self.column = column
    self.message = message
  }

  package var description: String { "\(line):\(column): \(message)" }
}

/// A value that is not what its reader needs.
package struct JSONShapeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where, as `$.layers.bg` or `$.keyframes[3]`.
  package var path: String
  /// What is expected, and what is there.
  package var message: String

  package init(path: String, message: String) {
    self.path = path
    self.message = message
  }

  package var description: String { "\(path): \(message)" }
}
