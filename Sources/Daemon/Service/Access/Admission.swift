// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxConfig
package import ParallaxLoop

/// Looks up users and groups; `machine` has the system's.
package struct AccountLookup {
  /// Returns the ID of a user; nil if there is no such user.
  package var userID: (String) throws(SystemError) -> UInt32?
  /// Returns the ID of a group; nil if there is no such group.
  package var groupID: (String) throws(SystemError) -> UInt32?

  package init(
    userID: @escaping (String) throws(SystemError) -> UInt32?,
    groupID: @escaping (String) throws(SystemError) -> UInt32?
  ) {
    self.userID = userID
    self.groupID = groupID
  }

  package static var machine: AccountLookup {
    AccountLookup(
      userID: { name throws(SystemError) in try Accounts.userID(named: name) },
      groupID: { name throws(SystemError) in try Accounts.groupID(named: name) })
  }
}

/// Decides who may subscribe and who may control, by the credentials of the client's process and the
/// presence of its user.
///
/// Names are resolved when it is made, at the start and at a reload: nsswitch.conf may name a directory
/// service, and a lookup then waits for the network. Membership is what the kernel reports for the
/// process (SO_PEERGROUPS, Linux 4.13); an account is never looked up for a client.
package struct Admission: Equatable, Sendable {
  /// Members of this group may subscribe whatever `socket.access` is.
  package static let groupName = "parallax"

  /// The seat at which a user's session must be.
  package let seat: String
  let limits: ConnectionLimits
  private let daemonUserID: UInt32
  private let access: SocketAccess
  private let group: UInt32?
  private let controlUsers: Set<UInt32>
  private let controlGroup: UInt32?

  /// Resolves the names in `[socket]`.
  ///
  /// - Parameter warn: Receives a line for each name that does not count: it is unknown, or the lookup
  ///   failed.
  package init(
    _ socket: Configuration.Socket, daemonUserID: UInt32, accounts: AccountLookup,
    warn: (String) -> Void
  ) {
    func resolve(
      _ name: String, _ key: String, _ kind: String,
      _ lookUp: (String) throws(SystemError) -> UInt32?
    ) -> UInt32? {
      if let number = UInt32(name) { return number }
      do throws(SystemError) {
        if let id = try lookUp(name) { return id }
        warn("\(key): there is no \(kind) '\(name)'; add it, then run 'parallax reload'")
      } catch {
        warn("\(key): cannot look up '\(name)': \(error); 'parallax reload' tries again")
      }
      return nil
    }
    self.daemonUserID = daemonUserID
    access = socket.access
    seat = socket.seat
    limits = ConnectionLimits(socket)
    // Most machines need no such group.
    group =
      socket.access == .group
      ? resolve(Self.groupName, "socket.access", "group", accounts.groupID)
      : (try? accounts.groupID(Self.groupName)) ?? nil
    controlUsers = Set(
      socket.controlUsers.compactMap {
        resolve($0, "socket.control-users", "user", accounts.userID)
      })
    controlGroup = socket.controlGroup.flatMap {
      resolve($0, "socket.control-group", "group", accounts.groupID)
    }
  }

  /// Whether it is root or the daemon's own user.
  package func isTrusted(_ peer: PeerCredentials) -> Bool {
    peer.userID == 0 || peer.userID == daemonUserID
  }

  /// Whether the client may connect to the stream.
  package func admits(_ peer: PeerCredentials, _ presence: SessionPresence) -> Bool {
    needsNoSession(peer) || access == .session && presence == .active
  }

  /// Whether the client may stay connected to the stream. A user in the background may, without motion.
  package func keeps(_ peer: PeerCredentials, _ presence: SessionPresence) -> Bool {
    needsNoSession(peer) || access == .session && presence != .none
  }

  /// Whether the gate is closed for a user in the background.
  package func isInactive(_ presence: SessionPresence) -> Bool {
    access == .session && presence == .inactive
  }

  /// Whether the client is privileged.
  package func mayControl(_ peer: PeerCredentials) -> Bool {
    isTrusted(peer) || controlUsers.contains(peer.userID) || isMember(peer, of: controlGroup)
  }

  package func mayInhibit(_ peer: PeerCredentials, _ presence: SessionPresence) -> Bool {
    isTrusted(peer) || presence == .active
  }

  /// The message for a user who was refused.
  package var refusalText: String {
    switch access {
    case .all: "access denied"
    case .group: "access denied; join the group \(Self.groupName), then log in again"
    case .session:
      "access denied; log in at this machine or join the group \(Self.groupName)"
    }
  }

  private func needsNoSession(_ peer: PeerCredentials) -> Bool {
    isTrusted(peer) || access == .all || isMember(peer, of: group)
  }

  private func isMember(_ peer: PeerCredentials, of group: UInt32?) -> Bool {
    guard let group else { return false }
    return peer.isMember(ofGroup: group) ?? false
  }
}
