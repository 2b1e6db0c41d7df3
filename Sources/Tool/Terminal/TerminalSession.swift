// SPDX-License-Identifier: Apache-2.0

import CTerminal
import Glibc
import ParallaxBase

/// The terminal in raw mode on its alternate screen, from `init` to `end()`.
///
/// However the program ends, the terminal is as it was: `end()` restores it, a crash does so in its signal
/// handler, and after SIGKILL the guard process does.
struct TerminalSession: ~Copyable {
  private let terminal: Int32
  private let capabilities: TerminalCapabilities
  private let saved: termios
  private let watchdog: ProcessGuard

  /// Whether standard input and output are a terminal.
  static var isAvailable: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  }

  /// Switches the terminal of standard output to its alternate screen.
  ///
  /// - Throws: `SystemError` if it is not a terminal, or if there is no process left for the guard.
  init(_ capabilities: TerminalCapabilities) throws(SystemError) {
    var modes = termios()
    guard tcgetattr(STDOUT_FILENO, &modes) == 0 else { throw .last("tcgetattr") }
    let watchdog = try ProcessGuard(
      "stty \"$1\" <&1; printf '\(Self.octal(Self.leaving(capabilities)))'",
      [Self.text(of: modes)], output: STDOUT_FILENO)
    terminal = STDOUT_FILENO
    saved = modes
    self.capabilities = capabilities
    self.watchdog = watchdog
    enter()
  }

  /// The size; nil if the terminal is gone.
  var size: TerminalSize? {
    var rows: Int32 = 0
    var columns: Int32 = 0
    guard parallax_terminal_size(terminal, &rows, &columns) == 0 else { return nil }
    // A serial line does not know its size.
    return rows > 0 && columns > 0
      ? TerminalSize(columns: Int(columns), rows: Int(rows)) : TerminalSize(columns: 80, rows: 24)
  }

  /// Sends bytes. Returns false if the terminal is gone.
  borrowing func write(_ bytes: [UInt8]) -> Bool {
    bytes.isEmpty || bytes.withUnsafeBytes { CompleteWrite.write($0[...], to: terminal) } == 0
  }

  /// Switches to raw mode and the alternate screen, also again after the program was stopped.
  borrowing func enter() {
    watchdog.set(needed: true)
    let leaving = Self.leaving(capabilities)
    withUnsafePointer(to: saved) { modes in
      leaving.withCString { parallax_crash_arm(terminal, modes, $0, leaving.utf8.count) }
    }
    var raw = saved
    cfmakeraw(&raw)
    tcsetattr(terminal, TCSADRAIN, &raw)
    let sequences = capabilities.sequences
    _ = write(Array((sequences.enter + sequences.hideCursor).utf8))
  }

  /// Restores the terminal for the time that the program is stopped, and stops it. Returns when it goes on.
  borrowing func stop() {
    leave()
    kill(getpid(), SIGSTOP)
    enter()
  }

  /// Restores the terminal and ends the guard.
  consuming func end() {
    leave()
    watchdog.end()
  }

  private borrowing func leave() {
    _ = write(Array(Self.leaving(capabilities).utf8))
    var modes = saved
    tcsetattr(terminal, TCSADRAIN, &modes)
    parallax_crash_disarm()
    watchdog.set(needed: false)
  }

  private static func leaving(_ capabilities: TerminalCapabilities) -> String {
    let sequences = capabilities.sequences
    // A terminal without an alternate screen is cleared.
    let leave = sequences.leave.isEmpty ? "\u{1B}[2J\u{1B}[H" : sequences.leave
    return "\u{1B}[0m" + sequences.showCursor + leave
  }

  /// For printf of sh.
  private static func octal(_ sequence: String) -> String {
    sequence.utf8.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
  }

  /// The form of `stty -g`: flags and control characters in hexadecimal.
  private static func text(of modes: termios) -> String {
    let flags = [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
      .map { String($0, radix: 16) }
    let characters = withUnsafeBytes(of: modes.c_cc) { $0.map { String($0, radix: 16) } }
    return (flags + characters).joined(separator: ":")
  }
}
