// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxClient
import ParallaxDevice
import ParallaxDocuments
import ParallaxTrace

/// The exit statuses of the tool (sysexits.h).
enum ToolExit: Int32, CaseIterable, Sendable {
  case success = 0
  /// The command line is wrong.
  case usage = 64
  /// The input is invalid.
  case badData = 65
  /// The input does not exist or cannot be opened.
  case noInput = 66
  /// No device, or no daemon answers.
  case unavailable = 69
  /// The output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed; a full disk too.
  case inputOutput = 74
  /// Permission denied.
  case noPermission = 77
  /// The configuration is wrong.
  case badConfiguration = 78
}

/// Ends a subcommand with a message. The tool prints it as one line, `parallax: message`.
struct CommandFailure: Error, Equatable, Sendable {
  let exit: ToolExit
  /// Where, what is wrong and what to do.
  let message: String

  init(_ exit: ToolExit, _ message: String) {
    self.exit = exit
    self.message = message
  }

  /// Returns the same failure with more to say.
  func adding(_ text: String) -> CommandFailure { CommandFailure(exit, "\(message); \(text)") }
}

/// Ends a subcommand whose reader is gone (`parallax subscribe | head -1`): silently, with exit 0.
struct OutputClosed: Error, Equatable, Sendable {
}

// MARK: - Exit statuses of errors

extension CommandFailure {
  init(_ error: ParallaxError) {
    self.init(ToolExit(error), error.description)
  }

  init(_ failure: RequestFailure) {
    switch failure {
    case .connection(let error): self.init(error)
    case .refused(let error): self.init(error)
    }
  }

  /// An ERROR of the daemon. Its `details` come first, one line each.
  init(_ error: ErrorMessage) {
    let lines =
      switch error.code {
      case .badConfiguration: error.details + ["the configuration is invalid; nothing was changed"]
      // `message` only adds the place in the request, which the user has not written.
      case .badRequest where !error.details.isEmpty: error.details
      default: error.details + [error.message]
      }
    for line in lines.dropLast() { Console.report(line) }
    self.init(ToolExit(error.code), lines.last ?? error.message)
  }

  init(_ error: OutputFileError) {
    self.init(ToolExit(error.kind), error.description)
  }

  init(_ error: TraceError) {
    self.init(ToolExit(error.meaning), error.description)
  }

  init(_ error: DeviceError) {
    self.init(ToolExit(error), error.reason)
  }

  init(_ error: DocumentError) {
    self.init(ToolExit(error.meaning), error.description)
  }
}

extension OutputFileError {
  /// The error that ends the command.
  var commandError: any Error {
    kind == .readerGone ? OutputClosed() : CommandFailure(self)
  }
}

extension ToolExit {
  init(_ error: ParallaxError) {
    self =
      switch error {
      case .noDaemon(let attempts):
        if attempts.contains(where: { $0.errno == EACCES || $0.errno == EPERM }) {
          .noPermission
        } else if attempts.allSatisfy({ $0.errno == ENAMETOOLONG }) {
          .usage
        } else {
          .unavailable
        }
      case .closed, .incompatible, .malformed: .unavailable
      case .inputOutput, .noResources: .inputOutput
      }
  }

  /// - Parameter code: The code of an ERROR; nil for one of a later release.
  init(_ code: ErrorMessage.Code?) {
    self =
      switch code {
      case .badRequest, .tooLong: .usage
      case .denied: .noPermission
      case .badConfiguration: .badConfiguration
      case .noSuchAnimation: .noInput
      case .badDocument: .badData
      case .tooMany, .behind, .unsupportedVersion, .unavailable, nil: .unavailable
      }
  }

  init(_ error: DeviceError) {
    self =
      switch error {
      case .none, .busy, .lost: .unavailable
      case .denied: .noPermission
      }
  }

  init(_ kind: OutputFileError.Kind) {
    self =
      switch kind {
      // Never printed: `OutputClosed` ends the command.
      case .readerGone: .success
      case .cannotCreate: .cannotCreate
      case .noPermission: .noPermission
      case .writeFailed: .inputOutput
      }
  }

  init(_ meaning: TraceError.Meaning) {
    self =
      switch meaning {
      case .badData: .badData
      case .noInput: .noInput
      case .noPermission: .noPermission
      case .readFailed: .inputOutput
      case .usage: .usage
      }
  }

  init(_ meaning: DocumentError.Meaning) {
    self =
      switch meaning {
      case .noSuchAnimation: .noInput
      case .noPermission: .noPermission
      case .readFailed: .inputOutput
      case .badData: .badData
      }
  }
}

extension Interruption {
  /// Catches the signals from now on, for a command.
  static func begin() throws(CommandFailure) -> Int32 {
    do {
      return try watch()
    } catch {
      throw CommandFailure(
        .inputOutput, "no descriptor for signals: \(error.reason); raise ulimit -n")
    }
  }
}
