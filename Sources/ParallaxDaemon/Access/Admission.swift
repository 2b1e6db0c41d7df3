package import ParallaxConfig
package import ParallaxSystem

/// Users and groups as admission asks for them. The real ones are the machine's.
package struct AccountLookup {
  package var userID: (String) throws(SystemError) -> UInt32?
  package var groupID: (String) throws(SystemError) -> UInt32?
  /// Whether the user's account is a member of the group.
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

/// Who may subscribe and who may steer, by what the kernel says of the one who connected. What
/// cannot be found out counts as no.
package struct Admission {
  /// Members may subscribe under every kind of access.
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

  /// root and the daemon's own uid.
  package func isTrusted(_ peer: PeerCredentials) -> Bool {
    peer.userID == 0 || peer.userID == daemonUserID
  }

  package func admits(_ peer: PeerCredentials, _ socket: Configuration.Socket) -> Bool {
    if isTrusted(peer) || socket.access == .all { return true }
    if isMember(peer, ofGroup: Self.groupName) { return true }
    return socket.access == .session && hasActiveSession(peer)
  }

  /// Why not, for the one who was refused.
  package func refusalText(_ socket: Configuration.Socket) -> String {
    switch socket.access {
    case .all: "you may not connect"
    case .group: "you may not connect; join the group \(Self.groupName) (and log in again)"
    case .session:
      "you may not connect; log in at this machine or join the group \(Self.groupName)"
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

  /// A name's number, or the number that stands for itself.
  private func id(
    of name: String, _ lookUp: (String) throws(SystemError) -> UInt32?
  ) -> UInt32? {
    if let number = UInt32(name) { return number }
    return (try? lookUp(name)) ?? nil
  }
}

/// How many connections there may be.
struct ConnectionLimits {
  let inAll: Int
  let perUser: Int

  init(_ socket: Configuration.Socket) {
    inAll = socket.maxSubscribers
    perUser = socket.maxPerUser
  }

  /// What to tell a user who is one too many; nil where there is room.
  func refusal(inAll count: Int, ofUser own: Int) -> String? {
    if count >= inAll {
      return "\(count) connections are open, as many as are allowed (socket.max-subscribers)"
    }
    if own >= perUser {
      return "\(own) connections of yours are open, as many as are allowed (socket.max-per-uid)"
    }
    return nil
  }
}
