// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// Checks every fenced block of the documents against the code:
///
/// - `sh` runs in a shell in a temporary home folder, one block after the other, with the built
///   programs in the PATH. `make` lines are left to continuous integration. A comment above the block
///   changes how it runs: `<!-- keeps running -->` runs it in the background of the blocks that follow
///   and expects a clean exit at Ctrl-C; `<!-- until a line comes -->` sends Ctrl-C after its first
///   line; `<!-- with a gyroscope -->` simulates a gyroscope with umockdev.
/// - `text` is either the output of the block above it, marked `<!-- prints -->`, or a drawing, marked
///   `<!-- drawing -->`. `mermaid` is a diagram.
/// - `conf` configures another program: each `parallax` command in it runs until a line comes.
/// - `toml` passes `parallax config check`, or is marked `<!-- a wallpaper -->`. `json` has one document per line.
/// - `swift` is also in a file of Tests named ...Example.swift, word for word, where it is compiled, unless it is marked
///   `<!-- there -->`: for another platform.
@Suite("Code blocks and links of the documents")
struct DocumentTests {
  private static let documents: [String] = {
    let root = TestEnvironment.packageRoot
    let docs = (try? files(below: root + "/docs", suffix: ".md")) ?? []
    return [root + "/README.md", root + "/CONTRIBUTING.md", root + "/SECURITY.md"] + docs
  }()

  @Test(arguments: documents)
  func everyBlockMatchesTheCode(path: String) throws {
    let page = try DocumentPage()
    for block in markdownBlocks(try text(ofFile: path)) {
      let place: Comment = "\(path):\(block.line)"
      switch block.language {
      case "sh": try page.run(block, place)
      case "text" where block.note == "drawing": break
      case "text": page.comparePrinted(block, place)
      case "conf": try page.runCommands(block, place)
      // WallpaperDocumentTests in desktop/ reads it.
      case "toml" where block.note == "a wallpaper": break
      case "toml": try page.checkConfiguration(block, place)
      case "json": try page.checkJSON(block, place)
      case "swift" where block.note == "there": break
      case "swift": #expect(try isCompiled(block), place)
      case "mermaid": break
      default: Issue.record("\(place): a block of language '\(block.language)' is not tested")
      }
    }
    try page.end()
  }

  @Test(arguments: documents)
  func everyLinkHasATarget(path: String) throws {
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    for part in try text(ofFile: path).split(separator: "](").dropFirst() {
      let target = part.prefix { $0 != ")" && $0 != "#" && $0 != " " }
      if target.isEmpty || target.contains("://") { continue }
      #expect(access("\(folder)/\(target)", F_OK) == 0, "\(path) links to \(target)")
    }
  }

  @Test func blocksAreFound() {
    let document = """
      text
      <!-- keeps running -->

      ```sh
      one

      two
      ```
      <!-- lost -->
      text
      ```swift
      three
      ```
      """
    let blocks = markdownBlocks(document)
    #expect(blocks.map(\.language) == ["sh", "swift"])
    #expect(blocks.map(\.note) == ["keeps running", ""])
    #expect(blocks.map(\.text) == ["one\n\ntwo\n", "three\n"])
    #expect(blocks.map(\.line) == [4, 11])
  }

  /// Returns whether an example file contains the block's lines in order, at any indentation, and its
  /// imports.
  private func isCompiled(_ block: MarkdownBlock) throws -> Bool {
    func trimmed(_ lines: [some StringProtocol]) -> String {
      lines.filter { !$0.isEmpty && !$0.hasPrefix("import ") }
        .map { $0.drop { $0 == " " } }.joined(separator: "\n")
    }
    let imports = block.lines.filter { $0.hasPrefix("import ") }
    let root = TestEnvironment.packageRoot
    return try files(below: root + "/Tests", suffix: "Example.swift")
      .contains { file in
        let source = try text(ofFile: file).split(separator: "\n")
        return imports.allSatisfy { source.contains(Substring($0)) }
          && trimmed(source).contains(trimmed(block.lines))
      }
  }
}

/// A new user's terminal for one document: an empty home folder, the built programs and the output of
/// the last block.
private final class DocumentPage {
  private let home: TemporaryFolder
  private let environment: [String: String?]
  private var printed: String?
  /// False after a block that this machine cannot run.
  private var isPrintKnown = true
  private var beside: [RunningProgram] = []

  init() throws {
    home = try TemporaryFolder()
    try home.makeFolder("run", mode: 0o700)
    try home.write(recordedTrace(), to: "Gyroscope.csv")
    environment = [
      "PATH": TestEnvironment.productsFolder + ":"
        + (environmentVariable("PATH") ?? "/usr/bin:/bin"),
      "HOME": home.path, "XDG_RUNTIME_DIR": home("run"), "XDG_CONFIG_HOME": home(".config"),
      "PARALLAX_SOCKET": nil, "PARALLAX_CONTROL": nil,
    ]
  }

  func run(_ block: MarkdownBlock, _ place: Comment) throws {
    let lines = block.lines.filter { !$0.hasPrefix("make") && !$0.isEmpty }
    guard !lines.isEmpty else { return }
    let script = lines.joined(separator: "\n")
    isPrintKnown = true
    switch block.note {
    case "keeps running":
      // In its own session, so Ctrl-C reaches all of its processes.
      let program = try start(script)
      try waitUntil("\(place): \(script): the socket exists") {
        access(home("run/parallax/parallax.sock"), F_OK) == 0
      }
      beside.append(program)
    case "until a line comes":
      let program = try start(script)
      #expect(try program.nextLine() != nil, place)
      try interrupt(program, place)
    case "with a gyroscope":
      guard Umockdev.isNeeded else {
        announce("NO umockdev: \(script)")
        isPrintKnown = false
        return
      }
      let result = try Umockdev.run(
        Program(path: "/bin/sh"), ["-euc", script], seeing: [.hid], environment: environment)
      #expect(result.exitCode == 0, "\(place): \(result.errors)")
      printed = result.output
    default:
      let result = try Program(path: "/bin/sh")
        .run(["-euc", script], environment: environment, folder: home.path)
      #expect(result.exitCode == 0, "\(place): \(result.errors)")
      printed = result.output
    }
  }

  func comparePrinted(_ block: MarkdownBlock, _ place: Comment) {
    #expect(block.note == "prints", "\(place): mark this block <!-- prints --> or <!-- drawing -->")
    guard isPrintKnown else { return }
    #expect(printed == block.text, place)
  }

  /// Runs the commands of a configuration: from `parallax` to a quote, a pipe or the end of the line.
  func runCommands(_ block: MarkdownBlock, _ place: Comment) throws {
    for line in block.lines {
      guard let begin = line.firstRange(of: "parallax subscribe")?.lowerBound else { continue }
      let program = try start(String(line[begin...].prefix { !"\"|".contains($0) }))
      #expect(try program.nextLine() != nil, place)
      try interrupt(program, place)
    }
  }

  func checkConfiguration(_ block: MarkdownBlock, _ place: Comment) throws {
    let file = try home.write(block.text, to: "block.toml")
    let result = try Program.parallax
      .run(["config", "check", "--config", file], environment: environment)
    #expect(result.exitCode == 0, "\(place): \(result.errors)")
  }

  func checkJSON(_ block: MarkdownBlock, _ place: Comment) throws {
    for line in block.lines {
      let result = try Program(path: "/usr/bin/jq").run(["-e", "type == \"object\""], input: line)
      #expect(result.exitCode == 0, "\(place): \(line)")
    }
  }

  /// Sends Ctrl-C to the blocks that keep running.
  func end() throws {
    for program in beside { try interrupt(program, "a block that keeps running") }
    beside = []
  }

  private func start(_ script: String) throws -> RunningProgram {
    try Program(path: "/usr/bin/setsid")
      .start(["/bin/sh", "-euc", script], environment: environment, folder: home.path)
  }

  private func interrupt(_ program: RunningProgram, _ place: Comment) throws {
    kill(-program.processID, SIGINT)
    let result = try program.finish()
    #expect(!result.timedOut, place)
    #expect(result.exitCode == 0 || result.signal == SIGINT, "\(place): \(result.errors)")
  }
}

/// Returns six seconds of slow rotation in the format of Sensor Logger.
private func recordedTrace() -> String {
  var lines = ["time,seconds_elapsed,z,y,x"]
  for index in 0..<600 {
    let seconds = Double(index) / 100
    let epoch = 1_700_000_000_000_000_000 + index * 10_000_000
    lines.append("\(epoch),\(seconds),0.001,\(0.4 * sin(2 * seconds)),\(0.2 * cos(3 * seconds))")
  }
  return lines.joined(separator: "\n") + "\n"
}
