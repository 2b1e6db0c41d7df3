// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Complete reads and writes.
package enum Descriptor {
  /// Reads to the end of the file.
  /// - Returns: nil if reading fails or there are more than `limit` bytes.
  static func read(_ descriptor: Int32, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0, bytes.count + count <= limit else { return nil }
      if count == 0 { return bytes }
      bytes += block[..<count]
    }
  }

  /// Writes all bytes.
  /// - Returns: false if writing fails, with the reason in `errno`.
  package static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
}
