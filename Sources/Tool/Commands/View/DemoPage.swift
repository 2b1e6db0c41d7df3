// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc

/// The page of `parallax demo --web` and `parallax web --open`, in the desktop's browser. It ends with this process,
/// also if that is killed.
final class DemoPage {
  private let process: pid_t
  private let cleanUp: ProcessGuard
  private var hasEnded = false

  /// Starts parallax-web and prints the address that it prints.
  ///
  /// - Parameter arguments: Of parallax-web.
  /// - Throws: `CommandFailure` if it does not listen; it has then said why.
  init(_ arguments: [String]) throws {
    let program = try SiblingProgram.path(of: "parallax-web", advice: PageServerOptions.advice)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw CommandFailure(.unavailable, "no pipe: \(String(cString: strerror(errno)))")
    }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let result = Result { () throws(CommandFailure) in
      try HelperProcess.start(program, arguments, output: .descriptor(ends[1]))
    }
    close(ends[1])
    let started = try result.get()
    do {
      cleanUp = try ProcessGuard("kill \"$1\"", ["\(started)"])
    } catch {
      kill(started, SIGKILL)
      waitpid(started, nil, 0)
      throw CommandFailure(.unavailable, "no process for the demo: \(error.reason)")
    }
    cleanUp.set(needed: true)
    process = started
    guard let address = Self.line(ends[0]) else {
      var status: Int32 = 0
      waitpid(started, &status, 0)
      cleanUp.set(needed: false)
      let code = status & 0x7F == 0 ? status >> 8 & 0xFF : ToolExit.unavailable.rawValue
      throw ExitCode(code)
    }
    try Console.print(address)
    Self.openBrowser(address)
  }

  /// Waits until a signal ends the page, or a program has ended: parallax-web or that of `daemonHasEnded`.
  ///
  /// - Returns: the signal; nil for Ctrl-C or the end of a program.
  func wait(_ daemonHasEnded: () -> Bool = { false }) -> Int32? {
    while true {
      if daemonHasEnded() { return nil }
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process {
        hasEnded = true
        return nil
      }
      var number: Int32 = 0
      var signals = Self.signals
      guard sigwait(&signals, &number) == 0, number != SIGCHLD else { continue }
      return number == SIGINT ? nil : number
    }
  }

  /// Ends parallax-web.
  func end() {
    cleanUp.set(needed: false)
    guard !hasEnded else { return }
    // It ends at once, whatever pages are open.
    kill(process, SIGTERM)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// Blocks the signals for which `wait` waits. Before the programs of a demo start.
  static func blockSignals() {
    var signals = signals
    sigprocmask(SIG_BLOCK, &signals, nil)
  }

  private static var signals: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGCHLD] { sigaddset(&set, number) }
    return set
  }

  /// Reads a line; nil if the program ends before.
  private static func line(_ descriptor: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 1_000 {
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return nil }
      if byte == UInt8(ascii: "\n") { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Opens the desktop's browser, if there is a desktop.
  private static func openBrowser(_ address: String) {
    let names = ["WAYLAND_DISPLAY", "DISPLAY"]
    let hasDisplay = names.contains { (name: String) in
      getenv(name).map { $0.pointee != 0 } ?? false
    }
    // Without xdg-open, the address is printed.
    if hasDisplay { _ = try? HelperProcess.start("xdg-open", [address], output: .nowhere) }
  }
}
