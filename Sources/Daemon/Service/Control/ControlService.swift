// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxConfig
import ParallaxGates
import ParallaxMotion
import ParallaxProtocol

/// The control socket: answers each request with one line, and reverts what depends on a connection
/// when the connection ends.
package final class ControlService: ClientService {
  /// In no particular order.
  package var clients: [ControlSession] { roster.clients }

  let hub: MotionHub
  let stream: StreamService
  let access: AccessMonitor
  /// The samples of the client that feeds.
  let feed: Feed
  private let budgets: UserBudgets
  private var counts = ConnectionCounts()
  /// Reads the configuration again and applies it; returns a note for the client.
  package var reload: (MotionInstant) -> Result<String?, ConfigurationErrors> = { _ in
    .success(nil)
  }

  private var line = OutputBuffer()
  private let roster = ClientRoster<ControlSession>()
  /// The number of clients that record, or wait to.
  var recordings = 0
  /// The number of connections so far.
  private var connections: UInt64 = 0

  package init(
    hub: MotionHub, stream: StreamService, access: AccessMonitor, budgets: UserBudgets,
    feed: Feed
  ) {
    self.feed = feed
    self.budgets = budgets
    self.hub = hub
    self.stream = stream
    self.access = access
    hub.control = self
  }

  // MARK: - Connections

  package func connect(
    _ connection: any Connection, from peer: PeerCredentials, at now: MotionInstant
  ) -> (any ClientEvents)? {
    let isPrivileged = isPrivileged(peer)
    let budget = budgets.budget(ofUser: peer.userID, isLimited: !isPrivileged, at: now)
    let channel = LineChannel(
      connection, lineLimit: isPrivileged ? .control : .controlWithoutPlay, budget: budget)
    let refusal = access.refusal(of: peer, on: connection, controls: true, counts: counts)
    if let refusal = refusal ?? budget.refusal(at: now) {
      channel.finish(refusal, at: now)
      channel.close()
      return nil
    }
    access.enter(peer, at: now)
    connections += 1
    let client = ControlSession(
      channel: channel, peer: peer, number: connections, service: self)
    client.isCounted = !isPrivileged
    if client.isCounted { counts.add(peer.userID) }
    roster.add(client)
    return client
  }

  /// Releases closed connections and reverts their requests.
  func settle(at now: MotionInstant) {
    // A request for a reload has been answered now.
    access.expire(at: now)
    guard roster.hasClosed else { return }
    let closed = roster.removeClosed()
    defer { budgets.releaseMemory() }
    for client in closed {
      client.recording = .none
      if client.isCounted { counts.remove(client.peer.userID) }
      access.leave(client.peer, at: now)
      hub.animations.ownerLeft(client, at: now)
      endRecording(of: client)
      endFeed(of: client, at: now)
      client.leavePlayUser()
    }
    for client in closed where client.agent.hasReport {
      if client.agent.reduceMotion == true {
        hub.log(
          "the agent of user \(client.peer.userID) has disconnected; its reduced-motion report no "
            + "longer applies")
      }
      agentChanged(of: client.peer.userID, at: now)
    }
    if closed.contains(where: { $0.inhibitReason != nil }) { inhibitorsChanged(at: now) }
    hub.update(at: now)
  }

  // MARK: - Requests

  func answer(_ request: [UInt8], from client: ControlSession, at now: MotionInstant) {
    // Only a request with a document may be that long.
    if request.count > LineLimit.control.bytes { return readLater(request, from: client, at: now) }
    answer(ReceivedRequest(request), from: client, at: now)
  }

  func answer(_ request: ReceivedRequest, from client: ControlSession, at now: MotionInstant) {
    let answer: ControlAnswer?
    do throws(RequestError) {
      answer = try perform(request, for: client, at: now)
    } catch {
      answer = .error(error.answer, tag: request.line.tag)
    }
    if let answer { reply(answer, to: client, at: now) }
  }

  func reply(
    _ answer: ControlAnswer, to client: ControlSession, at now: MotionInstant
  ) {
    line.removeAll()
    line.appendLine(answer)
    client.channel.send(line, as: .event, at: now)
  }

  /// Performs a request and returns the answer; nil if it is sent later.
  ///
  /// - Throws: First for what is wrong with the request, then for a client that may not send it.
  private func perform(
    _ received: ReceivedRequest, for client: ControlSession, at now: MotionInstant
  ) throws(RequestError) -> ControlAnswer? {
    let (request, tag) = (try received.line.request.get(), received.line.tag)
    switch request {
    case .set(let set):
      let change = try SetChange(set)
      try checkPermission(of: client, for: request)
      apply(change, at: now)
      return .ack(AckMessage(note: note(about: change)), tag: tag)
    case .play(let play):
      try play.checkName()
      try checkPermission(of: client, for: request)
      self.play(received.animation ?? RequestedAnimation(play), tag: tag, for: client)
      return nil
    case .animate(let animate):
      let action = try animate.runAction()
      try checkPermission(of: client, for: request)
      return perform(animate, action, tag: tag, for: client, at: now)
    default:
      try checkPermission(of: client, for: request)
      return perform(request, tag: tag, for: client, at: now)
    }
  }

  private func perform(
    _ request: ControlRequest, tag: RequestTag?, for client: ControlSession,
    at now: MotionInstant
  ) -> ControlAnswer? {
    switch request {
    case .status:
      return .status(status(for: client.peer, at: now), tag: tag)
    case .recenter:
      hub.engine.recenter(at: now)
      let note =
        hub.configuration.motion.mode == .rate ? "recenter has no effect in rate mode" : nil
      return .ack(AckMessage(note: note), tag: tag)
    case .reload:
      switch reload(now) {
      case .success(let note): return .ack(AckMessage(note: note), tag: tag)
      case .failure(let error):
        return .error(
          ErrorMessage(
            message:
              "the configuration is invalid; nothing was changed: \(error.lines.first ?? "")",
            code: .badConfiguration, details: error.lines), tag: tag)
      }
    case .inhibit(let reason):
      client.inhibitReason = reason
      inhibitorsChanged(at: now)
      return .ack(AckMessage(), tag: tag)
    case .agent(let report):
      if let reduceMotion = report.reduceMotion { client.agent.reduceMotion = reduceMotion }
      if let reported = report.orientation {
        client.agent.orientation = reported.orientation
      }
      agentChanged(of: client.peer.userID, at: now)
      guard let wanted = report.wanted else { return .ack(AckMessage(), tag: tag) }
      client.agent.receivesWanted = wanted
      client.agent.lastWanted = nil
      reply(.ack(AckMessage(), tag: tag), to: client, at: now)
      orientationsChanged(at: now)
      return nil
    case .record:
      return record(client, tag: tag, at: now)
    case .stop(let id):
      return .ack(stop(id, at: now), tag: tag)
    case .feed(let request):
      return beginFeed(request, of: client, tag: tag, at: now)
    case .sample(let request):
      return take(CollectionOfOne(request), from: client, tag: tag, at: now)
    case .samples(let request):
      return take(
        request.samples.lazy.map { SampleRequest(time: $0.time, rateRadPerSec: $0.rateRadPerSec) },
        from: client, tag: tag, at: now)
    // Performed above.
    case .set, .play, .animate: return nil
    }
  }

  /// Throws if this client may not send that request.
  private func checkPermission(
    of client: ControlSession, for request: ControlRequest
  ) throws(RequestError) {
    switch request {
    // A client that feeds has had permission, and is disconnected when it loses it.
    case .status, .agent, .sample, .samples: break
    case .inhibit:
      guard access.mayInhibit(client.peer) else { throw RequestError(Self.inhibitDenial) }
      let uid = client.peer.userID
      let isTaken = clients.contains {
        $0 !== client && $0.inhibitReason != nil && $0.peer.userID == uid
      }
      guard !isTaken else {
        throw RequestError(
          "another of your connections already inhibits motion; close that one first",
          code: .tooMany)
      }
    case .recenter, .reload, .record, .feed, .stop, .set, .play, .animate:
      guard isPrivileged(client.peer) else { throw RequestError(Self.denial(of: request.name)) }
    }
  }

  private static let inhibitDenial = ErrorMessage(
    message: "INHIBIT requires an active session of yours at this machine", code: .denied)

  private static func denial(of name: String) -> ErrorMessage {
    ErrorMessage(
      message: "\(name) is reserved for root, the daemon's user, socket.control-users "
        + "and socket.control-group; use sudo, or add this user to one of them", code: .denied)
  }

  func isPrivileged(_ peer: PeerCredentials) -> Bool { access.mayControl(peer) }

  /// Disconnects the clients that may not stay, or not go on with what they have requested.
  func reexamine(at now: MotionInstant) {
    for client in clients where client.channel.isOpen {
      guard let denial = denial(ofStayOf: client) else { continue }
      endRecording(of: client)
      endFeed(of: client, at: now)
      client.inhibitReason = nil
      client.channel.finish(denial, at: now)
      hub.animations.ownerLeft(client, at: now)
    }
    inhibitorsChanged(at: now)
    settle(at: now)
  }

  private func denial(ofStayOf client: ControlSession) -> ErrorMessage? {
    guard access.keeps(client.peer, controls: true) else { return access.denial }
    if !isPrivileged(client.peer) {
      if client.isRecording { return Self.denial(of: "RECORD") }
      if client.isFeeding { return Self.denial(of: "FEED") }
      if client.awaitsPlays { return Self.denial(of: "PLAY") }
    }
    return client.inhibitReason != nil && !access.mayResumeInhibiting(client.peer)
      ? Self.inhibitDenial : nil
  }

  private func apply(_ change: SetChange, at now: MotionInstant) {
    hub.update(at: now) { inputs in
      switch change {
      case .reduceMotion(let choice): inputs.gates.setReduceMotion = choice
      case .lowPower(let choice): inputs.gates.setLowPower = choice
      case .paused(let paused): inputs.gates.setPaused = paused
      case .orientation(let orientation): inputs.orientations.set = orientation
      case .setting(let setting): inputs.overrides.set(setting)
      case .configured(let key): inputs.overrides.remove(key)
      }
    }
  }

  /// What a SET has no effect on.
  private func note(about change: SetChange) -> String? {
    guard case .setting(let setting) = change, setting.key.path == "motion.recenter",
      hub.configuration.motion.mode == .rate
    else { return nil }
    return "recenter has no effect in rate mode"
  }

  // MARK: - State that ends with its connection

  private func inhibitorsChanged(at now: MotionInstant) {
    let isInhibited = clients.contains { $0.inhibitReason != nil && access.mayInhibit($0.peer) }
    guard isInhibited != hub.gates.global.contains(.inhibit) else { return }
    hub.update(at: now) { inputs in
      if isInhibited {
        inputs.gates.global.formUnion(.inhibit)
      } else {
        inputs.gates.global.subtract(.inhibit)
      }
    }
  }

  private func agentChanged(of uid: UInt32, at now: MotionInstant) {
    let reports = clients.filter { $0.peer.userID == uid }.sorted { $0.number < $1.number }
      .map(\.agent)
    hub.update(at: now) { inputs in
      inputs.gates.setUser(
        uid, GateReasons(.reduceMotionAgent), reports.contains { $0.reduceMotion == true })
      inputs.orientations.setAgent(uid, reports.last { $0.orientation != nil }?.orientation)
    }
  }

  func orientationsChanged(at now: MotionInstant) {
    let wanted = WantedMessage(orientation: hub.orientations.asksAgents)
    for client in clients where client.agent.receivesWanted && client.agent.lastWanted != wanted {
      client.agent.lastWanted = wanted
      reply(.wanted(wanted), to: client, at: now)
    }
  }

  // MARK: - Time

  package var deadline: MotionInstant? { roster.deadline }

  package func expire(at now: MotionInstant) {
    roster.expire(at: now)
    settle(at: now)
  }

  package func shutDown(at now: MotionInstant) {
    for client in clients { client.channel.close() }
    settle(at: now)
  }
}
