// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

@Suite("parallax itself")
struct ParallaxToolTests {
  @Test(arguments: ["--version", "-V"])
  func versionIsTheRelease(option: String) throws {
    for (program, name) in [(Program.parallax, "parallax"), (Program.parallaxd, "parallaxd")] {
      let result = try program.run([option])
      #expect(result.output == "\(name) 0.1.0\n")
      #expect(result.exitCode == 0)
    }
  }

  @Test(arguments: [
    [], ["--help"], ["subscribe", "--help"], ["help"], ["help", "set"], ["help", "config", "show"],
    ["help", "help"], ["help", "--help"],
  ])
  func helpGoesToStandardOutput(arguments: [String]) throws {
    let result = try Program.parallax.run(arguments)
    #expect(result.output.contains("USAGE: parallax"))
    #expect(result.errors == "")
    #expect(result.exitCode == 0)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func shellCompletionsExist(shell: String) throws {
    let result = try Program.parallax.run(["--generate-completion-script", shell])
    #expect(result.output.contains("subscribe"))
    #expect(result.exitCode == 0)
  }

  /// Arguments and a part of the message.
  @Test(
    arguments: [
      (["bogus"], "subscribe"), (["statsu"], "unknown subcommand 'statsu'; did you mean 'status'?"),
      (["config", "chek"], "did you mean 'check'? Subcommands: check, show; see 'parallax config"),
      (["help", "nosuch"], "unknown subcommand 'nosuch'; use one of replay, "),
      (["help", "statsu"], "did you mean 'status'?"),
      (["help", "config", "shwo"], "did you mean 'show'?"),
      (["help", "status", "x"], "'parallax status' has no subcommands; see 'parallax --help'"),
      (["--bogus"], "unknown option '--bogus'"),
      (["status", "extra"], "see 'parallax status --help'"),
      (["status", "--json=1"], "--json"), (["status", "--control"], "--control"),
    ] as [([String], String)])
  func anInvalidCommandLineIsOneLineAndExit64(arguments: [String], part: String) throws {
    let result = try Program.parallax.run(arguments)
    #expect(result.exitCode == 64)
    #expect(result.output == "")
    #expect(result.errorLines.count == 1)
    #expect(result.errors.contains(part), "\(result.errors)")
  }

  @Test func helpIntoAClosedPipeEndsQuietly() throws {
    let result = try Program(path: "/bin/sh").run([
      "-c", "{ '\(Program.parallax.path)' --help; echo $? >&2; } | true",
    ])
    #expect(result.errors == "0\n")
  }
}
