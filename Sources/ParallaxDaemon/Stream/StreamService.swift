import ParallaxMotion
package import ParallaxSystem
package import ParallaxWire

/// The stream socket: greets whoever is admitted, publishes every frame to whom it is due, and
/// answers WATCH and POLL.
package final class StreamService: ClientService, HubAudience {
  package private(set) var subscribers: [Subscriber] = []

  private let hub: MotionHub
  private let admission: Admission
  /// Where every line is put together, one after the other.
  private var line = OutputBuffer()
  private var formerDrops: UInt64 = 0

  package init(hub: MotionHub, admission: Admission) {
    self.hub = hub
    self.admission = admission
    hub.audience = self
  }

  /// OFFSET lines that were due and not sent, since the daemon started.
  package var dropped: UInt64 { subscribers.reduce(formerDrops) { $0 + $1.channel.dropped } }

  // -- Coming and going

  package func connect(
    _ connection: any Connection, from peer: PeerCredentials, atNanoseconds now: Int64
  ) -> (any ClientEvents)? {
    let channel = LineChannel(connection, lineLimit: .stream)
    if let refusal = refusal(of: peer) {
      channel.finish(refusal, atNanoseconds: now)
      channel.close()
      return nil
    }
    let subscriber = Subscriber(
      channel: channel, peer: peer, user: hub.enter(uid: peer.userID),
      layers: hub.configuration.layers, settings: hub.motionSettings,
      seesAnimations: hub.animations.isVisible, service: self)
    subscribers.append(subscriber)
    // A source that was off is on now: the greeting tells how it is.
    hub.demandChanged(atNanoseconds: now)
    greet(subscriber, atNanoseconds: now)
    settle(atNanoseconds: now)
    return subscriber
  }

  private func refusal(of peer: PeerCredentials) -> ErrorMessage? {
    let socket = hub.configuration.socket
    guard admission.admits(peer, socket) else {
      return ErrorMessage(message: admission.refusalText(socket), code: .denied)
    }
    let own = subscribers.count { $0.peer.userID == peer.userID }
    return ConnectionLimits(socket).refusal(inAll: subscribers.count, ofUser: own)
      .map { ErrorMessage(message: $0, code: .tooMany) }
  }

  private func greet(_ subscriber: Subscriber, atNanoseconds now: Int64) {
    subscriber.isGreeted = true
    line.removeAll()
    line.appendLine(VersionMessage.current)
    subscriber.channel.send(line, as: .event, atNanoseconds: now)
    tellState(subscriber, atNanoseconds: now)
  }

  private func tellState(_ subscriber: Subscriber, atNanoseconds now: Int64) {
    tellDevice(subscriber, atNanoseconds: now)
    tellGate(subscriber, atNanoseconds: now)
    guard let frame = hub.currentFrame else { return }
    subscriber.repeatNewest(frame, hub.sight(of: subscriber), atNanoseconds: now, line: &line)
  }

  private func tellDevice(_ subscriber: Subscriber, atNanoseconds now: Int64) {
    line.removeAll()
    line.appendLine(hub.device)
    subscriber.channel.send(line, as: .device, atNanoseconds: now)
  }

  private func tellGate(_ subscriber: Subscriber, atNanoseconds now: Int64) {
    line.removeAll()
    line.appendLine(subscriber.user.gate)
    subscriber.channel.send(line, as: .gate, atNanoseconds: now)
  }

  /// Lets go of whoever has closed, and sees whether the source is still wanted.
  func settle(atNanoseconds now: Int64) {
    if subscribers.contains(where: { $0.channel.isClosed }) {
      for subscriber in subscribers where subscriber.channel.isClosed {
        formerDrops += subscriber.channel.dropped
        if let screen = subscriber.ownScreen { hub.remove(screen) }
        hub.leave(subscriber.user)
      }
      subscribers.removeAll { $0.channel.isClosed }
    }
    hub.demandChanged(atNanoseconds: now)
  }

  // -- What they ask for

  func answer(_ request: [UInt8], from subscriber: Subscriber, atNanoseconds now: Int64) {
    do throws(RequestError) {
      switch try StreamRequest(parsing: request) {
      case .watch(let watch): take(watch, from: subscriber, atNanoseconds: now)
      case .poll: tellState(subscriber, atNanoseconds: now)
      }
    } catch {
      line.removeAll()
      line.appendLine(error.answer)
      subscriber.channel.send(line, as: .event, atNanoseconds: now)
    }
  }

  private func take(
    _ watch: WatchMessage, from subscriber: Subscriber, atNanoseconds now: Int64
  ) {
    if let orientation = watch.orientation {
      if let old = subscriber.ownScreen { hub.remove(old) }
      subscriber.ownScreen = hub.addScreen(orientation)
    }
    subscriber.accept(watch)
    subscriber.reconfigure(layers: hub.configuration.layers, settings: hub.motionSettings)
    line.removeAll()
    line.appendLine(watch)
    subscriber.channel.send(line, as: .event, atNanoseconds: now)
  }

  // -- What the hub tells

  package var demand: SourceSwitch.Demand {
    var demand = SourceSwitch.Demand.nobody
    for subscriber in subscribers where subscriber.isEnabled && !subscriber.channel.isClosed {
      // Who has not seen the end of a closing yet still needs frames.
      if subscriber.user.isOpen || !subscriber.isAtRest { return .wanted }
      demand = .gated
    }
    return demand
  }

  package var needsTicks: Bool {
    let hasFrame = hub.engine.latest != nil
    return subscribers.contains { subscriber in
      guard subscriber.isEnabled else { return false }
      if subscriber.awaitsAnimations { return true }
      return hasFrame && !subscriber.isAtRest
        && (hub.engine.isTurning || hub.isFading(subscriber.user) || hub.isShut(subscriber.user))
    }
  }

  package var isWatched: Bool {
    subscribers.contains { $0.isGreeted && $0.isEnabled && !$0.channel.isClosed }
  }

  package func hasLayer(_ name: String) -> Bool { subscribers.contains { $0.hasLayer(name) } }

  package func publish(_ frame: FrameStamp, atNanoseconds now: Int64) {
    var index = 0
    while index < subscribers.count {
      let subscriber = subscribers[index]
      index += 1
      guard subscriber.isGreeted, subscriber.isEnabled else { continue }
      subscriber.offer(
        frame, hub.sight(of: subscriber), pace: hub.pace, atNanoseconds: now, line: &line)
    }
  }

  package func deviceChanged(atNanoseconds now: Int64) {
    for subscriber in subscribers where subscriber.isGreeted {
      tellDevice(subscriber, atNanoseconds: now)
    }
  }

  package func gateChanged(of user: UserState, atNanoseconds now: Int64) {
    for subscriber in subscribers where subscriber.isGreeted && subscriber.user === user {
      tellGate(subscriber, atNanoseconds: now)
    }
  }

  package func animationChanged(
    _ message: AnimationMessage, for user: UserState, atNanoseconds now: Int64
  ) {
    line.removeAll()
    line.appendLine(message)
    for subscriber in subscribers where subscriber.isGreeted && subscriber.user === user {
      subscriber.channel.send(line, as: .event, atNanoseconds: now)
    }
  }

  package func settingsChanged() {
    for subscriber in subscribers {
      subscriber.reconfigure(layers: hub.configuration.layers, settings: hub.motionSettings)
    }
  }

  // -- Time, and its end

  package var deadlineNanoseconds: Int64? {
    var deadline: Int64?
    for subscriber in subscribers {
      deadline = earlier(deadline, subscriber.channel.deadlineNanoseconds)
    }
    return deadline
  }

  package func expire(atNanoseconds now: Int64) {
    for subscriber in subscribers { subscriber.channel.expire(atNanoseconds: now) }
    settle(atNanoseconds: now)
  }

  package func shutDown(atNanoseconds now: Int64) {
    let last = DeviceMessage(
      driver: hub.device.driver, name: hub.device.name, state: .ended,
      rateHertz: hub.device.rateHertz, reason: "shutdown")
    line.removeAll()
    line.appendLine(last)
    for subscriber in subscribers {
      subscriber.channel.send(line, as: .device, atNanoseconds: now)
      subscriber.channel.close()
    }
    settle(atNanoseconds: now)
  }
}

extension MotionHub {
  /// What a frame shows one receiver.
  fileprivate func sight(of subscriber: Subscriber) -> Sight {
    Sight(
      motion: engine.offset(on: subscriber.screen), isShut: isShut(subscriber.user),
      animations: animations)
  }
}
