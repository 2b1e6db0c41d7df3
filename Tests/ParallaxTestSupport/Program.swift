import Glibc

/// How a program ended and what it wrote.
package struct ProgramResult: Sendable {
  /// The exit code; nil where a signal ended it.
  package var exitCode: Int32?
  /// The signal that ended it.
  package var signal: Int32?
  package var outputBytes: [UInt8]
  package var errorBytes: [UInt8]
  /// True where it was killed because the time was over.
  package var timedOut: Bool

  package var output: String { String(decoding: outputBytes, as: UTF8.self) }
  package var errors: String { String(decoding: errorBytes, as: UTF8.self) }
  package var outputLines: [Substring] { output.split(separator: "\n") }
  package var errorLines: [Substring] { errors.split(separator: "\n") }
}

/// A program to run: one of the package's own by name, another by its path.
package struct Program: Sendable {
  package let path: String

  package static let parallax = Program(built: "parallax")
  package static let parallaxd = Program(built: "parallaxd")

  /// One of the package's own, as built beside the tests.
  package init(built name: String) { path = "\(Surroundings.productsFolder)/\(name)" }

  package init(path: String) { self.path = path }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - input: its standard input; the pipe is closed behind it.
  ///   - environment: added to the tests' own; nil takes a variable away.
  ///   - folder: where it runs; the tests' own folder where nil.
  ///   - timeoutSeconds: it is killed after this many seconds (default 60), which the result says.
  ///   - user: a numeric user and group to run it as, with no other groups; needs root. The
  ///     program is copied to where that user can read it.
  package func run(
    _ arguments: [String] = [], input: [UInt8] = [], environment: [String: String?] = [:],
    folder: String? = nil, timeoutSeconds: Double = 60, as user: UInt32? = nil
  ) throws(TestSupportError) -> ProgramResult {
    let running = try start(arguments, environment: environment, folder: folder, as: user)
    return try running.finish(input: input, timeoutSeconds: timeoutSeconds)
  }

  package func run(
    _ arguments: [String] = [], input: String, environment: [String: String?] = [:],
    folder: String? = nil, timeoutSeconds: Double = 60, as user: UInt32? = nil
  ) throws(TestSupportError) -> ProgramResult {
    try run(
      arguments, input: Array(input.utf8), environment: environment, folder: folder,
      timeoutSeconds: timeoutSeconds, as: user)
  }

  /// Starts the program and leaves it running.
  package func start(
    _ arguments: [String] = [], environment: [String: String?] = [:], folder: String? = nil,
    as user: UInt32? = nil
  ) throws(TestSupportError) -> RunningProgram {
    var command = [path] + arguments
    var place: TemporaryFolder?
    if let user {
      // The build may stand in a folder that user cannot enter.
      let folder = try TemporaryFolder()
      chmod(folder.path, 0o755)
      let name = path.split(separator: "/").last.map(String.init) ?? "program"
      command[0] = try folder.write(bytes: contents(ofFile: path), to: name)
      chmod(command[0], 0o755)
      place = folder
      command =
        ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"] + command
    }
    if let folder { command = ["/usr/bin/env", "--chdir=\(folder)"] + command }
    return try RunningProgram(
      path: command[0], arguments: Array(command.dropFirst()), environment: environment,
      keeping: place)
  }
}
