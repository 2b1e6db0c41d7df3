// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// A case of bad input, or of input that only looks bad, and the reaction of the program.
struct BadInput: Sendable, CustomTestStringConvertible {
  enum Content: Sendable {
    case text(String)
    case bytes([UInt8])
    case folder
    /// A file with these permissions.
    case locked(String, mode: UInt32)
  }

  let name: String
  var program = Program.parallax
  /// The contents of the working directory.
  var files: [String: Content] = [:]
  var arguments: [String]
  /// Added to an environment whose folders are the working directory.
  var environment: [String: String?] = [:]
  /// Standard input.
  var input = ""
  /// Whether to run it again with `-o`, to a new name and to that of an older table.
  var isReplay = true
  /// The user who runs it; requires root.
  var user: UInt32?
  let exitCode: Int32
  /// The lines of standard error, without the name of the program.
  var messages: [String] = []
  /// Counts of `--summary`, for a trace that is read anyway.
  var counts: [String: Int] = [:]
  /// The options that the message advises. With them, the command succeeds.
  var remedy: String?

  var testDescription: String { name }

  var programName: String { String(program.path.split(separator: "/").last ?? "") }

  /// A trace in an otherwise empty folder.
  static func trace(
    _ name: String, file: String = "walk.csv", _ text: String, options: [String] = [],
    exit code: Int32 = 65, _ messages: String..., remedy: String? = nil
  ) -> BadInput {
    BadInput(
      name: name, files: [file: .text(text)], arguments: ["replay", file] + options,
      exitCode: code, messages: messages, remedy: remedy)
  }

  /// A trace that is read anyway.
  static func ordinary(
    _ name: String, _ text: String, options: [String] = [], counts: [String: Int],
    messages: [String] = []
  ) -> BadInput {
    BadInput(
      name: name, files: ["walk.csv": .text(text)], arguments: ["replay", "walk.csv"] + options,
      exitCode: 0, messages: messages, counts: counts)
  }

  /// Creates the working directory.
  func makeFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    if user != nil { folder.openToAll() }
    for (file, content) in files {
      switch content {
      case .text(let text): try folder.write(text, to: file)
      case .bytes(let bytes): try folder.write(bytes: bytes, to: file)
      case .folder: try folder.makeFolder(file)
      case .locked(let text, let mode):
        try folder.write(text, to: file)
        try changeMode(folder(file), mode)
      }
    }
    return folder
  }

  func run(in folder: TemporaryFolder, adding more: [String] = []) throws -> ProgramResult {
    var variables: [String: String?] = [
      "XDG_RUNTIME_DIR": folder.path, "XDG_CONFIG_HOME": folder.path, "HOME": folder.path,
      "PARALLAX_SOCKET": nil, "PARALLAX_CONTROL": nil, "RUNTIME_DIRECTORY": nil,
      "CONFIGURATION_DIRECTORY": nil,
    ]
    variables.merge(environment) { $1 }
    return try program.run(
      arguments + more, input: Array(input.utf8), environment: variables, folder: folder.path,
      timeoutSeconds: 60, as: user)
  }
}
