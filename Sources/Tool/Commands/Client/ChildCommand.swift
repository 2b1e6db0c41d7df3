// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs a command with this process's standard streams and waits for it.
enum ChildCommand {
  /// Returns the exit status as a shell reports it.
  ///
  /// Ctrl-C reaches the command directly, because it is in the same foreground process group. SIGTERM
  /// and SIGHUP are forwarded.
  static func run(_ command: [String]) -> Int32 {
    // Blocked and received one by one by sigwait: no handler runs and no signal is lost.
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let process: pid_t
    switch spawn(command, mask: &before) {
    case .started(let started): process = started
    case .failed(let code):
      Console.report("\(command[0]): \(String(cString: strerror(code))); the command was not run")
      return code == ENOENT ? 127 : 126
    }
    while true {
      var signal: Int32 = 0
      guard sigwait(&signals, &signal) == 0 else { continue }
      switch signal {
      case SIGTERM, SIGHUP:
        kill(process, signal)
      case SIGCHLD:
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) == process else { continue }
        let ending = status & 0x7F
        return ending == 0 ? status >> 8 & 0xFF : 128 + ending
      default:
        break
      }
    }
  }

  private enum Start {
    case started(pid_t)
    case failed(errno: Int32)
  }

  private static func spawn(_ command: [String], mask: inout sigset_t) -> Start {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The tool ignores these. The command must not inherit that.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    sigaddset(&defaults, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var process: pid_t = 0
    let code = posix_spawnp(&process, command[0], nil, &attributes, arguments, environ)
    return code == 0 ? .started(process) : .failed(errno: code)
  }
}
