// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxTestSupport
import Testing

@testable import ParallaxTool

/// What the shells are offered. The scripts are ArgumentParser's.
@Suite("Completions")
struct CompletionTests {
  private static let fish = Result {
    try Program.parallax.run(["--generate-completion-script", "fish"]).output
  }

  /// Every value that is a path or one of a few words completes.
  @Test(arguments: Subcommands.groups.flatMap { $0.subcommands.map { $0._commandName } })
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

  /// Returns what a script of ArgumentParser receives for the last of the words.
  ///
  /// - Parameter argument: The option's name, or `positional@0`.
  private func answer(
    _ words: [String], to argument: String, shell: String = "bash", home: TemporaryFolder? = nil
  ) throws -> [String] {
    let result = try Program.parallax.run(
      ["---completion", words[0], "--", argument, "\(words.count)", "0", "parallax"] + words,
      environment: [
        "SAP_SHELL": shell, "XDG_CONFIG_HOME": home?.path ?? "/nonexistent",
        "XDG_RUNTIME_DIR": home?.path ?? "/nonexistent", "PARALLAX_CONTROL": nil,
        "PARALLAX_SOCKET": nil,
      ])
    #expect(result.errors == "" && result.exitCode == 0)
    return result.outputLines.map(String.init)
  }

  @Test(
    arguments: [
      (["set", ""], "positional@0", ["paused", "smoothing"]),
      (["set", "paused", ""], "positional@0", ["on", "off"]),
      (["set", "--control", "path", "orientation", "le"], "positional@0", ["left-up"]),
      (["set", "smoothing", "au"], "positional@0", ["auto", "auto:calm", "ema:"]),
      (["run", "--set", "motion.m"], "--set", ["motion.mode=", "motion.mode=tilt"]),
      (["run", "--source", ""], "--source", ["auto", "synthetic", "trace:"]),
      (["replay", "--rate", ""], "--rate", ["native"]),
      (["replay", "--orientation", ""], "--orientation", ["bottom-up"]),
    ] as [([String], String, [String])])
  func wordsAreOffered(words: [String], argument: String, expected: [String]) throws {
    let offered = try answer(words, to: argument)
    #expect(offered.filter(expected.contains) == expected, "\(offered)")
  }

  /// In zsh, the text after a colon is a description.
  @Test func colonsAreEscapedForZsh() throws {
    let offered = try answer(["set", "smoothing", ""], to: "positional@0", shell: "zsh")
    #expect(offered.contains(#"auto\:calm"#), "\(offered)")
  }

  /// Running animations, documents and layers; none without a daemon and a configuration.
  @Test func whatThisMachineHasIsOffered() throws {
    let folder = try TemporaryFolder()
    let document = #"{"parallax":1,"animation":{"repeat":"forever","of":{"delay":1}}}"#
    for name in ["swing", "greet"] {
      try folder.write(document, to: "animations/\(name).json")
    }
    let configuration = """
      [animations]
      directory = "\(folder("animations"))"
      [layers]
      card = 1.4
      """
    try folder.write(configuration, to: "parallax/parallax.toml")
    let daemon = try LiveDaemon(configuration: configuration)
    let control = ["--control", daemon.control]
    let started = try Program.parallax.run(["play", "--detach", "swing"] + control)
    #expect(started.exitCode == 0, "\(started.errors)")

    #expect(try answer(["stop"] + control + [""], to: "positional@0") == ["swing"])
    let playable = try answer(["play", ""], to: "positional@0", home: folder)
    #expect(playable.starts(with: ["greet", "swing", "bounce", "breathe"]), "\(playable)")
    // Those that are installed with parallax need neither a daemon nor a configuration.
    let installed = try answer(["play", ""], to: "positional@0")
    #expect(installed.contains("nudge"), "\(installed)")
    #expect(try answer(["play", "--layer", ""], to: "--layer", home: folder) == ["card"])
    #expect(try answer(["stop", ""], to: "positional@0").isEmpty)
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
}
