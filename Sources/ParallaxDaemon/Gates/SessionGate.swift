// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig
import ParallaxPlatform
package import ParallaxSystemd
package import ParallaxTime

/// Closes the gate under `access = "session"` for users whose sessions are all in the background: they
/// see no picture, and must not see the motion of the user in front of the machine.
///
/// A user without a session, such as a service's, is not affected. logind is asked when a user connects
/// and whenever a user's state changes while one is connected.
package final class SessionGate: HubUserObserver {
  private let hub: MotionHub
  private let sessions: any SessionDirectory
  private let watchSessions: (@escaping () -> Void) -> (any SessionWatch)?
  private let clock: () -> MotionInstant
  private var watch: (any SessionWatch)?

  /// - Parameters:
  ///   - watchSessions: Calls back when the state of a user may have changed, while the result is held;
  ///     nil if the system has no sessions.
  package init(
    hub: MotionHub, sessions: any SessionDirectory,
    watchSessions: @escaping (@escaping () -> Void) -> (any SessionWatch)?,
    clock: @escaping () -> MotionInstant
  ) {
    self.hub = hub
    self.sessions = sessions
    self.watchSessions = watchSessions
    self.clock = clock
    hub.userObserver = self
  }

  package func userWillEnter(_ uid: UInt32, _ inputs: inout HubInputs) {
    if watch == nil {
      watch = watchSessions { [weak self] in
        guard let self else { return }
        hub.update(at: clock()) { self.configurationDidChange(&$0) }
      }
    }
    check(uid, &inputs)
  }

  package func userDidLeave(_ uid: UInt32, _ inputs: inout HubInputs) {
    inputs.gates.setUser(uid, GateReasons(.inactive), false)
    if hub.users.isEmpty { watch = nil }
  }

  package func configurationDidChange(_ inputs: inout HubInputs) {
    for user in hub.users { check(user.uid, &inputs) }
  }

  private func check(_ uid: UInt32, _ inputs: inout HubInputs) {
    let isInactive =
      hub.configuration.socket.access == .session
      && (try? sessions.presence(ofUser: uid)) == .inactive
    inputs.gates.setUser(uid, GateReasons(.inactive), isInactive)
  }
}
