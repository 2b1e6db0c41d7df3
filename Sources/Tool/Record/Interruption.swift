// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import Synchronization

/// SIGINT (Ctrl-C), SIGTERM and SIGHUP as a descriptor to wait for, so that a command can finish its
/// work. Each signal is caught once: a second one ends the program as usual.
enum Interruption {
  /// The descriptor that the handler writes to; -1 before `watch()`.
  private static let input = Atomic<Int32>(-1)

  /// Catches the signals from now on.
  ///
  /// - Returns: A descriptor that becomes readable with the first signal.
  /// - Throws: `SystemError` if the process has no descriptor left.
  static func watch() throws(SystemError) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .last("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    input.store(ends[1], ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      // nohup ignores SIGHUP, which then stays ignored. A shell script starts programs with '&' with
      // SIGINT ignored; a SIGINT that is sent anyway is meant.
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

  /// Returns the number of the signal that made the descriptor readable.
  static func signal(from descriptor: Int32) -> Int32 {
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1) == 1 ? Int32(byte) : SIGINT
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    // SIG_IGN (signal(7)) is not a function and cannot be compared as one.
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
