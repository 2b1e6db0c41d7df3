import Glibc

/// How large a socket's send buffer has to be for a slow reader to find no stale motion in it.
///
/// The kernel counts buffers, not bytes: a line of 80 bytes takes 512 to 768 of SO_SNDBUF on
/// x86-64, other architectures and kernels count otherwise. So it is tried out.
package struct SendBuffer: Equatable, Sendable {
  /// To be given to `setSendBuffer(bytes:)`.
  package var bytes: Int32
  /// How many lines, each sent by itself, it holds when nobody reads.
  package var lines: Int

  /// The default of Linux is 212992, which holds 278 such lines.
  private static let candidates: [Int32] = [65536, 32768, 16384, 8192, 6144, 4096, 3072, 2304, 1]

  /// The largest buffer of a few that holds at most `limit` lines of `lineBytes` bytes, found by
  /// filling socket pairs. Where the smallest that the kernel gives holds more, that one, and
  /// `lines` says so.
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
    // The end that nobody reads has to stay open meanwhile.
    defer { extendLifetime(pair) }
    try pair.first.setSendBuffer(bytes: bytes)
    let line = [UInt8](repeating: 0x20, count: lineBytes)
    var lines = 0
    while lines <= limit {
      switch line.withUnsafeBytes({ pair.first.send($0) }) {
      // A part of a line would be waiting too.
      case .sent: lines += 1
      case .wouldBlock: return lines
      case .closed: throw SystemError(number: EPIPE, call: "send")
      case .failed(let error): throw error
      }
    }
    return lines
  }
}
