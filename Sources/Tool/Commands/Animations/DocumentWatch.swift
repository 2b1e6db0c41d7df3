// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxLoop

/// `preview --watch`: repeats whenever the document changes.
enum DocumentWatch {
  /// Runs until Ctrl-C. An error of the document is reported, and the watch goes on.
  ///
  /// - Parameters:
  ///   - clearsScreen: Whether each turn begins on an empty screen, if there is one.
  ///   - render: Reads the document and prints or draws it.
  static func run(path: String, clearsScreen: Bool, _ render: () throws -> Void) throws {
    guard access(path, F_OK) == 0 else { return try render() }
    do {
      // Before the document is read, so that no change is missed.
      let watch = try FileChangeWatch(path: path)
      let interruption = try Interruption.begin()
      let clears = clearsScreen && isatty(STDOUT_FILENO) == 1
      try attempt(clearsScreen: clears, render)
      Console.report("watching \(path); Ctrl-C ends")
      loop: while true {
        switch try watch.wait(interruption: interruption) {
        case .changed: try attempt(clearsScreen: clears, render)
        case .interrupted: return
        case .gone: break loop
        }
      }
    } catch let error as SystemError {
      throw CommandFailure(
        .inputOutput, "--watch: \(path) cannot be watched: \(error.reason); omit --watch")
    }
    throw CommandFailure(.noInput, "\(path): its folder is gone; start again where it is now")
  }

  private static func attempt(clearsScreen: Bool, _ render: () throws -> Void) throws {
    if clearsScreen {
      // To the upper left corner, and everything erased.
      try Console.print("\u{1B}[H\u{1B}[2J", terminator: "")
    }
    do {
      try render()
    } catch let failure as CommandFailure {
      Console.report(failure.message)
    }
  }
}
