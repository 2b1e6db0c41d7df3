// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxTestSupport
import Testing

@testable import ParallaxTool

/// scripts/test-completions tries the completions in the shells.
@Suite("Completions")
struct CompletionTests {
  private static let fish = Result {
    try Program.parallax.run(["--generate-completion-script", "fish"]).output
  }

  /// Every value that is a path or one of a few words completes.
  @Test(arguments: Subcommands.all.map { $0._commandName })
  func everyFileAndChoiceCompletes(command: String) throws {
    let script = try Self.fish.get()
    let help = try Program.parallax.run([command, "--help"]).output
    for line in help.split(separator: "\n") {
      guard line.hasPrefix("  -"), let open = line.firstIndex(of: "<"),
        let close = line.firstIndex(of: ">")
      else { continue }
      let value = line[open...close].dropFirst().dropLast()
      let forms = value.split(separator: "|")
      let isPath = forms.contains { ["FILE", "PATH", "DIR"].contains($0) }
      let isChoice = forms.filter { $0.allSatisfy(\.isLowercase) }.count > 1
      guard isPath || isChoice, let name = line[..<open].split(separator: " ").last
      else { continue }
      let option = name.drop { $0 == "-" }
      let declaration = script.split(separator: "\n").first {
        $0.contains("\"parallax \(command)\"") && $0.contains(" -l '\(option)' ")
      }
      // -r requires a value, -F offers files, and -a words or, in parentheses, a program's output or folders.
      let offers = declaration.map {
        $0.hasSuffix(" -rF") || $0.contains(" -rfka ") || $0.hasSuffix("_complete_directories)'")
      }
      let isEmpty = declaration?.hasSuffix(" -rfka ''") == true
      #expect(
        offers == true && !isEmpty,
        "\(command) --\(option) <\(value)> has no completion; see CompletionKinds.swift")
    }
  }

  /// Sentences of allowed values, and their words.
  @Test(
    arguments: [
      ("auto, on or off", ["auto", "on", "off"]),
      ("\"rate\" or \"tilt\"", ["rate", "tilt"]),
      ("0.1 to 1000, or \"native\"", ["native"]),
      ("auto, or px per rad/s (in tilt mode, px per rad), as in 5 or 10,14", ["auto"]),
      (
        "auto[:calm], none, ema:TAU, one-euro:MINCUTOFF,BETA[,DCUTOFF] or spring:RESPONSE[,DAMPING]",
        ["auto", "auto:calm", "none", "ema:", "one-euro:", "spring:"]
      ),
      ("a file's path, as in \"/var/lib/parallax/walk.csv\", or \"\"", []),
    ] as [(String, [String])])
  func wordsComeFromTheAllowedValues(allowed: String, words: [String]) {
    #expect(CompletionWords.values(in: allowed) == words)
  }

  @Test func assignmentsHaveTheKeysAndTheirWords() {
    let assignments = CompletionWords.assignments
    #expect(assignments.contains("motion.mode=tilt"))
    #expect(assignments.contains("motion.scale="))
    #expect(!assignments.contains { $0.contains(" ") || $0.contains("\"") })
  }

  @Test(
    arguments: [
      (["parallax", "set", ""], 2, []),
      (["parallax", "set", "paused", ""], 3, ["paused"]),
      (["parallax", "set", "--control", "path", "paused", ""], 5, ["paused"]),
      (["parallax", "set", "--control=path", "paused", "on"], 3, []),
      (["parallax"], 0, []),
      (["parallax", "set"], 9, []),
    ] as [([String], Int, [String])])
  func argumentsAreFoundAmongOptions(words: [String], index: Int, expected: [String]) {
    #expect(
      CompletionWords.arguments(
        in: words, before: index, subcommand: "set", valueOptions: ["--control", "--socket"])
        == expected)
  }

  @Test func settingsAreKeysThenValues() {
    #expect(CompletionWords.settings(after: []).contains("paused"))
    #expect(CompletionWords.settings(after: ["paused"]) == ["on", "off"])
    #expect(CompletionWords.settings(after: ["nonsense"]) == [])
    #expect(CompletionWords.settings(after: ["paused", "on"]) == [])
  }

  @Test func filesCompleteByExtension() throws {
    let folder = try TemporaryFolder()
    for name in ["nudge.json", "nudge.txt", "other.json", ".hidden.json"] {
      try folder.write("", to: name)
    }
    try folder.makeFolder("nuts", mode: 0o700)
    #expect(
      CompletionLookup.files(folder("nu"), extensions: ["json"])
        == [folder("nudge.json"), folder("nuts/")])
    #expect(CompletionLookup.files(folder("nudge")) == [folder("nudge.json"), folder("nudge.txt")])
    #expect(CompletionLookup.files(folder("none/")) == [])
  }

  /// Nothing else is changed, and each script is.
  @Test func scriptsAreImproved() throws {
    #expect(CompletionScript.improved("text") == "text")
    let bash = try Program.parallax.run(["--generate-completion-script", "bash"]).output
    #expect(bash.hasSuffix("complete -o filenames -F _parallax_joined parallax\n"))
    let zsh = try Program.parallax.run(["--generate-completion-script", "zsh"]).output
    #expect(zsh.contains("'(-o --output)'{-o,--output=}'["))
    for declaration in ["'--format=[", "'--summary[", "'*--class=["] {
      #expect(zsh.contains(declaration), "\(declaration)")
    }
  }
}
