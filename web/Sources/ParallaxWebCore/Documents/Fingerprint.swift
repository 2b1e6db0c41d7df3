// SPDX-License-Identifier: Apache-2.0

/// A 64-bit hash of bytes (FNV-1a), to detect new versions and damage. It is not cryptographic.
package struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
  package let value: UInt64

  package init(_ bytes: some Sequence<UInt8>) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    value = hash
  }

  /// 16 hexadecimal digits.
  package var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
