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
    do {
      process = try ChildProcess.start(command, mask: before)
    } catch {
      Console.report("\(command[0]): \(error.reason); the command was not run")
      return error.number == ENOENT ? 127 : 126
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
}
