import ParallaxConfig
package import ParallaxSystem

/// Closes the gate, under access `session`, for users whose sessions are all in the background: what
/// they do not see need not move, and what the one in front of the machine does is not theirs.
///
/// A user without any session (a service's) is not concerned. logind is asked when somebody comes and
/// whenever a user's state changes, as long as somebody is there.
package final class SessionGate {
  private let hub: MotionHub
  private let sessions: any SessionDirectory
  private let watchSessions: (@escaping () -> Void) -> (any SessionWatch)?
  private let clock: () -> Int64
  private var watch: (any SessionWatch)?

  /// - Parameters:
  ///   - watchSessions: calls back when some user's state may have changed, as long as the result is
  ///     held; nil where nobody can tell.
  package init(
    hub: MotionHub, sessions: any SessionDirectory,
    watchSessions: @escaping (@escaping () -> Void) -> (any SessionWatch)?,
    clock: @escaping () -> Int64
  ) {
    self.hub = hub
    self.sessions = sessions
    self.watchSessions = watchSessions
    self.clock = clock
    hub.userEnters = { [weak self] in self?.enters($0) }
    hub.userLeft = { [weak self] in self?.left($0) }
    hub.configurationChanged = { [weak self] in self?.look() }
  }

  /// Called before the user's gate is looked at for the first time.
  private func enters(_ uid: UInt32) {
    if watch == nil {
      watch = watchSessions { [weak self] in
        guard let self else { return }
        look()
        hub.gatesChanged(atNanoseconds: clock())
      }
    }
    look(at: uid)
  }

  private func left(_ uid: UInt32) {
    hub.gates.setUser(uid, GateReasons(.inactive), false)
    if hub.users.isEmpty { watch = nil }
  }

  private func look() {
    for user in hub.users { look(at: user.uid) }
  }

  private func look(at uid: UInt32) {
    let isInactive =
      hub.configuration.socket.access == .session
      && (try? sessions.presence(ofUser: uid)) == .inactive
    hub.gates.setUser(uid, GateReasons(.inactive), isInactive)
  }
}
