// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// Every case of bad input, with the real programs: recordings.
@Suite("Bad recordings", .timeLimit(.minutes(10)))
struct BadRecordingTests {
  @Test(
    arguments: BadInput.places + BadInput.headers + BadInput.rows + BadInput.suspects
      + BadInput.limits)
  func oneLinePerErrorAndNoPartialFile(_ given: BadInput) throws { try given.check() }
}

/// Options, configurations and environments.
@Suite("Bad options", .timeLimit(.minutes(10)))
struct BadOptionTests {
  @Test(
    arguments: BadInput.wrongOptions + BadInput.wrongValues + BadInput.configurations
      + BadInput.environments + BadInput.hints)
  func oneLinePerErrorAndNoPartialFile(_ given: BadInput) throws { try given.check() }
}

/// Sockets, outputs and documents.
@Suite("Bad files", .timeLimit(.minutes(10)))
struct BadFileTests {
  @Test(arguments: BadInput.sockets + BadInput.outputs + BadInput.documents("preview"))
  func oneLinePerErrorAndNoPartialFile(_ given: BadInput) throws { try given.check() }

  @Test func playReportsTheErrorOfTheDaemon() throws {
    let daemon = try LiveDaemon()
    for given in BadInput.documents("play", ["--socket", daemon.socket]) { try given.check() }
  }
}

extension BadInput {
  /// Runs the case, for a table also with `-o`.
  fileprivate func check() throws {
    let given = self
    guard given.user == nil || TestEnvironment.isRoot else {
      try leaveOut("root: \(given.name)")
      return
    }
    let folder = try given.makeFolder()
    let before = try folder.names()

    let plain = try given.run(in: folder)
    expect(plain, of: given)
    #expect(try folder.names() == before)
    guard given.isReplay else { return }
    #expect((plain.output == "") != (given.exitCode == 0) || given.hasGoodRows)

    // A new table, then one that replaces an older table.
    expect(try given.run(in: folder, adding: ["-o", "new.out"]), of: given)
    try folder.write("older", to: "older.out")
    expect(try given.run(in: folder, adding: ["-o", "older.out"]), of: given)
    let table = try folder.text(of: "older.out")
    if given.exitCode == 0 {
      #expect(try folder.names() == (before + ["new.out", "older.out"]).sorted())
      #expect(table == plain.output)
      #expect(try folder.text(of: "new.out") == plain.output)
      try expectCounts(of: given, in: folder)
    } else {
      #expect(try folder.names() == (before + ["older.out"]).sorted())
      #expect(table == "older")
    }
    if let remedy = given.remedy { try expectThat(remedy, helps: given, in: folder) }
  }

  private func expect(_ result: ProgramResult, of given: BadInput) {
    let lines = given.messages.map { "\(given.programName): \($0)\n" }.joined()
    #expect(result.signal == nil && !result.timedOut)
    #expect(result.exitCode == given.exitCode)
    // The line and the column of a place in a document have tests of their own.
    #expect(result.errors.replacing(/:[0-9]+:[0-9]+: \$/, with: ": $") == lines)
  }

  private func expectCounts(of given: BadInput, in folder: TemporaryFolder) throws {
    guard !given.counts.isEmpty else { return }
    let lines = try given.run(in: folder, adding: ["--summary"]).errorLines
    for (key, count) in given.counts {
      #expect(lines.contains { $0 == "\(key): \(count)" }, "\(key) is not \(count) in \(lines)")
    }
  }

  /// Runs the command with the advice of the message, through a shell.
  private func expectThat(
    _ remedy: String, helps given: BadInput, in folder: TemporaryFolder
  ) throws {
    #expect(given.messages.allSatisfy { $0.contains(remedy) || !$0.contains("try ") })
    let arguments = given.arguments.joined(separator: " ")
    let result = try Program(path: "/bin/sh").run(
      ["-c", "'\(Program.parallax.path)' \(arguments) \(remedy)"], input: given.input,
      folder: folder.path)
    #expect(result.errors == "")
    #expect(result.exitCode == 0)
    #expect(result.outputLines.count >= 2)
    #expect(!folder.exists("hurt"))
  }

  /// The frames before an invalid row have been printed.
  private var hasGoodRows: Bool { exitCode == 65 }
}

/// Changes the permissions of a file.
func changeMode(_ path: String, _ mode: UInt32) throws {
  try #require(chmod(path, mode) == 0, "chmod \(path): \(String(cString: strerror(errno)))")
}
