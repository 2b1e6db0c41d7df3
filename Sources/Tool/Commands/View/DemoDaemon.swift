// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase

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
    let started = try HelperProcess.start(program, arguments, output: .file(folder.log))
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
