// SPDX-License-Identifier: Apache-2.0

import Glibc
package import ParallaxBase
import ParallaxConfig
import ParallaxGates
package import ParallaxLoop
import ParallaxProtocol

/// What the decisions about clients are based on, besides the configuration.
package struct AccessEnvironment {
  package var daemonUserID: UInt32
  package var accounts: AccountLookup
  package var sessions: any SessionDirectory
  /// Calls back when the presence of a user may have changed, while the result is held. Throws `ENOENT`
  /// if the system has no sessions.
  package var watch: (@escaping () -> Void) throws(SystemError) -> any SessionWatch

  package init(
    daemonUserID: UInt32, accounts: AccountLookup, sessions: any SessionDirectory,
    watch: @escaping (@escaping () -> Void) throws(SystemError) -> any SessionWatch
  ) {
    self.daemonUserID = daemonUserID
    self.accounts = accounts
    self.sessions = sessions
    self.watch = watch
  }
}

/// Decides about every client of both sockets when it connects, and again at each change of a session
/// and at each reload.
///
/// Under `access = "session"` it also closes the gate for users in the background: they see no picture,
/// and must not see the motion of the user in front of the machine. A user without a session on the seat,
/// such as a service's, is not affected.
///
/// logind's sessions are read once and again when they change, while any client is connected. If they
/// cannot be read, those who need a session get no motion, and no one else who needs one is admitted.
package final class AccessMonitor {
  private let hub: MotionHub
  private let environment: AccessEnvironment
  private let clock: () -> MotionInstant
  private let log: (String) -> Void
  /// Disconnects the clients that `keeps` refuses. Set once, by the owner of both services.
  var reexamine: (MotionInstant) -> Void = { _ in }

  private var admission: Admission
  private var watch: (any SessionWatch)?
  /// The connections of each user, on both sockets.
  private var connections: [UInt32: Int] = [:]
  /// Current while `watch` is held.
  private var presences: [UInt32: SessionPresence] = [:]
  /// Why sessions cannot be read; nil if they can.
  private var failure: SystemError?
  /// Whether clients that a new configuration refuses may still be connected.
  private(set) var isReexamining = false
  /// When to examine all clients, or to read the sessions again.
  package private(set) var deadline: MotionInstant?

  private static let retryPause: MotionDuration = .seconds(1)

  package init(
    hub: MotionHub, environment: AccessEnvironment, clock: @escaping () -> MotionInstant,
    log: @escaping (String) -> Void
  ) {
    self.hub = hub
    self.environment = environment
    self.clock = clock
    self.log = log
    admission = Self.admission(hub, environment, log)
    hub.access = self
  }

  private static func admission(
    _ hub: MotionHub, _ environment: AccessEnvironment, _ warn: (String) -> Void
  ) -> Admission {
    Admission(
      hub.configuration.socket, daemonUserID: environment.daemonUserID,
      accounts: environment.accounts, warn: warn)
  }

  // MARK: - Decisions

  /// Whether the client is privileged.
  package func mayControl(_ peer: PeerCredentials) -> Bool { admission.mayControl(peer) }

  /// Whether an inhibition of the client counts now.
  package func mayInhibit(_ peer: PeerCredentials) -> Bool {
    admission.mayInhibit(peer, presence(of: peer.userID))
  }

  /// Whether an inhibition of the client counts now, or will once its user is in front again.
  func mayResumeInhibiting(_ peer: PeerCredentials) -> Bool {
    mayInhibit(peer) || presence(of: peer.userID) == .inactive
  }

  /// Returns why a new connection is refused; nil if it is admitted.
  ///
  /// - Parameters:
  ///   - controls: Whether it is one to the control socket.
  ///   - counts: The connections to that socket. Privileged users have places beyond its limits.
  func refusal(
    of peer: PeerCredentials, on connection: any Connection, controls: Bool,
    counts: ConnectionCounts
  ) -> ErrorMessage? {
    let isPrivileged = mayControl(peer)
    guard controls && isPrivileged || admits(peer) else { return denial }
    if isPrivileged { return nil }
    if connection.usesDescriptorReserve {
      return ErrorMessage(
        message: "the daemon has too many connections; try again later", code: .tooMany)
    }
    return counts.refusal(of: peer.userID, admission.limits)
      .map { ErrorMessage(message: $0, code: .tooMany) }
  }

  private func admits(_ peer: PeerCredentials) -> Bool {
    // Most clients need no session; then logind is not asked.
    if admission.admits(peer, .none) { return true }
    return admission.admits(peer, presence(of: peer.userID)) && failure == nil
  }

  /// Whether a connected client may stay.
  func keeps(_ peer: PeerCredentials, controls: Bool) -> Bool {
    controls && mayControl(peer) || admission.keeps(peer, presence(of: peer.userID))
  }

  /// The last line for a client that may not connect, or not stay.
  var denial: ErrorMessage { ErrorMessage(message: admission.refusalText, code: .denied) }

  func presence(of userID: UInt32) -> SessionPresence {
    if watch == nil { readSessions() }
    return presences[userID] ?? .none
  }

  // MARK: - Clients

  /// Counts a connection that was admitted, before its service greets it.
  func enter(_ peer: PeerCredentials, at now: MotionInstant) {
    connections[peer.userID, default: 0] += 1
    if watch == nil {
      let old = presences
      watchSessions(at: now)
      // A change since the decision.
      if presences != old { deadline = now }
    }
    updateGate(of: peer.userID, at: now)
  }

  /// Removes a connection that has closed.
  func leave(_ peer: PeerCredentials, at now: MotionInstant) {
    let left = connections[peer.userID, default: 1] - 1
    connections[peer.userID] = left > 0 ? left : nil
    guard left == 0 else { return }
    updateGate(of: peer.userID, at: now)
    if connections.isEmpty {
      watch = nil
      deadline = nil
      isReexamining = false
    }
  }

  // MARK: - Changes

  /// Changes `inputs` in place: it must not read the hub's gates or orientations meanwhile.
  func configurationDidChange(_ inputs: inout HubInputs) {
    let seat = admission.seat
    admission = Self.admission(hub, environment, log)
    if admission.seat != seat { readSessions() }
    for user in connections.keys where isInactive(user) { setGate(of: user, &inputs) }
    // The rest not at once: the client that asked for the reload gets its answer first.
    guard !connections.isEmpty else { return }
    isReexamining = true
    deadline = clock()
  }

  private func sessionsChanged() {
    let (old, hadFailed) = (presences, failure != nil)
    readSessions()
    if presences == old, hadFailed == (failure != nil) { return }
    examine(at: clock())
  }

  private func examine(at now: MotionInstant) {
    // Gates open after those who may not stay have left: the sensor is not switched on for them.
    for user in connections.keys where isInactive(user) { updateGate(of: user, at: now) }
    reexamine(now)
    isReexamining = false
    hub.update(at: now) { inputs in
      for user in connections.keys { setGate(of: user, &inputs) }
    }
  }

  /// Does what is due.
  package func expire(at now: MotionInstant) {
    guard let due = deadline, due <= now else { return }
    deadline = nil
    if failure != nil || watch == nil { watchSessions(at: now) }
    examine(at: now)
  }

  // MARK: - Sessions

  private func watchSessions(at now: MotionInstant) {
    do throws(SystemError) {
      if watch == nil { watch = try environment.watch { [weak self] in self?.sessionsChanged() } }
    } catch {
      // Without logind there is nothing to read either.
      if error.number != ENOENT { return failed(error) }
    }
    readSessions()
  }

  private func readSessions() {
    do throws(SystemError) {
      presences = try environment.sessions.presences(onSeat: admission.seat)
      failure = nil
    } catch {
      failed(error)
    }
  }

  private func failed(_ error: SystemError) {
    if failure == nil {
      log("cannot read the sessions, so that no one who needs one gets motion: \(error)")
    }
    failure = error
    if !connections.isEmpty { deadline = clock() + Self.retryPause }
  }

  // MARK: - Gate

  private static let inactive = GateReasons(.inactive)

  private func updateGate(of user: UInt32, at now: MotionInstant) {
    guard hub.gates.userReasons(user).contains(Self.inactive) != isInactive(user) else { return }
    hub.update(at: now) { setGate(of: user, &$0) }
  }

  private func setGate(of user: UInt32, _ inputs: inout HubInputs) {
    inputs.gates.setUser(user, Self.inactive, isInactive(user))
  }

  private func isInactive(_ user: UInt32) -> Bool {
    guard connections[user] != nil, let presence = presences[user] else { return false }
    return admission.isInactive(failure == nil ? presence : .inactive)
  }
}
