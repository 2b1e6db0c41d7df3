// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxBase
import ParallaxClient

/// Runs a view on a terminal, or prints lines where there is none.
struct ViewRunner {
  var options: ViewOptions

  init(_ options: ViewOptions) { self.options = options }

  /// What the terminal shows; nil if standard input and output are not a terminal with a cursor.
  static var capabilities: TerminalCapabilities? {
    guard TerminalSession.isAvailable else { return nil }
    return TerminalCapabilities { getenv($0).map { String(cString: $0) } }
  }

  /// Returns when the user ends the view.
  ///
  /// - Throws: also for a signal, as a shell reports it, and if the terminal is gone.
  func run() throws {
    guard let capabilities = Self.capabilities else {
      var loop = PlainLoop(options)
      return try Self.finish(try Self.report { try loop.run { try Console.print($0) } })
    }
    var loop = WatchLoop(capabilities, options)
    try Self.finish(try Self.report { try loop.run() })
  }

  static func finish(_ end: WatchEnd) throws {
    switch end {
    case .quit, .daemonEnded: return
    case .signal(let number): throw ExitCode(128 + number)
    case .terminalGone: throw OutputClosed()
    }
  }

  /// Runs `body` and turns its errors into those of a command.
  static func report<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as ParallaxError {
      throw CommandFailure(error)
    } catch let error as SystemError {
      throw CommandFailure(.inputOutput, "the terminal cannot be used: \(error.reason)")
    }
  }
}
