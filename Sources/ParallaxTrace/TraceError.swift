/// Why a trace cannot be read, where, and what to do about it.
package struct TraceError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Kind: Equatable, Sendable {
    /// There is no such file, or it is a folder.
    case noInput
    /// The file may not be read by this user.
    case noPermission
    /// The system failed while reading.
    case readFailed
    /// The input cannot do what was asked of it, as standard input cannot begin anew.
    case usage
    /// No bytes at all.
    case empty
    /// A header and no row that could be read.
    case noRows
    /// No text.
    case binary
    /// A header without the columns of a gyroscope in any known dialect.
    case unknownHeader
    /// Columns whose unit the header does not say.
    case unknownUnits
    /// No column of times.
    case noTimes
    /// Another sensor's file.
    case otherSensor
    /// A `# key: value` line or a log's own header that does not mean what it should.
    case badHeader
    /// A row that is none.
    case badRow
    /// A line or a header beyond what is read.
    case tooLong
    /// No time differs from the first.
    case timesEqual
  }

  /// What the failure means to whoever asked, independent of exit codes.
  package enum Meaning: Equatable, Sendable {
    /// The data is not what it should be (exit 65).
    case badData
    /// No such input (66).
    case noInput
    /// No permission (77).
    case noPermission
    /// Reading failed (74).
    case readFailed
    /// What was asked for is impossible (64).
    case usage
  }

  package let kind: Kind
  /// The file as it was named; `standard input` for that.
  package let path: String
  /// From 1; nil where the trouble is with the file as a whole.
  package let line: Int?
  /// Which column, from 1, where there is one.
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
    case .readFailed: .readFailed
    case .usage: .usage
    case .empty, .noRows, .binary, .unknownHeader, .unknownUnits, .noTimes, .otherSensor,
      .badHeader, .badRow, .tooLong, .timesEqual:
      .badData
    }
  }

  /// One line: `walk.csv:12: column 3 (Y (rad/s)): 'abc' is no number; ...`.
  package var description: String {
    guard let line else { return "\(path): \(message)" }
    guard let column else { return "\(path):\(line): \(message)" }
    return "\(path):\(line): column \(column): \(message)"
  }
}

/// Text from a file, made fit for a one-line message: control characters and what is no UTF-8
/// become `?`, and it ends at `limit` characters with an ellipsis.
func quoted(_ text: some StringProtocol, limit: Int = 40) -> String {
  var shown = ""
  for (index, scalar) in text.unicodeScalars.enumerated() {
    if index == limit { return shown + "..." }
    shown.unicodeScalars.append(scalar == "\t" ? " " : scalar.isPrintable ? scalar : "?")
  }
  return shown
}

extension StringProtocol {
  /// Whether a terminal would do something else with it than show it.
  var hasUnprintables: Bool { !unicodeScalars.allSatisfy(\.isPrintable) }
}

extension Unicode.Scalar {
  fileprivate var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: self != "\u{FFFD}"
    }
  }
}
