import Glibc
import Synchronization

/// Ctrl-C, SIGTERM and the terminal's going (SIGHUP) as something to wait for, so that what was
/// begun can be ended well. Each signal counts once: a second one ends the program as ever.
enum Interruption {
  /// Where the handler writes to; -1 before there is anything.
  private static let input = Atomic<Int32>(-1)

  /// Begins to watch.
  ///
  /// - Returns: a descriptor that is readable from the first signal on.
  static func watch() throws(CommandFailure) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw CommandFailure(
        .inputOutput,
        "no descriptor for signals: \(String(cString: strerror(errno))); raise ulimit -n")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    input.store(ends[1], ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      // nohup wants no notice taken of it. SIGINT is ignored in whatever a script starts with '&',
      // and meant all the same where it is sent.
      if number == SIGHUP, sigaction(number, nil, &action) == 0, isIgnored(action) { continue }
      action = sigaction()
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
      action.__sigaction_handler.sa_handler = { number in
        let code = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(Interruption.input.load(ordering: .relaxed), &byte, 1)
        errno = code
      }
      _ = sigaction(number, &action, nil)
    }
    return ends[0]
  }

  /// Which signal it was, once the descriptor is readable.
  static func taken(from descriptor: Int32) -> Int32 {
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1) == 1 ? Int32(byte) : SIGINT
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    // SIG_IGN (signal(7)) is no function and cannot be compared as one.
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
