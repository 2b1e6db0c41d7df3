import CSystemd
import Glibc

/// Who is at the other end of a Unix socket, as the kernel saw it when they connected (or, for a
/// listener's clients, when the listener began to listen): it cannot be forged, and it does not
/// change when that process changes its identity later.
package struct PeerCredentials: Equatable, Sendable {
  /// The process; 0 where it lives in a process namespace that this one cannot see. It may have
  /// ended since and the number may be another's: for messages only.
  package var processID: Int32
  package var userID: UInt32
  package var groupID: UInt32
  /// Nil where the kernel cannot tell (before 4.13): then look the user's groups up.
  package var supplementaryGroups: [UInt32]?

  package init(
    processID: Int32, userID: UInt32, groupID: UInt32, supplementaryGroups: [UInt32]?
  ) {
    self.processID = processID
    self.userID = userID
    self.groupID = groupID
    self.supplementaryGroups = supplementaryGroups
  }

  /// Asks the kernel by SO_PEERCRED and SO_PEERGROUPS.
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

  /// Whether the process itself was a member, by its first or a supplementary group; nil where the
  /// kernel cannot tell.
  package func isMember(ofGroup group: UInt32) -> Bool? {
    if group == groupID { return true }
    return supplementaryGroups.map { $0.contains(group) }
  }

  private static func groups(of descriptor: Int32) -> [UInt32]? {
    // Linux allows 65536 groups; nearly everyone is in fewer than 32.
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
