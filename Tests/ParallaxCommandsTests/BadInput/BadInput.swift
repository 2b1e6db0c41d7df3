import ParallaxTestSupport
import Testing

/// Something a program is given that is not as it should be, or looks so, and what it does then.
struct BadInput: Sendable, CustomTestStringConvertible {
  enum Content: Sendable {
    case text(String)
    case bytes([UInt8])
    case folder
    /// With these permissions, for another user.
    case locked(String, mode: UInt32)
  }

  let name: String
  var program = Program.parallax
  /// What lies in the folder in which the program runs.
  var files: [String: Content] = [:]
  var arguments: [String]
  /// Put over an environment that has its folders in this one.
  var environment: [String: String?] = [:]
  /// Standard input.
  var input = ""
  /// A `replay` is run again with `-o`, where there was nothing and where there was a table.
  var isReplay = true
  /// Who runs it; needs root.
  var user: UInt32?
  let exitCode: Int32
  /// Standard error, a line each, without the program's name in front.
  var messages: [String] = []
  /// What `--summary` has to count, of what is read in spite of all.
  var counts: [String: Int] = [:]
  /// What the message says to add, as one would type it: with it, it works.
  var remedy: String?

  var testDescription: String { name }

  var programName: String { String(program.path.split(separator: "/").last ?? "") }

  /// A trace of its own name in an otherwise empty folder.
  static func trace(
    _ name: String, file: String = "walk.csv", _ text: String, options: [String] = [],
    exit code: Int32 = 65, _ messages: String..., remedy: String? = nil
  ) -> BadInput {
    BadInput(
      name: name, files: [file: .text(text)], arguments: ["replay", file] + options,
      exitCode: code, messages: messages, remedy: remedy)
  }

  /// A trace that is read nevertheless.
  static func ordinary(
    _ name: String, _ text: String, options: [String] = [], counts: [String: Int],
    messages: [String] = []
  ) -> BadInput {
    BadInput(
      name: name, files: ["walk.csv": .text(text)], arguments: ["replay", "walk.csv"] + options,
      exitCode: 0, messages: messages, counts: counts)
  }

  /// Makes the folder in which the program runs.
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
