// SPDX-License-Identifier: Apache-2.0

/// A text that is not JSON or exceeds the limits.
package struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
  /// From 1.
  package var line: Int
  /// From 1, in characters: where reading stopped.
  package var column: Int
  /// What is wrong, without control characters.
  package var message: String

  package init(line: Int, column: Int, message: String) {
    self.line = line
    self.column = column
    self.message = message
  }

  package var description: String { "\(line):\(column): \(message)" }
}

/// A value of the wrong type or out of range.
package struct JSONShapeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path to the value: `$.layers.bg`, `$.keyframes[3]`.
  package var path: String
  /// What is expected and what was found.
  package var message: String

  package init(path: String, message: String) {
    self.path = path
    self.message = message
  }

  package var description: String { "\(path): \(message)" }
}
