// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// A program on a terminal of its own, a pseudoterminal. It is killed when the last reference is dropped.
package final class TerminalProgram {
  package let processID: pid_t
  /// The terminal, as `/dev/pts/3`.
  package let name: String
  private let master: Int32
  private var received: [UInt8] = []
  private var isEnded = false

  /// Starts the program with the terminal as its standard streams.
  ///
  /// - Parameter environment: Changes to the environment of the tests; nil removes a variable.
  package init(
    _ program: Program, _ arguments: [String], rows: UInt16 = 24, columns: UInt16 = 80,
    environment: [String: String?] = [:]
  ) throws(TestSupportError) {
    // posix_openpt and its relatives are not in Swift's Glibc.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var isLocked: Int32 = 0
    var number: Int32 = 0
    guard master >= 0, ioctl(master, 0x4004_5431 /* TIOCSPTLCK */, &isLocked) == 0,
      ioctl(master, 0x8004_5430 /* TIOCGPTN */, &number) == 0
    else { throw .system("pseudoterminal") }
    name = "/dev/pts/\(number)"
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for stream: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, stream, name, O_RDWR, 0)
    }
    // The first terminal that the leader of a session opens becomes its controlling one.
    var attributes = RunningProgram.attributes(flags: 0x80 /* POSIX_SPAWN_SETSID */)
    defer { posix_spawnattr_destroy(&attributes) }
    var process: pid_t = 0
    let code = withCStrings([program.path] + arguments) { argv in
      withCStrings(RunningProgram.variables(changed: environment)) { variables in
        posix_spawn(&process, program.path, &actions, &attributes, argv, variables)
      }
    }
    guard code == 0 else { throw .system("start \(program.path)", code) }
    processID = process
  }

  deinit {
    if !isEnded {
      kill(processID, SIGKILL)
      var status: Int32 = 0
      waitpid(processID, &status, 0)
    }
    close(master)
  }

  package func send(signal: Int32) { kill(processID, signal) }

  /// Types the characters.
  package func type(_ keys: String) {
    _ = keys.utf8CString.withUnsafeBytes { write(master, $0.baseAddress, $0.count - 1) }
  }

  package func resize(rows: UInt16, columns: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// The modes of the terminal, as bytes to compare.
  package var modes: [UInt8] {
    var modes = termios()
    tcgetattr(master, &modes)
    return withUnsafeBytes(of: modes) { Array($0) }
  }

  /// Everything that the program has written since the last `forget()`.
  package var output: String { String(decoding: received, as: UTF8.self) }

  package func forget() { received.removeAll() }

  /// Reads until the output contains the text.
  package func wait(for text: String, timeoutSeconds: Double = 30) throws {
    let wanted = Array(text.utf8)
    try waitUntil("'\(text)' on the terminal", timeoutSeconds: timeoutSeconds) {
      read()
      return received.firstRange(of: wanted) != nil
    }
  }

  /// Waits for the end and returns the exit code, or 128 more than the signal. Reads the rest of the output.
  package func finish() throws -> Int32 {
    var status: Int32 = 0
    try waitUntil("the program ends") {
      read()
      return waitpid(processID, &status, WNOHANG) == processID
    }
    isEnded = true
    read()
    let signal = status & 0x7f
    return signal == 0 ? status >> 8 & 0xff : 128 + signal
  }

  /// Waits until the program is stopped, as by Ctrl-Z.
  package func waitUntilStopped() throws {
    var status: Int32 = 0
    try waitUntil("the program stops") {
      read()
      return waitpid(processID, &status, WNOHANG | WUNTRACED) == processID
    }
  }

  /// Whether a process has the terminal open.
  package var isInUse: Bool {
    guard let processes = try? namesInFolder("/proc") else { return false }
    return processes.contains { process in
      guard pid_t(process) != nil, let files = try? namesInFolder("/proc/\(process)/fd") else {
        return false
      }
      return files.contains { file in
        var target = [CChar](repeating: 0, count: 256)
        let count = readlink("/proc/\(process)/fd/\(file)", &target, target.count)
        return count > 0
          && String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            == name
      }
    }
  }

  package func read() {
    var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while poll(&entry, 1, 0) > 0 {
      let count = Glibc.read(master, &block, block.count)
      guard count > 0 else { return }
      received += block[..<count]
    }
  }
}
