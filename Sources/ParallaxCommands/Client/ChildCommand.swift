import Glibc

/// Runs a command with this process's own standard streams and waits for it.
enum ChildCommand {
  /// Ctrl-C reaches the command by itself, since it is in the same foreground group; SIGTERM and
  /// SIGHUP are handed on. Returns what a shell would call its exit status.
  static func run(_ command: [String]) -> Int32 {
    // Blocked and taken one by one with sigwait, so that no handler runs and none is lost.
    var taken = sigset_t()
    var before = sigset_t()
    sigemptyset(&taken)
    for signal in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD] { sigaddset(&taken, signal) }
    pthread_sigmask(SIG_BLOCK, &taken, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let process: pid_t
    switch spawn(command, mask: &before) {
    case .started(let started): process = started
    case .failed(let code):
      Console.report("\(command[0]): \(String(cString: strerror(code))); nothing was run")
      return code == ENOENT ? 127 : 126
    }
    while true {
      var signal: Int32 = 0
      guard sigwait(&taken, &signal) == 0 else { continue }
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
    // The tool ignores these; the command shall not inherit that.
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
