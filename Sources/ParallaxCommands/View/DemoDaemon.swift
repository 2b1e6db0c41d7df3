// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxPlatform
import ParallaxTerminal

/// The daemon of `parallax demo`. It ends with this process, also if that is killed.
final class DemoDaemon {
  enum End {
    /// Because the view has ended.
    case requested
    /// By itself, with an exit status in words and its last messages.
    case itself(String, [Substring])
  }

  private let process: pid_t
  private let folder: DemoFolder
  private let cleanUp: ProcessGuard
  private var status: Int32?

  /// Starts parallaxd. Its messages go to a file, since the view has the terminal.
  init(_ arguments: [String], in folder: DemoFolder) throws {
    self.folder = folder
    let program = try SiblingProgram.path(of: "parallaxd")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    let flags = O_WRONLY | O_CREAT | O_APPEND
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, folder.log, flags, 0o600)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, folder.log, flags, 0o600)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The tool ignores these; the daemon must not inherit that.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    sigaddset(&defaults, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    // A group of its own: Ctrl-C and a closed window end the view, which ends the daemon.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var pointers: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    var started: pid_t = 0
    let code = posix_spawn(&started, program, &actions, &attributes, pointers, environ)
    guard code == 0 else {
      throw CommandFailure(
        .unavailable, "\(program): cannot be started: \(String(cString: strerror(code)))")
    }
    process = started
    do {
      cleanUp = try ProcessGuard(
        "kill \"$1\"; rm -rf \"$2\"", ["\(started)", folder.path])
    } catch {
      kill(started, SIGKILL)
      waitpid(started, nil, 0)
      throw CommandFailure(.unavailable, "no process for the demo: \(error.reason)")
    }
    cleanUp.set(needed: true)
  }

  /// Waits until the daemon accepts connections.
  ///
  /// - Throws: its last message if it ends before.
  func waitUntilReady() throws(CommandFailure) {
    // It binds the control socket last.
    while true {
      if (try? UnixStream.connect(to: folder.control)) != nil { return }
      if hasEnded {
        let messages = lastMessages
        for line in messages.dropLast() { Console.writeError("\(line)\n") }
        let name = messages.last.map(String.init) ?? "it gave no reason"
        throw CommandFailure(.unavailable, "the daemon did not start: \(name)")
      }
      poll(nil, 0, 10)
    }
  }

  var hasEnded: Bool {
    if status == nil {
      var value: Int32 = 0
      if waitpid(process, &value, WNOHANG) == process { status = value }
    }
    return status != nil
  }

  /// Ends the daemon, removes its folder and says how it ended.
  func end() -> End {
    defer {
      cleanUp.set(needed: false)
      folder.remove()
    }
    if hasEnded { return .itself(exitText, lastMessages) }
    kill(process, SIGTERM)
    // It ends within milliseconds.
    for _ in 0..<500 where !hasEnded { poll(nil, 0, 10) }
    if !hasEnded {
      kill(process, SIGKILL)
      var value: Int32 = 0
      waitpid(process, &value, 0)
      status = value
    }
    return .requested
  }

  private var exitText: String {
    let value = status ?? 0
    let signal = value & 0x7F
    return signal == 0 ? "exit code \(value >> 8 & 0xFF)" : "signal \(signal)"
  }

  private var lastMessages: [Substring] {
    guard let file = fopen(folder.log, "re") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").suffix(5)
  }
}
