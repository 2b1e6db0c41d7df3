// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxTrace

/// A phone with phyphox, whose rows parallax-web prints to a pipe. Only separate programs use a network.
final class FeedPhone {
  private let process: pid_t
  private var output: FileDescriptor?
  private let address: String
  private var status: Int32?

  /// Starts parallax-web.
  init(_ address: String) throws(CommandFailure) {
    self.address = address
    let program = try SiblingProgram.path(of: "parallax-web", advice: PageServerOptions.advice)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw CommandFailure(.inputOutput, "no pipe: \(String(cString: strerror(errno)))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = FileDescriptor(owning: ends[0])
    defer { close(ends[1]) }
    process = try HelperProcess.start(
      program, ["phyphox", address], output: .descriptor(ends[1]))
  }

  /// Returns the rows. Call it once.
  func takeInput() -> TraceInput {
    guard let output = output.take() else { preconditionFailure("the rows were taken before") }
    return TraceInput(output, name: address)
  }

  /// Waits for the end of parallax-web, whose rows have ended or are not read any more.
  ///
  /// - Returns: Its exit code, if it has reported an error; nil: it has not.
  func errorCode() -> Int32? {
    let status = wait()
    if status == 0 { return nil }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : ToolExit.unavailable.rawValue
  }

  /// Ends parallax-web.
  func end() {
    guard status == nil else { return }
    kill(process, SIGTERM)
    _ = wait()
  }

  private func wait() -> Int32 {
    if let status { return status }
    var value: Int32 = 0
    while waitpid(process, &value, 0) < 0, errno == EINTR {}
    status = value
    return value
  }
}
