/// What the tool's exit status means (sysexits.h). 0 is success.
package enum ToolExit: Int32, CaseIterable, Sendable {
  case success = 0
  /// The command line is wrong.
  case usage = 64
  /// What was read is not what it should be.
  case badData = 65
  /// There is no such input, or it cannot be opened.
  case noInput = 66
  /// No device, or no daemon that answers.
  case unavailable = 69
  /// The output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed; a full disk too.
  case inputOutput = 74
  /// Not allowed.
  case noPermission = 77
  /// The configuration is wrong.
  case badConfiguration = 78
}

/// Ends a subcommand with a message for the person at the terminal. The tool prints it as one line,
/// `parallax: message`.
package struct CommandFailure: Error, Equatable, Sendable {
  package let exit: ToolExit
  /// What, where and what to do.
  package let message: String

  package init(_ exit: ToolExit, _ message: String) {
    self.exit = exit
    self.message = message
  }
}

/// Ends a subcommand whose reader has gone (`parallax subscribe | head -1`): quietly, exit 0.
package struct OutputClosed: Error, Equatable, Sendable {
  package init() {}
}
