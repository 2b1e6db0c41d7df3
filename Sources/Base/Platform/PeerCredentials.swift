// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Glibc

/// The credentials of the process at the other end of a Unix socket.
///
/// The kernel records them when that process connects or starts to listen. They cannot be forged and
/// do not change when the process changes its identity later.
package struct PeerCredentials: Equatable, Sendable {
  /// The process; 0 if it is in a process namespace that this one cannot see. For messages only: the
  /// process may have exited, and another may have its number.
  package var processID: Int32
  package var userID: UInt32
  package var groupID: UInt32
  /// Nil if the kernel does not report them (before 4.13): then look up the user's groups.
  package var supplementaryGroups: [UInt32]?

  package init(
    processID: Int32, userID: UInt32, groupID: UInt32, supplementaryGroups: [UInt32]?
  ) {
    self.processID = processID
    self.userID = userID
    self.groupID = groupID
    self.supplementaryGroups = supplementaryGroups
  }

  /// Reads the credentials with SO_PEERCRED and SO_PEERGROUPS.
  package init(of descriptor: Int32) throws(SystemError) {
    var credentials = parallax_credentials()
    guard parallax_peer_credentials(descriptor, &credentials) == 0 else {
      throw SystemError.last("getsockopt SO_PEERCRED")
    }
    processID = credentials.pid
    userID = credentials.uid
    groupID = credentials.gid
    supplementaryGroups = Self.groups(of: descriptor)
  }

  /// Returns whether the group is the process's primary group or a supplementary one; nil if the kernel
  /// does not report those.
  package func isMember(ofGroup group: UInt32) -> Bool? {
    if group == groupID { return true }
    return supplementaryGroups.map { $0.contains(group) }
  }

  private static func groups(of descriptor: Int32) -> [UInt32]? {
    // Linux allows 65536 groups; nearly all users have fewer than 32.
    var capacity: Int32 = 32
    while capacity <= 1 << 16 {
      var count: Int32 = 0
      let groups = [UInt32](unsafeUninitializedCapacity: Int(capacity)) { buffer, filled in
        count = parallax_peer_groups(descriptor, buffer.baseAddress, capacity)
        filled = count >= 0 && count <= capacity ? Int(count) : 0
      }
      if count < 0 { return nil }
      if count <= capacity { return groups }
      capacity = count
    }
    return nil
  }
}
