// SPDX-License-Identifier: Apache-2.0

package import ParallaxConfig
package import ParallaxPlatform
package import ParallaxSystemd

/// Looks up users and groups; `machine` has the system's.
package struct AccountLookup {
  package var userID: (String) throws(SystemError) -> UInt32?
  package var groupID: (String) throws(SystemError) -> UInt32?
  /// Whether a user's account is a member of a group: user ID, group ID.
  package var isMember: (UInt32, UInt32) throws(SystemError) -> Bool

  package init(
    userID: @escaping (String) throws(SystemError) -> UInt32?,
    groupID: @escaping (String) throws(SystemError) -> UInt32?,
    isMember: @escaping (UInt32, UInt32) throws(SystemError) -> Bool
  ) {
    self.userID = userID
    self.groupID = groupID
    self.isMember = isMember
  }

  package static var machine: AccountLookup {
    AccountLookup(
      userID: { name throws(SystemError) in try Accounts.userID(named: name) },
      groupID: { name throws(SystemError) in try Accounts.groupID(named: name) },
      isMember: { user, group throws(SystemError) in
        try Accounts.isMember(userID: user, ofGroup: group)
      })
  }
}

/// Decides who may subscribe and who may control, by the credentials of the connecting process. A lookup
/// that fails counts as no.
package struct Admission {
  /// Members of this group may subscribe whatever `socket.access` is.
  package static let groupName = "parallax"

  package let daemonUserID: UInt32
  let sessions: any SessionDirectory
  private let accounts: AccountLookup

  package init(
    daemonUserID: UInt32, sessions: any SessionDirectory, accounts: AccountLookup
  ) {
    self.daemonUserID = daemonUserID
    self.sessions = sessions
    self.accounts = accounts
  }

  /// Whether it is root or the daemon's own user.
  package func isTrusted(_ peer: PeerCredentials) -> Bool {
    peer.userID == 0 || peer.userID == daemonUserID
  }

  package func admits(_ peer: PeerCredentials, _ socket: Configuration.Socket) -> Bool {
    if isTrusted(peer) || socket.access == .all { return true }
    if isMember(peer, ofGroup: Self.groupName) { return true }
    return socket.access == .session && hasActiveSession(peer)
  }

  /// The message for a user who was refused.
  package func refusalText(_ socket: Configuration.Socket) -> String {
    switch socket.access {
    case .all: "access denied"
    case .group: "access denied; join the group \(Self.groupName), then log in again"
    case .session:
      "access denied; log in at this machine or join the group \(Self.groupName)"
    }
  }

  package func mayControl(_ peer: PeerCredentials, _ socket: Configuration.Socket) -> Bool {
    if isTrusted(peer) { return true }
    for user in socket.controlUsers where id(of: user, accounts.userID) == peer.userID {
      return true
    }
    return socket.controlGroup.map { isMember(peer, ofGroup: $0) } ?? false
  }

  package func mayInhibit(_ peer: PeerCredentials) -> Bool {
    isTrusted(peer) || hasActiveSession(peer)
  }

  private func hasActiveSession(_ peer: PeerCredentials) -> Bool {
    (try? sessions.presence(ofUser: peer.userID)) == .active
  }

  private func isMember(_ peer: PeerCredentials, ofGroup name: String) -> Bool {
    guard let group = id(of: name, accounts.groupID) else { return false }
    return peer.isMember(ofGroup: group) ?? (try? accounts.isMember(peer.userID, group)) ?? false
  }

  /// Returns the ID of a name, or the ID that the text itself is.
  private func id(
    of name: String, _ lookUp: (String) throws(SystemError) -> UInt32?
  ) -> UInt32? {
    if let number = UInt32(name) { return number }
    return (try? lookUp(name)) ?? nil
  }
}

/// The limits on the number of connections to a socket.
struct ConnectionLimits {
  let total: Int
  let perUser: Int

  init(_ socket: Configuration.Socket) {
    total = socket.maxSubscribers
    perUser = socket.maxPerUser
  }

  /// Returns the message for a user whose connection would exceed a limit; nil if it is within both.
  func refusal(total count: Int, ofUser own: Int) -> String? {
    if count >= total {
      return "too many connections: the limit is \(total) (socket.max-subscribers)"
    }
    if own >= perUser {
      return "you have too many connections: the limit is \(perUser) per user (socket.max-per-uid)"
    }
    return nil
  }
}
