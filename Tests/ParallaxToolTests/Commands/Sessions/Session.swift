// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// One run of a command, with the test as the daemon, read from a `.session` file in `Files`.
///
/// A line is a word or a sign, a space, and a text:
///
///     let NAME = TEXT   $NAME in later lines is TEXT
///     ## TITLE          begins a session
///     with A => B       runs the session with $1 = A and $2 = B; any number of lines
///     file NAME: TEXT   a file in the working folder, before the command starts
///     input TEXT        standard input
///     $ COMMAND         the arguments of `parallax`; single quotes keep spaces
///     > LINE            the next line that the daemon receives; "..." for any, "end" for the end
///     < LINE            the daemon sends a line
///     close             the daemon closes the connection
///     signal NUMBER     the command receives a signal
///     | LINE            the next line of standard output; "..." for any further lines
///     ! LINE            the next line of standard error, after "parallax: "
///     !~ PART           the next line of standard error contains this
///     = CODE            the exit code, 128 + N after a signal N; 0 without this line
///     kept NAMES        the files in the working folder afterwards
///     text NAME: TEXT   the contents of a file afterwards
///
/// `$PWD` is the working folder and `$ROOT` the package's. In files and inputs, `\n` is a line feed.
/// A connection is accepted when a line needs one. Output before a line of the daemon is expected
/// before that line is sent; the rest after the command has ended.
struct Session: Sendable, CustomTestStringConvertible {
  enum Step: Sendable {
    case receive(String)
    case send(String)
    case close
    case signal(Int32)
    case print(String)
  }

  let name: String
  var arguments: [String] = []
  var files: [(name: String, text: String)] = []
  var input = ""
  var steps: [Step] = []
  var errors: [(text: String, isWhole: Bool)] = []
  var exitCode: Int32 = 0
  var keptNames: [String]?
  var texts: [(name: String, text: String)] = []

  var testDescription: String { name }
}

extension Session {
  /// The sessions of all files.
  static let all: Result<[Session], any Error> = Result {
    let folder = testDataPath("ParallaxToolTests/Commands/Sessions/Files")
    return try namesInFolder(folder).sorted().filter { $0.hasSuffix(".session") }.flatMap { name in
      try read(try text(ofFile: "\(folder)/\(name)"), file: name)
    }
  }

  /// Reads a file of sessions.
  static func read(_ text: String, file: String) throws(TestSupportError) -> [Session] {
    var sessions: [Session] = []
    var variables = [("$ROOT", TestEnvironment.packageRoot)]
    var title: String?
    var rows: [[String]] = []
    var lines: [(number: Int, text: String)] = []

    func end() throws(TestSupportError) {
      guard let title else { return }
      for row in rows.isEmpty ? [[]] : rows {
        var session = Session(
          name: "\(file): \(title)" + (row.isEmpty ? "" : ": \(row.joined(separator: ", "))"))
        let parameters = row.enumerated().map { ("$\($0.offset + 1)", $0.element) }
        for line in lines {
          guard session.add(replace(variables, in: replace(parameters, in: line.text))) else {
            throw TestSupportError("\(file):\(line.number): unknown line: \(line.text)")
          }
        }
        sessions.append(session)
      }
    }

    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if let heading = rest(of: line, after: "## ") {
        try end()
        (title, rows, lines) = (heading, [], [])
      } else if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) {
        continue
      } else if let row = rest(of: line, after: "with ") {
        rows.append(row.split(separator: " => ", omittingEmptySubsequences: false).map(String.init))
      } else if title == nil, let definition = rest(of: line, after: "let "),
        let sign = definition.firstRange(of: " = ")
      {
        let value = replace(variables, in: String(definition[sign.upperBound...]))
        variables.append(("$" + definition[..<sign.lowerBound], value))
      } else {
        lines.append((index + 1, String(line)))
      }
    }
    try end()
    return sessions
  }

  private static func rest(of line: some StringProtocol, after start: String) -> String? {
    line.hasPrefix(start) ? String(line.dropFirst(start.count)) : nil
  }

  /// Replaces variables, those with longer names first.
  private static func replace(_ variables: [(String, String)], in text: String) -> String {
    variables.sorted { $0.0.count > $1.0.count }
      .reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  /// Adds a line.
  ///
  /// - Returns: Whether the line is one of those above.
  private mutating func add(_ line: String) -> Bool {
    let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let text = words.count > 1 ? String(words[1]) : ""
    switch words[0] {
    case "$": arguments = Self.split(text)
    case "file": files.append(Self.named(text))
    case "input": input = text.replacing(#"\n"#, with: "\n")
    case ">": steps.append(.receive(text))
    case "<":
      // Lines in a row are sent in one call: the command may exit as soon as it has enough.
      if case .send(let earlier) = steps.last {
        steps[steps.count - 1] = .send(earlier + "\n" + text)
      } else {
        steps.append(.send(text))
      }
    case "close": steps.append(.close)
    case "signal": steps.append(.signal(Int32(text) ?? 0))
    case "|": steps.append(.print(text))
    case "!": errors.append(("parallax: \(text)", true))
    case "!~": errors.append((text, false))
    case "=": exitCode = Int32(text) ?? -1
    case "kept": keptNames = text.split(separator: " ").map(String.init)
    case "text": texts.append(Self.named(text))
    default: return false
    }
    return true
  }

  /// Reads `NAME: TEXT`.
  private static func named(_ line: String) -> (name: String, text: String) {
    let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
    let text = parts.count > 1 ? String(parts[1]) : ""
    return (String(parts[0]), text.replacing(#"\n"#, with: "\n"))
  }

  /// Splits a command at spaces outside single quotes.
  static func split(_ command: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in command {
      if character == "'" {
        isQuoted.toggle()
        word = word ?? ""
      } else if character == " ", !isQuoted {
        if let complete = word { words.append(complete) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}
