// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The size of a socket's send buffer that keeps stale motion from a slow reader.
///
/// The kernel counts buffers, not bytes: on x86-64 a line of 80 bytes takes 512 to 768 bytes of
/// SO_SNDBUF. Other architectures and kernels count differently, so the size is measured.
package struct SendBuffer: Equatable, Sendable {
  /// The argument for `setSendBuffer(bytes:)`.
  package var bytes: Int32
  /// The number of lines, sent one by one, that fit while the peer does not read.
  package var lines: Int

  /// Sizes to try. The default of Linux is 212992, in which 278 such lines fit.
  private static let candidates: [Int32] = [65536, 32768, 16384, 8192, 6144, 4096, 3072, 2304, 1]

  /// Finds the largest of a few sizes in which at most `limit` lines of `lineBytes` bytes fit, by
  /// filling socket pairs.
  ///
  /// If more fit into the kernel's smallest buffer, returns that one.
  package static func size(
    holdingAtMost limit: Int, linesOf lineBytes: Int
  ) throws(SystemError) -> SendBuffer {
    var smallest = SendBuffer(bytes: 1, lines: 0)
    for bytes in candidates {
      let lines = try count(linesOf: lineBytes, in: bytes, stoppingAbove: limit)
      smallest = SendBuffer(bytes: bytes, lines: lines)
      if lines <= limit { break }
    }
    return smallest
  }

  private static func count(
    linesOf lineBytes: Int, in bytes: Int32, stoppingAbove limit: Int
  ) throws(SystemError) -> Int {
    let pair = try UnixStream.pair()
    // Keeps the end that is not read open.
    defer { extendLifetime(pair) }
    try pair.first.setSendBuffer(bytes: bytes)
    let line = [UInt8](repeating: 0x20, count: lineBytes)
    var lines = 0
    while lines <= limit {
      switch line.withUnsafeBytes({ pair.first.send($0) }) {
      // A partial line counts: it would be stale too.
      case .sent: lines += 1
      case .wouldBlock: return lines
      case .closed: throw SystemError(number: EPIPE, call: "send")
      case .failed(let error): throw error
      }
    }
    return lines
  }
}
