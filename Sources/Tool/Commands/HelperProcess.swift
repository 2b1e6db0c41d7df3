// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Starts helper programs, which the command ends when it no longer needs them.
enum HelperProcess {
  /// Where a program writes.
  enum Output {
    /// Both outputs to the end of a file, for this user alone.
    case file(String)
    /// Standard output to a descriptor; standard error as this process's.
    case descriptor(Int32)
    case nowhere
  }

  /// Starts a program in a group of its own: Ctrl-C and a closed window end the command, which ends its
  /// programs.
  ///
  /// - Throws: `CommandFailure` if it cannot be started.
  static func start(
    _ program: String, _ arguments: [String], output: Output
  ) throws(CommandFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    switch output {
    case .file(let path): open(path, O_CREAT | O_APPEND, for: &actions)
    case .nowhere: open("/dev/null", 0, for: &actions)
    case .descriptor(let descriptor):
      posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
    }
    // A command may block signals; its programs must not.
    var none = sigset_t()
    sigemptyset(&none)
    do {
      return try ChildProcess.start(
        [program] + arguments, mask: none, actions: &actions, isOwnGroup: true)
    } catch {
      throw CommandFailure(.unavailable, "\(program): cannot be started: \(error.reason)")
    }
  }

  private static func open(
    _ path: String, _ flags: Int32, for actions: inout posix_spawn_file_actions_t
  ) {
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, path, O_WRONLY | flags, 0o600)
    }
  }
}
