// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// One run of a command, with the test as the daemon: a `WrittenTest` in a `.session` file in `Files`.
///
/// A line is a word or a sign, a space, and a text:
///
///     file NAME: TEXT   a text at the end of a file in the working folder, before the command starts
///     file NAME*N: TEXT the text N times
///     rows NAME T N: TEXT N rows at 100 Hz at the end of a file: a time, from T s on, and the text
///     folder NAME       a folder in the working folder
///     mode NAME: OCTAL  the permissions of a file
///     unset NAMES       variables that the command does not have
///     env NAME=VALUE    a variable that it has
///     user NUMBER       the user who runs it, as only root can
///     input TEXT        standard input, after the last step
///     type TEXT         the command receives a text on its standard input, which stays open until the last step
///     daemon            a real daemon runs, instead of the test
///     $ COMMAND         the arguments of `parallax`; single quotes keep spaces. For each of several
///                       such lines, the session runs once more
///     $$ COMMAND        the arguments of `parallaxd`
///     > LINE            the next line that the daemon receives; "..." for any, "end" for the end
///     < LINE            the daemon sends a line
///     close             the daemon closes the connection
///     signal NUMBER     the command receives a signal
///     | LINE            the next line of standard output; "..." for any further lines
///     |~ PART           the output contains this
///     ! LINE            the next line of standard error, after the program's name and ": "
///     !~ PART           the next line of standard error contains this
///     = CODE            the exit code, 128 + N after a signal N; 0 without this line
///     kept NAMES        the files in the working folder afterwards; without this line and those
///                       with `text`, the same as before
///     text NAME: TEXT   the contents of a file afterwards
///     table             the output is a table: the command runs again with `-o`, to a new file and
///                       to an older one, which an error leaves as it was
///     counts KEY N, ... lines that `--summary` prints
///     remedy WORDS      with this advice, taken from the message, a shell runs the command without
///                       an error
///
/// `$PWD` is the working folder and `$ROOT` the package's. In files, inputs and commands, `\n`, `\r`,
/// `\u{1B}` and `\x{FF}` are a line feed, a carriage return, a character and a byte.
/// A connection is accepted when a line needs one. Output before a line of the daemon is expected
/// before that line is sent; the rest after the command has ended.
struct Session: Sendable, CustomTestStringConvertible {
  enum Step: Sendable {
    case receive(String)
    case send(String)
    case close
    case signal(Int32)
    case type(String)
    case print(String)
  }

  enum File: Sendable {
    case bytes([UInt8], name: String)
    case folder(String)
    case mode(UInt32, name: String)
  }

  let name: String
  var commands: [(program: Program, arguments: [String])] = []
  var files: [File] = []
  var environment: [String: String?] = [:]
  var user: UInt32?
  var input: [UInt8] = []
  var hasLiveDaemon = false
  var steps: [Step] = []
  var errors: [(text: String, isWhole: Bool)] = []
  var exitCode: Int32 = 0
  var keptNames: [String]?
  var texts: [(name: String, text: String)] = []
  var outputParts: [String] = []
  var isTable = false
  var counts: [String] = []
  var remedy: String?

  /// Whether the test plays the daemon's part.
  var needsDaemon: Bool {
    steps.contains { step in
      switch step {
      case .receive, .send, .close: true
      case .signal, .type, .print: false
      }
    }
  }

  var testDescription: String { name }
}

extension Session {
  /// The sessions of all files in a folder.
  static func all(in name: String) throws -> [Session] {
    try WrittenTest.all(
      inFolder: "ParallaxToolTests/Commands/Sessions/\(name)", ending: ".session",
      variables: ["ROOT": TestEnvironment.packageRoot]
    ).map { try Session($0) }
  }

  private init(_ test: WrittenTest) throws(TestSupportError) {
    name = test.name
    for line in test.lines where !add(line.text) {
      throw TestSupportError("\(test.file):\(line.number): unknown line: \(line.text)")
    }
  }

  /// Adds a line.
  ///
  /// - Returns: Whether the line is one of those above.
  private mutating func add(_ line: String) -> Bool {
    let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let text = words.count > 1 ? String(words[1]) : ""
    switch words[0] {
    case "$", "$$":
      let arguments = Self.split(text).map { String(decoding: Self.bytes($0), as: UTF8.self) }
      commands.append((words[0] == "$" ? .parallax : .parallaxd, arguments))
    case "file":
      let file = Self.named(text)
      let parts = file.name.split(separator: "*")
      let times = parts.count > 1 ? Int(parts[1]) ?? 0 : 1
      let bytes = [[UInt8]](repeating: Self.bytes(file.text), count: times)
      files.append(.bytes(Array(bytes.joined()), name: parts.first.map(String.init) ?? ""))
    case "rows":
      let rows = Self.named(text)
      let parts = rows.name.split(separator: " ")
      guard parts.count == 3, let first = Double(parts[1]), let count = Int(parts[2]) else {
        return false
      }
      let lines = (0..<count).map { "\((first * 100 + Double($0)) / 100),\(rows.text)\n" }.joined()
      files.append(.bytes(Array(lines.utf8), name: String(parts[0])))
    case "folder": files.append(.folder(text))
    case "mode":
      let file = Self.named(text)
      files.append(.mode(UInt32(file.text, radix: 8) ?? 0, name: file.name))
    case "unset":
      for name in text.split(separator: " ") { environment[String(name)] = .some(nil) }
    case "env":
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      environment[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
    case "user": user = UInt32(text)
    case "type": steps.append(.type(String(decoding: Self.bytes(text), as: UTF8.self)))
    case "input": input = Self.bytes(text)
    case "daemon": hasLiveDaemon = true
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
    case "|~": outputParts.append(text)
    case "!": errors.append((text, true))
    case "!~": errors.append((text, false))
    case "=": exitCode = Int32(text) ?? -1
    case "kept": keptNames = text.split(separator: " ").map(String.init)
    case "text":
      let file = Self.named(text)
      texts.append((file.name, String(decoding: Self.bytes(file.text), as: UTF8.self)))
    case "table": isTable = true
    case "counts":
      counts += text.split(separator: ", ").map { String($0.replacing(" ", with: ": ")) }
    case "remedy": remedy = text
    default: return false
    }
    return true
  }

  /// Reads `NAME: TEXT`.
  private static func named(_ line: String) -> (name: String, text: String) {
    let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count > 1 else { return (String(line.prefix { $0 != ":" }), "") }
    return (String(parts[0]), String(parts[1]))
  }

  /// Replaces `\n`, `\r`, `\u{1B}` and `\x{FF}`.
  private static func bytes(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let backslash = rest.firstIndex(of: "\\") {
      bytes += rest[..<backslash].utf8
      rest = rest[backslash...]
      if let escape = rest.prefixMatch(of: /\\([ux])\{([0-9A-F]+)\}/),
        let code = UInt32(escape.2, radix: 16), let scalar = UnicodeScalar(code)
      {
        bytes += escape.1 == "x" ? [UInt8(truncatingIfNeeded: code)] : Array(String(scalar).utf8)
        rest = rest[escape.range.upperBound...]
      } else if rest.hasPrefix(#"\n"#) || rest.hasPrefix(#"\r"#) {
        bytes.append(UInt8(ascii: rest.hasPrefix(#"\n"#) ? "\n" : "\r"))
        rest = rest.dropFirst(2)
      } else {
        bytes.append(UInt8(ascii: "\\"))
        rest = rest.dropFirst()
      }
    }
    return bytes + rest.utf8
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
