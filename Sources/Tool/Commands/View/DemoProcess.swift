// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Starts the programs of a demo.
enum DemoProcess {
  /// Where a program writes.
  enum Output {
    /// Both outputs to the end of a file, for this user alone.
    case file(String)
    /// Standard output to a descriptor; standard error as this process's.
    case descriptor(Int32)
    case nowhere
  }

  /// Starts a program in a group of its own: Ctrl-C and a closed window end the demo, which ends its programs.
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
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The tool ignores or blocks these; its programs must not inherit that.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    posix_spawnattr_setsigmask(&attributes, &defaults)
    sigaddset(&defaults, SIGPIPE)
    sigaddset(&defaults, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var pointers: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    var started: pid_t = 0
    let code = posix_spawnp(&started, program, &actions, &attributes, pointers, environ)
    guard code == 0 else {
      throw CommandFailure(
        .unavailable, "\(program): cannot be started: \(String(cString: strerror(code)))")
    }
    return started
  }

  private static func open(
    _ path: String, _ flags: Int32, for actions: inout posix_spawn_file_actions_t
  ) {
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, path, O_WRONLY | flags, 0o600)
    }
  }
}
