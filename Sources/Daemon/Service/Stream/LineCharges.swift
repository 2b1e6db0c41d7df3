// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// What the kernel charges a socket's send buffer for one line, by the line's length. Measured once, with a
/// socket pair.
package struct LineCharges: Sendable {
  private static let stepBytes = 64
  private static let maxLineBytes = 4096

  /// For lines of up to 64 bytes, 128 bytes and so on.
  private let bytes: [Int]

  package init() throws(SystemError) {
    let pair = try UnixStream.pair()
    try pair.first.setSendBuffer(bytes: 1 << 17)
    var line = [UInt8](repeating: 0x20, count: Self.maxLineBytes)
    var measured: [Int] = []
    for length in stride(from: Self.stepBytes, through: Self.maxLineBytes, by: Self.stepBytes) {
      _ = line.withUnsafeBytes {
        pair.first.send(UnsafeRawBufferPointer(rebasing: $0[..<length]))
      }
      // A kernel that does not report more than the bytes is taken to charge an empty buffer as well.
      measured.append(max(try pair.first.unreadByPeer(), length + 512))
      _ = line.withUnsafeMutableBytes { pair.second.receive(into: $0) }
    }
    bytes = measured
  }

  /// Returns the argument for `setSendBuffer(bytes:)` with which that many lines fit while the peer does not
  /// read. In the kernel's smallest buffer, about 6 short ones fit.
  package func sendBufferBytes(holding lines: Int, linesOf lineBytes: Int) -> Int32 {
    let index = min(max(0, (lineBytes - 1) / Self.stepBytes), bytes.count - 1)
    // The kernel doubles the argument.
    return Int32(clamping: lines * bytes[index] / 2)
  }
}
