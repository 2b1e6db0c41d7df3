// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// A table in `Tests/Golden/animation`: CSV with quotes, with columns by name.
struct NamedTable {
  let name: String
  private(set) var rows: [Row] = []

  struct Row: CustomStringConvertible {
    fileprivate var columns: [String]
    fileprivate var cells: [String]
    fileprivate var line: Int

    subscript(text column: String) -> String {
      get throws {
        let index = try #require(
          columns.firstIndex(of: column), "no column '\(column)' in \(columns)")
        return try #require(index < cells.count ? cells[index] : nil, "\(self) is too short")
      }
    }

    subscript(column: String) -> Double {
      get throws {
        try #require(Double(self[text: column]), "'\(column)' is not a number in \(self)")
      }
    }

    /// nil if the cell is empty.
    subscript(optional column: String) -> Double? {
      get throws { try self[text: column].isEmpty ? nil : self[column] }
    }

    var description: String { "line \(line): " + cells.joined(separator: ",") }
  }

  /// - Parameter count: Required number of rows, so that a truncated table fails.
  init(_ name: String, rows count: Int) throws {
    self.name = name
    let lines = try text(ofFile: testDataPath("Golden/animation/\(name).csv"))
      .split(whereSeparator: \.isNewline)
    let columns = Self.cells(try #require(lines.first))
    for (index, line) in lines.enumerated().dropFirst() {
      rows.append(Row(columns: columns, cells: Self.cells(line), line: index + 1))
    }
    try #require(rows.count == count, "\(name): \(rows.count) rows")
  }

  /// Splits a line. In quotes, commas do not separate and two quotes are one.
  static func cells(_ line: Substring) -> [String] {
    var cells = [""]
    var isQuoted = false
    var last: Character?
    for character in line {
      switch (character, isQuoted) {
      case ("\"", true): isQuoted = false
      case ("\"", false):
        if last == "\"" { cells[cells.count - 1].append("\"") }
        isQuoted = true
      case (",", false): cells.append("")
      default: cells[cells.count - 1].append(character)
      }
      last = character
    }
    return cells
  }
}

@Suite struct NamedTableTests {
  @Test(arguments: [
    ("a,b", ["a", "b"]), ("a,,c,", ["a", "", "c", ""]),
    (#""linear(0, 1)",0.5"#, ["linear(0, 1)", "0.5"]),
    (#"x,"{""d"": 1, ""e"": 2}",3"#, ["x", #"{"d": 1, "e": 2}"#, "3"]),
  ])
  func linesAreSplit(line: String, cells: [String]) {
    #expect(NamedTable.cells(Substring(line)) == cells)
  }
}
