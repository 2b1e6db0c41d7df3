// SPDX-License-Identifier: Apache-2.0

/// A test in a text file: its lines, which its suite performs.
///
///     ## TITLE          begins a test
///     with A => B       repeats the test with $1 = A and $2 = B; any number of lines
///     let NAME = TEXT   $NAME is TEXT, in this test and in later ones
///     # TEXT            a comment
///
/// The lines before the first title begin each test of the file.
package struct WrittenTest: Sendable {
  package struct Line: Sendable {
    package let number: Int
    package let text: String
  }

  package let file: String
  package let name: String
  package let lines: [Line]

  /// The tests in a folder in `Tests`, file by file.
  ///
  /// - Parameter variables: What `let` would have defined.
  package static func all(
    inFolder folder: String, ending: String, variables: [String: String] = [:]
  ) throws(TestSupportError) -> [WrittenTest] {
    let path = testDataPath(folder)
    var tests: [WrittenTest] = []
    for name in try namesInFolder(path).sorted() where name.hasSuffix(ending) {
      let text = try text(ofFile: "\(path)/\(name)")
      tests += read(text, file: name, variables: variables)
    }
    return tests
  }

  private static func read(_ text: String, file: String, variables: [String: String])
    -> [WrittenTest]
  {
    var (tests, variables) = ([WrittenTest](), variables)
    var (head, lines) = ([Line](), [Line]())
    var title: String?
    var rows: [[String]] = []

    func end() {
      guard let title else { return head = lines }
      for row in rows.isEmpty ? [[]] : rows {
        let columns = Dictionary(
          uniqueKeysWithValues: row.enumerated().map { ("\($0.offset + 1)", $0.element) })
        tests.append(
          WrittenTest(
            file: file,
            name: "\(file): \(title)" + (row.isEmpty ? "" : ": \(row.joined(separator: ", "))"),
            lines: (head + lines).map { line in
              let text = replace(variables, in: replace(columns, in: line.text))
              return Line(number: line.number, text: text)
            }))
      }
    }

    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if let heading = rest(of: line, after: "## ") {
        end()
        (title, rows, lines) = (heading, [], [])
      } else if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) {
        continue
      } else if let row = rest(of: line, after: "with ") {
        rows.append(row.split(separator: " => ", omittingEmptySubsequences: false).map(String.init))
      } else if let definition = rest(of: line, after: "let "),
        let sign = definition.firstRange(of: " = ")
      {
        variables[String(definition[..<sign.lowerBound])] =
          replace(variables, in: String(definition[sign.upperBound...]))
      } else {
        lines.append(Line(number: index + 1, text: String(line)))
      }
    }
    end()
    return tests
  }

  private static func rest(of line: some StringProtocol, after start: String) -> String? {
    line.hasPrefix(start) ? String(line.dropFirst(start.count)) : nil
  }

  /// Replaces variables, those with longer names first.
  private static func replace(_ variables: [String: String], in text: String) -> String {
    variables.sorted { $0.key.count > $1.key.count }
      .reduce(text) { $0.replacing("$" + $1.key, with: $1.value) }
  }
}
