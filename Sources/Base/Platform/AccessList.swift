// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// The POSIX access list of a file, whose entries extend the permissions of its owner and group.
///
/// Source: Linux include/uapi/linux/posix_acl_xattr.h.
package enum AccessList {
  private static let version: UInt32 = 2
  private static let (groupTag, maskTag): (UInt16, UInt16) = (0x08, 0x10)
  private static let read: UInt16 = 4
  /// More than the list of any device node.
  private static let maxBytes = 1_024

  /// Returns the groups whose entries allow reading. The file's own group is not one of them.
  package static func readingGroups(of path: String) -> [UInt32] {
    var bytes = [UInt8](repeating: 0, count: maxBytes)
    let count = parallax_access_list(path, &bytes, bytes.count)
    return readingGroups(in: bytes.prefix(max(0, count)))
  }

  /// - Parameter list: The extended attribute: a version, then a tag, permissions and an id for each entry,
  ///   with the lowest byte first.
  package static func readingGroups(in list: some Collection<UInt8>) -> [UInt32] {
    let bytes = Array(list)
    func number(_ count: Int, at index: Int) -> UInt32 {
      (0..<count).reduce(0) { $0 | UInt32(bytes[index + $1]) << UInt32(8 * $1) }
    }
    guard bytes.count >= 4, number(4, at: 0) == version else { return [] }
    let entries = stride(from: 4, through: bytes.count - 8, by: 8).map { index in
      (
        tag: UInt16(number(2, at: index)), permissions: UInt16(number(2, at: index + 2)),
        id: number(4, at: index + 4)
      )
    }
    let mask = entries.first { $0.tag == maskTag }?.permissions ?? read
    return entries.filter { $0.tag == groupTag && $0.permissions & mask & read != 0 }.map(\.id)
  }
}
