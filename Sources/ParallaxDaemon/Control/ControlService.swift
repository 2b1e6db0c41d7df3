package import ParallaxConfig
import ParallaxMotion
package import ParallaxSystem
import ParallaxWire

/// The control socket: answers each request by one line, and undoes what depends on a connection
/// when that ends.
package final class ControlService: ClientService, HubRecorder {
  package private(set) var clients: [ControlClient] = []

  let hub: MotionHub
  let stream: StreamService
  private let admission: Admission
  /// Reads the configuration again and applies it, at this time; gives a note for whoever asked.
  package var reload: (Int64) -> Result<String?, ConfigError> = { _ in .success(nil) }

  private var line = OutputBuffer()

  package init(hub: MotionHub, stream: StreamService, admission: Admission) {
    self.hub = hub
    self.stream = stream
    self.admission = admission
    hub.recorder = self
  }

  // -- Coming and going

  package func connect(
    _ connection: any Connection, from peer: PeerCredentials, atNanoseconds now: Int64
  ) -> (any ClientEvents)? {
    let channel = LineChannel(
      connection, lineLimit: isPrivileged(peer) ? .control : .controlWithoutPlay)
    if let refusal = refusal(of: peer) {
      channel.finish(refusal, atNanoseconds: now)
      channel.close()
      return nil
    }
    let client = ControlClient(channel: channel, peer: peer, service: self)
    clients.append(client)
    return client
  }

  private func refusal(of peer: PeerCredentials) -> ErrorMessage? {
    let socket = hub.configuration.socket
    guard admission.admits(peer, socket) || admission.mayControl(peer, socket) else {
      return ErrorMessage(message: admission.refusalText(socket), code: .denied)
    }
    let own = clients.count { $0.peer.userID == peer.userID }
    return ConnectionLimits(socket).refusal(inAll: clients.count, ofUser: own)
      .map { ErrorMessage(message: $0, code: .tooMany) }
  }

  /// Lets go of whoever has closed, and takes back what they asked for.
  func settle(atNanoseconds now: Int64) {
    guard clients.contains(where: { $0.channel.isClosed }) else { return }
    let gone = clients.filter(\.channel.isClosed)
    clients.removeAll(where: \.channel.isClosed)
    for client in gone { hub.animations.ownerLeft(client, atNanoseconds: now) }
    for client in gone where client.agent.isTelling {
      if client.agent.reduceMotion == true {
        hub.log(
          "the agent of user \(client.peer.userID) has gone, and with it the wish for less motion")
      }
      agentChanged(of: client.peer.userID, atNanoseconds: now)
    }
    inhibitorsChanged(atNanoseconds: now)
    hub.demandChanged(atNanoseconds: now)
  }

  // -- Requests

  func answer(_ request: [UInt8], from client: ControlClient, atNanoseconds now: Int64) {
    let parsed = ParsedControlRequest(request)
    switch parsed.request {
    case .failure(let error):
      reply(.error(error.answer, tag: parsed.tag), to: client, atNanoseconds: now)
    case .success(let request):
      if let answer = perform(request, tag: parsed.tag, for: client, atNanoseconds: now) {
        reply(answer, to: client, atNanoseconds: now)
      }
    }
    if request.count > LineLimit.control.bytes { HeapMemory.release() }
  }

  func reply(
    _ answer: ControlAnswer, to client: ControlClient, atNanoseconds now: Int64
  ) {
    line.removeAll()
    line.appendLine(answer)
    client.channel.send(line, as: .event, atNanoseconds: now)
  }

  /// - Returns: the answer; nil where it comes later.
  private func perform(
    _ request: ParsedControlRequest.Request, tag: RequestTag?, for client: ControlClient,
    atNanoseconds now: Int64
  ) -> ControlAnswer? {
    let denial = denial(of: request, to: client)
    if let denial { return .error(denial, tag: tag) }
    switch request {
    case .plain(let request):
      return perform(request, tag: tag, for: client, atNanoseconds: now)
    case .play(let order):
      play(order, tag: tag, for: client)
      return nil
    }
  }

  private func perform(
    _ request: ControlRequest, tag: RequestTag?, for client: ControlClient,
    atNanoseconds now: Int64
  ) -> ControlAnswer? {
    switch request {
    case .status:
      return .status(status(for: client.peer, atNanoseconds: now), tag: tag)
    case .set(let change):
      apply(change, atNanoseconds: now)
      return .ack(AckMessage(), tag: tag)
    case .recenter:
      hub.recenter(atNanoseconds: now)
      let note =
        hub.motionSettings.mode == .rate ? "in rate mode there is nothing to recentre" : nil
      return .ack(AckMessage(note: note), tag: tag)
    case .reload:
      switch reload(now) {
      case .success(let note): return .ack(AckMessage(note: note), tag: tag)
      case .failure(let error):
        return .error(
          ErrorMessage(
            message: "the configuration is wrong; nothing changed: \(error.lines.first ?? "")",
            code: .badConfiguration, details: error.lines), tag: tag)
      }
    case .inhibit(let reason):
      client.inhibits = reason
      inhibitorsChanged(atNanoseconds: now)
      return .ack(AckMessage(), tag: tag)
    case .agent(let report):
      if let reduceMotion = report.reduceMotion { client.agent.reduceMotion = reduceMotion }
      if let told = report.orientation { client.agent.orientation = told.orientation }
      agentChanged(of: client.peer.userID, atNanoseconds: now)
      guard let wanted = report.wanted else { return .ack(AckMessage(), tag: tag) }
      client.agent.hearsWanted = wanted
      client.agent.wanted = nil
      reply(.ack(AckMessage(), tag: tag), to: client, atNanoseconds: now)
      orientationsChanged(atNanoseconds: now)
      return nil
    case .record:
      return record(client, tag: tag, atNanoseconds: now)
    case .stop(let id):
      return .ack(stop(id, atNanoseconds: now), tag: tag)
    // Read as a `PlayOrder`.
    case .play: return nil
    }
  }

  /// Why this client may not ask for that; nil where it may.
  private func denial(
    of request: ParsedControlRequest.Request, to client: ControlClient
  ) -> ErrorMessage? {
    switch request {
    case .plain(.status), .plain(.agent): return nil
    case .plain(.inhibit):
      guard admission.mayInhibit(client.peer) else {
        return ErrorMessage(
          message: "INHIBIT needs an active session of yours at this machine", code: .denied)
      }
      let uid = client.peer.userID
      let taken = clients.contains {
        $0 !== client && $0.inhibits != nil && $0.peer.userID == uid
      }
      return taken
        ? ErrorMessage(
          message: "another connection of yours inhibits already; end that one first",
          code: .tooMany) : nil
    case .plain, .play:
      return isPrivileged(client.peer)
        ? nil
        : ErrorMessage(
          message: "\(request.name) is for root, the daemon's user, socket.control-users and "
            + "socket.control-group; use sudo, or let this user be named there", code: .denied)
    }
  }

  func isPrivileged(_ peer: PeerCredentials) -> Bool {
    admission.mayControl(peer, hub.configuration.socket)
  }

  private func apply(_ change: SetChange, atNanoseconds now: Int64) {
    switch change {
    case .reduceMotion(let wish): hub.gates.setReduceMotion = ManualGate(wish)
    case .lowPower(let wish): hub.gates.setLowPower = ManualGate(wish)
    case .paused(let paused): hub.gates.setPaused = paused
    case .orientation(let orientation): hub.orientations.set = orientation
    case .scale(let scale): hub.setOverrides { $0.scale = scale }
    case .smoothing(let smoothing): hub.setOverrides { $0.smoothing = smoothing }
    }
    hub.orientationsChanged(atNanoseconds: now)
    hub.gatesChanged(atNanoseconds: now)
    hub.demandChanged(atNanoseconds: now)
  }

  // -- What lasts as long as its connection

  private func inhibitorsChanged(atNanoseconds now: Int64) {
    let isInhibited = clients.contains { $0.inhibits != nil }
    guard isInhibited != hub.gates.global.contains(.inhibit) else { return }
    if isInhibited {
      hub.gates.global.formUnion(.inhibit)
    } else {
      hub.gates.global.subtract(.inhibit)
    }
    hub.gatesChanged(atNanoseconds: now)
    hub.demandChanged(atNanoseconds: now)
  }

  private func agentChanged(of uid: UInt32, atNanoseconds now: Int64) {
    let reports = clients.filter { $0.peer.userID == uid }.map(\.agent)
    hub.gates.setUser(
      uid, GateReasons(.reduceMotionAgent), reports.contains { $0.reduceMotion == true })
    hub.orientations.setAgent(uid, reports.last { $0.orientation != nil }?.orientation)
    hub.orientationsChanged(atNanoseconds: now)
    hub.gatesChanged(atNanoseconds: now)
    hub.demandChanged(atNanoseconds: now)
  }

  package func orientationsChanged(atNanoseconds now: Int64) {
    let wanted = WantedMessage(orientation: hub.orientations.asksAgents)
    for client in clients where client.agent.hearsWanted && client.agent.wanted != wanted {
      client.agent.wanted = wanted
      reply(.wanted(wanted), to: client, atNanoseconds: now)
    }
  }

  // -- Time, and its end

  package var deadlineNanoseconds: Int64? {
    var deadline: Int64?
    for client in clients { deadline = earlier(deadline, client.channel.deadlineNanoseconds) }
    return deadline
  }

  package func expire(atNanoseconds now: Int64) {
    for client in clients { client.channel.expire(atNanoseconds: now) }
    settle(atNanoseconds: now)
  }

  package func shutDown(atNanoseconds now: Int64) {
    for client in clients { client.channel.close() }
    settle(atNanoseconds: now)
  }
}

extension ManualGate {
  fileprivate init(_ wish: SetChange.Switch) {
    switch wish {
    case .auto: self = .auto
    case .on: self = .on
    case .off: self = .off
    }
  }
}
