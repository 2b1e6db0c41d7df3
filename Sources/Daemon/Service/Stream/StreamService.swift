// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxMotion
package import ParallaxProtocol

/// The stream socket: greets admitted clients, publishes the frames that are due to each, and answers
/// WATCH and POLL.
package final class StreamService: ClientService, HubAudience {
  package var subscribers: [Subscriber] { roster.clients }

  private let hub: MotionHub
  private let access: AccessMonitor
  private let budgets: UserBudgets
  private var counts = ConnectionCounts()
  /// The buffer in which each line is encoded, except for frames.
  private var line = OutputBuffer()
  private var frameLine = SharedLine()
  let groups = SubscriberGroups()
  private var formerDrops: UInt64 = 0
  /// What lines take of the kernel's buffers; nil leaves the buffers as they are.
  package var lineCharges: LineCharges?
  private var fittedPace: FramePace?
  private let roster = ClientRoster<Subscriber>()
  /// The subscribers that are greeted and enabled.
  private var watching = 0
  private var sentRanges: Ranges?
  /// How many subscribers have their own layer of that name.
  private var ownLayers: [String: Int] = [:]

  package init(hub: MotionHub, access: AccessMonitor, budgets: UserBudgets) {
    self.hub = hub
    self.access = access
    self.budgets = budgets
    hub.audience = self
    sentRanges = ranges
  }

  /// The number of OFFSET lines that were due and not sent since the daemon started.
  package var dropped: UInt64 { subscribers.reduce(formerDrops) { $0 + $1.channel.dropped } }

  // MARK: - Connections

  package func connect(
    _ connection: any Connection, from peer: PeerCredentials, at now: MotionInstant
  ) -> (any ClientEvents)? {
    let isPrivileged = access.mayControl(peer)
    let budget = budgets.budget(ofUser: peer.userID, isLimited: !isPrivileged, at: now)
    let channel = LineChannel(connection, lineLimit: .stream, budget: budget)
    let refusal = access.refusal(of: peer, on: connection, controls: false, counts: counts)
    if let refusal = refusal ?? budget.refusal(at: now) {
      channel.finish(refusal, at: now)
      channel.close()
      return nil
    }
    access.enter(peer, at: now)
    let subscriber = Subscriber(
      channel: channel, peer: peer,
      group: SubscriberGroup(
        user: hub.enter(uid: peer.userID), layers: hub.configuration.layers,
        motion: hub.configuration.motion, seesAnimations: hub.animations.isVisible),
      service: self)
    subscriber.isCounted = !isPrivileged
    if subscriber.isCounted { counts.add(peer.userID) }
    roster.add(subscriber)
    // Switches the source on before the greeting reports its state.
    hub.update(at: now)
    greet(subscriber, at: now)
    settle(at: now)
    return subscriber
  }

  /// Disconnects the subscribers that may not stay.
  func reexamine(at now: MotionInstant) {
    for subscriber in subscribers where !access.keeps(subscriber.peer, controls: false) {
      subscriber.channel.finish(access.denial, at: now)
      // Its last line may wait for it to read; the source does not.
      stopWatching(subscriber)
    }
    settle(at: now)
  }

  private func stopWatching(_ subscriber: Subscriber) {
    if subscriber.isEnabled { watching -= 1 }
    groups.isolate(subscriber).leave()
  }

  private func greet(_ subscriber: Subscriber, at now: MotionInstant) {
    subscriber.isGreeted = true
    fitSendBuffer(of: subscriber)
    watching += 1
    line.removeAll()
    line.appendLine(VersionMessage.current)
    subscriber.channel.send(line, as: .event, at: now)
    sendState(to: subscriber, at: now)
  }

  private func sendState(to subscriber: Subscriber, at now: MotionInstant) {
    sendDevice(to: subscriber, at: now)
    sendGate(to: subscriber, at: now)
    let group = groups.isolate(subscriber)
    if let frame = hub.currentFrame(of: subscriber.user) {
      group.sendCurrent(frame.stamp, hub.view(of: group), at: now, line: &frameLine)
    }
    groups.insert(group)
  }

  private func sendDevice(to subscriber: Subscriber, at now: MotionInstant) {
    line.removeAll()
    let seesDetails = access.mayControl(subscriber.peer)
    line.appendLine((seesDetails ? hub.device : hub.device.withoutDetails).with(ranges))
    subscriber.channel.send(line, as: .device, at: now)
  }

  private var ranges: Ranges {
    Ranges(x: hub.configuration.motion.rangeX, y: hub.configuration.motion.rangeY)
  }

  private func sendGate(to subscriber: Subscriber, at now: MotionInstant) {
    line.removeAll()
    line.appendLine(subscriber.user.gate)
    subscriber.channel.send(line, as: .gate, at: now)
  }

  /// Releases closed connections and updates the hub.
  func settle(at now: MotionInstant) {
    if roster.hasClosed {
      let closed = roster.removeClosed()
      for subscriber in closed {
        formerDrops += subscriber.channel.dropped
        stopWatching(subscriber)
        count(subscriber.ownLayerNames, by: -1)
        if let orientation = subscriber.ownOrientation { hub.leaveScreen(orientation) }
        hub.leave(subscriber.user)
        if subscriber.isCounted { counts.remove(subscriber.peer.userID) }
      }
      for subscriber in closed { access.leave(subscriber.peer, at: now) }
      budgets.releaseMemory()
    }
    hub.update(at: now)
  }

  // MARK: - Requests

  func answer(_ request: [UInt8], from subscriber: Subscriber, at now: MotionInstant) {
    let request = StreamRequest(request)
    switch request.kind {
    case .success(.watch(let watch)):
      apply(watch, to: subscriber)
      var answer = subscriber.group.settings(orientation: hub.orientation(of: subscriber))
      answer.ignored = request.ignored
      line.removeAll()
      line.appendLine(answer, tag: request.tag)
    case .success(.poll):
      sendState(to: subscriber, at: now)
      // The other lines are state, of which only the newest waits: the tag has a line of its own.
      if request.tag == nil { return }
      line.removeAll()
      line.appendPollLine(tag: request.tag, ignored: request.ignored)
    case .failure(let error):
      line.removeAll()
      line.appendLine(error.answer, tag: request.tag)
    }
    subscriber.channel.send(line, as: .event, at: now)
  }

  private func apply(_ watch: WatchMessage, to subscriber: Subscriber) {
    if watch.orientation != nil || watch.resets.contains(.orientation) {
      if let orientation = watch.orientation { hub.enterScreen(orientation) }
      if let old = subscriber.ownOrientation { hub.leaveScreen(old) }
    }
    watching -= subscriber.isEnabled ? 1 : 0
    count(subscriber.ownLayerNames, by: -1)
    let group = groups.isolate(subscriber)
    group.apply(watch)
    group.reconfigure(layers: hub.configuration.layers, motion: hub.configuration.motion)
    groups.insert(group)
    count(subscriber.ownLayerNames, by: 1)
    watching += subscriber.isEnabled ? 1 : 0
    fitSendBuffer(of: subscriber)
  }

  private func fitSendBuffer(of subscriber: Subscriber) {
    guard let lineCharges else { return }
    subscriber.fitSendBuffer(lineCharges, pace: hub.pace, line: &line)
  }

  // MARK: - Hub

  package var demand: SourceStateMachine.Demand {
    var demand = SourceStateMachine.Demand.noSubscriber
    for user in hub.users where user.counts.enabled > 0 {
      // A subscriber that has not seen the end of a closing fade still needs frames.
      if user.isOpen || user.counts.moving > 0 { return .needed }
      demand = .gated
    }
    return demand
  }

  package var needsTicks: Bool {
    let hasFrame = hub.engine.latest != nil
    return hub.users.contains { user in
      guard user.counts.enabled > 0 else { return false }
      if user.animations.isMoving || user.counts.lacks(user.animations.version) { return true }
      return hasFrame && user.counts.moving > 0
        && (hub.engine.isTurning || hub.isFading(user) || hub.isShut(user))
    }
  }

  package var isWatched: Bool { watching > 0 }

  package func hasLayer(_ name: String) -> Bool { ownLayers[name] != nil }

  private func count(_ layers: [String], by change: Int) {
    for name in layers {
      let count = (ownLayers[name] ?? 0) + change
      ownLayers[name] = count > 0 ? count : nil
    }
  }

  package func publish(_ frame: FrameStamp, at now: MotionInstant) {
    let pace = hub.pace
    var index = 0
    while index < groups.active.count {
      let group = groups.active[index]
      index += 1
      group.offer(frame, hub.view(of: group), pace: pace, at: now, line: &frameLine)
    }
    groups.settle(after: frame.seq)
  }

  package func deviceChanged(at now: MotionInstant) {
    if hub.pace != fittedPace {
      fittedPace = hub.pace
      for subscriber in subscribers { fitSendBuffer(of: subscriber) }
    }
    for subscriber in subscribers where subscriber.isGreeted {
      sendDevice(to: subscriber, at: now)
    }
  }

  package func gateChanged(of user: UserState, at now: MotionInstant) {
    for subscriber in subscribers where subscriber.isGreeted && subscriber.user === user {
      sendGate(to: subscriber, at: now)
    }
  }

  package func animationChanged(
    _ message: AnimationMessage, for user: UserState, at now: MotionInstant
  ) {
    line.removeAll()
    line.appendLine(message)
    for subscriber in subscribers where subscriber.isGreeted && subscriber.user === user {
      subscriber.channel.send(line, as: .event, at: now)
    }
  }

  package func settingsChanged(at now: MotionInstant) {
    let (layers, motion) = (hub.configuration.layers, hub.configuration.motion)
    for group in groups.active { group.reconfigure(layers: layers, motion: motion) }
    for subscriber in subscribers {
      if subscriber.group.place == nil {
        subscriber.group.reconfigure(layers: layers, motion: motion)
      }
      fitSendBuffer(of: subscriber)
    }
    guard ranges != sentRanges else { return }
    sentRanges = ranges
    for subscriber in subscribers where subscriber.isGreeted {
      sendDevice(to: subscriber, at: now)
    }
  }

  // MARK: - Time

  package var deadline: MotionInstant? { roster.deadline }

  package func expire(at now: MotionInstant) {
    roster.expire(at: now)
    if roster.hasClosed { settle(at: now) }
  }

  package func shutDown(at now: MotionInstant) {
    let last = DeviceMessage(
      driver: hub.device.driver, name: hub.device.name, state: .ended,
      rateHertz: hub.device.rateHertz, reason: "shutdown")
    line.removeAll()
    line.appendLine(last.with(ranges))
    for subscriber in subscribers {
      subscriber.channel.send(line, as: .device, at: now)
      subscriber.channel.close()
    }
    settle(at: now)
  }
}

/// The ranges of the motion, which DEVICE reports.
private struct Ranges: Equatable {
  var x: PixelRange
  var y: PixelRange
}

extension DeviceMessage {
  fileprivate func with(_ ranges: Ranges) -> DeviceMessage {
    var message = self
    message.rangeX = ranges.x.low...ranges.x.high
    message.rangeY = ranges.y.low...ranges.y.high
    return message
  }
}

extension MotionHub {
  /// Returns how a subscriber's screen is turned.
  fileprivate func orientation(of subscriber: Subscriber) -> Orientation {
    subscriber.ownOrientation ?? engine.orientation(of: subscriber.user.screen ?? .common)
  }

  /// Returns what a frame shows to the subscribers of a group.
  fileprivate func view(of group: SubscriberGroup) -> SubscriberView {
    SubscriberView(
      motion: group.user.frame?[group.settings.orientation] ?? .zero,
      isShut: isShut(group.user),
      animations: animations)
  }
}
