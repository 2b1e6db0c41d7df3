// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The exit and the output of a program.
package struct ProgramResult: Sendable {
  /// The exit code; nil if a signal ended the program.
  package var exitCode: Int32?
  /// The signal that ended the program.
  package var signal: Int32?
  package var outputBytes: [UInt8]
  package var errorBytes: [UInt8]
  /// Whether the program was killed at its time limit.
  package var timedOut: Bool

  package var output: String { String(decoding: outputBytes, as: UTF8.self) }
  package var errors: String { String(decoding: errorBytes, as: UTF8.self) }
  package var outputLines: [Substring] { output.split(separator: "\n") }
  package var errorLines: [Substring] { errors.split(separator: "\n") }
}

/// A program to run: a product of the package by name, any other by path.
package struct Program: Sendable {
  package let path: String

  package static let parallax = Program(built: "parallax")
  package static let parallaxd = Program(built: "parallaxd")

  /// A product of the package, built with the tests.
  package init(built name: String) { path = "\(TestEnvironment.productsFolder)/\(name)" }

  package init(path: String) { self.path = path }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - input: its standard input, after which the pipe is closed.
  ///   - environment: added to the environment of the tests; nil removes a variable.
  ///   - folder: the working folder; nil for that of the tests.
  ///   - timeoutSeconds: the time limit, after which the program is killed.
  ///   - user: the numeric user and group to run as, without other groups; needs root. The
  ///     program is copied to a folder that the user can read.
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
    var environment = environment
    if let user {
      // A build that counts lines writes the counts to a file of this user.
      environment["LLVM_PROFILE_FILE"] = .some("/dev/null")
      // The user may not be able to enter the build folder.
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
