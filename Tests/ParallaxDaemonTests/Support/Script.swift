// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// A conversation of clients with a daemon in memory, and a clock, read from a `.script` file in `Scripts`.
///
/// As in the tool's `.session` files, `## TITLE` begins a script, `with A => B` performs it with $1 = A and
/// $2 = B, `let NAME = TEXT` makes $NAME the text, and `#` begins a comment. The lines before the first
/// title begin each script of the file. `ScriptRun` has the verbs, `ScriptExpectations` what is expected.
struct Script: Sendable, CustomTestStringConvertible {
  struct Line: Sendable {
    let text: String
    let place: SourceLocation
  }

  let name: String
  let lines: [Line]

  var testDescription: String { name }

  /// The scripts of all files.
  static let all: Result<[Script], any Error> = Result {
    let folder = testDataPath("ParallaxDaemonTests/Scripts")
    return try namesInFolder(folder).sorted().filter { $0.hasSuffix(".script") }.flatMap { name in
      read(try text(ofFile: "\(folder)/\(name)"), file: name)
    }
  }

  private static func read(_ text: String, file: String) -> [Script] {
    var scripts: [Script] = []
    var variables: [(name: String, text: String)] = []
    var (head, lines): ([Line], [Line]) = ([], [])
    var title: String?
    var rows: [[String]] = []

    func end() {
      guard let title else { return head = lines }
      for row in rows.isEmpty ? [[]] : rows {
        let columns = row.enumerated().map { (name: "$\($0.offset + 1)", text: $0.element) }
        scripts.append(
          Script(
            name: "\(file): \(title)" + (row.isEmpty ? "" : ": \(row.joined(separator: ", "))"),
            lines: (head + lines).map { line in
              Line(text: replace(variables, in: replace(columns, in: line.text)), place: line.place)
            }))
      }
    }

    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.hasPrefix("## ") {
        end()
        (title, rows, lines) = (String(line.dropFirst(3)), [], [])
      } else if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) {
        continue
      } else if line.hasPrefix("with ") {
        rows.append(
          line.dropFirst(5).split(separator: " => ", omittingEmptySubsequences: false).map(
            String.init))
      } else if line.hasPrefix("let "), let sign = line.firstRange(of: " = ") {
        let value = replace(variables, in: String(line[sign.upperBound...]))
        variables.append(("$" + line[..<sign.lowerBound].dropFirst(4), value))
      } else {
        let path = "Tests/ParallaxDaemonTests/Scripts/" + file
        let place = SourceLocation(
          fileID: "ParallaxDaemonTests/\(file)", filePath: path, line: index + 1, column: 1)
        lines.append(Line(text: String(line), place: place))
      }
    }
    end()
    return scripts
  }

  /// Replaces variables, those with longer names first.
  private static func replace(_ variables: [(name: String, text: String)], in text: String)
    -> String
  {
    variables.sorted { $0.name.count > $1.name.count }
      .reduce(text) { $0.replacing($1.name, with: $1.text) }
  }
}
