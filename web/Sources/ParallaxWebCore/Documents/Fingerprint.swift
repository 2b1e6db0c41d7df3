/// A number of 64 bits for bytes: the same for the same bytes, and for others another by all odds
/// (FNV-1a). It tells versions and damage apart; it is no protection against malice.
package struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
  package let value: UInt64

  package init(_ bytes: some Sequence<UInt8>) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    value = hash
  }

  /// 16 digits.
  package var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
