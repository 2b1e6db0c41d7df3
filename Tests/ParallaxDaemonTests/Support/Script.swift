// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// A conversation of clients with a daemon in memory, and a clock: a `WrittenTest` in a `.script` file in
/// `Scripts`. `ScriptRun` has the verbs, `ScriptExpectations` what is expected.
struct Script: Sendable, CustomTestStringConvertible {
  private static let folder = "ParallaxDaemonTests/Scripts"

  let test: WrittenTest

  var testDescription: String { test.name }

  /// The scripts of all files.
  static let all: Result<[Script], any Error> = Result {
    try WrittenTest.all(inFolder: folder, ending: ".script").map { Script(test: $0) }
  }

  func place(of line: WrittenTest.Line) -> SourceLocation {
    SourceLocation(
      fileID: "ParallaxDaemonTests/\(test.file)", filePath: "Tests/\(Self.folder)/\(test.file)",
      line: line.number, column: 1)
  }
}
