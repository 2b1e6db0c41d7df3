// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// A trace that cannot be read: the reason, the place, and what to do.
package struct TraceError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Kind: Equatable, Sendable {
    /// The file does not exist, or it is a folder.
    case noInput
    /// This user lacks permission to read the file.
    case noPermission
    /// The system reported an error while reading.
    case readFailed
    /// No descriptor or no memory was left to open the file. It may succeed later.
    case shortage
    /// The input does not support the request: standard input cannot restart.
    case usage
    /// The file is empty.
    case empty
    /// There is a header but no readable row.
    case noRows
    /// The file is not text.
    case binary
    /// The header has no known gyroscope columns.
    case unknownHeader
    /// The header does not give the unit of a column.
    case unknownUnits
    /// The header has no time column.
    case noTimes
    /// The file is another sensor's.
    case otherSensor
    /// A `# key: value` line, or a `key,value` line of a log, has an invalid value.
    case badHeader
    /// A row cannot be read.
    case badRow
    /// A line or a header exceeds a limit.
    case tooLong
    /// All times are the same.
    case timesEqual
  }

  /// The category of the error, from which the commands choose the exit code.
  package enum Meaning: Equatable, Sendable {
    /// The data is invalid (exit 65).
    case badData
    /// The input does not exist (66).
    case noInput
    /// This user lacks permission (77).
    case noPermission
    /// Reading failed (74).
    case readFailed
    /// The request is not possible (64).
    case usage
  }

  package let kind: Kind
  /// The path as given; `standard input` for `-`.
  package let path: String
  /// From 1; nil if the error concerns the whole file.
  package let line: Int?
  /// From 1; nil if the error concerns the whole line.
  package let column: Int?
  /// What is wrong and what to do, without the place.
  package let message: String

  package init(
    _ kind: Kind, path: String, line: Int? = nil, column: Int? = nil, _ message: String
  ) {
    self.kind = kind
    self.path = path
    self.line = line
    self.column = column
    self.message = message
  }

  package var meaning: Meaning {
    switch kind {
    case .noInput: .noInput
    case .noPermission: .noPermission
    case .readFailed, .shortage: .readFailed
    case .usage: .usage
    case .empty, .noRows, .binary, .unknownHeader, .unknownUnits, .noTimes, .otherSensor,
      .badHeader, .badRow, .tooLong, .timesEqual:
      .badData
    }
  }

  /// One line: `walk.csv:12: column 3: 'abc' in 'y' is not a number; ...`.
  package var description: String {
    guard let line else { return "\(path): \(message)" }
    guard let column else { return "\(path):\(line): \(message)" }
    return "\(path):\(line): column \(column): \(message)"
  }
}

/// Returns text from a file for a one-line message: unprintable characters and invalid UTF-8 become `?`,
/// and after `limit` characters it ends with `...`.
func quoted(_ text: some StringProtocol, limit: Int = 40) -> String {
  var shown = ""
  for (index, scalar) in text.unicodeScalars.enumerated() {
    if index == limit { return shown + "..." }
    shown.unicodeScalars.append(scalar == "\t" ? " " : scalar.isPrintable ? scalar : "?")
  }
  return shown
}

extension StringProtocol {
  /// Whether a terminal shows every character and acts on none.
  var isPrintable: Bool { unicodeScalars.allSatisfy(\.isPrintable) }
}

extension Unicode.Scalar {
  fileprivate var isPrintable: Bool { !PrintableText.isInvisible(self) && self != "\u{FFFD}" }
}
