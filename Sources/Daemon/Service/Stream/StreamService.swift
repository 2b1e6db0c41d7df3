// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxMotion
import ParallaxProtocol

/// The stream socket: greets admitted clients, publishes the frames that are due to each, and answers
/// WATCH and POLL.
package final class StreamService: ClientService {
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
  private var sentRanges: Ranges?

  package init(hub: MotionHub, access: AccessMonitor, budgets: UserBudgets) {
    self.hub = hub
    self.access = access
    self.budgets = budgets
    hub.stream = self
    hub.animations.stream = self
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
    if subscriber.isEnabled { hub.audience.watching -= 1 }
    groups.isolate(subscriber).leave()
  }

  private func greet(_ subscriber: Subscriber, at now: MotionInstant) {
    subscriber.isGreeted = true
    fitSendBuffer(of: subscriber)
    hub.audience.watching += 1
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
      group.sendCurrent(frame.stamp, hub.animations, at: now, line: &frameLine)
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
        hub.audience.count(subscriber.ownLayerNames, by: -1)
        if let orientation = subscriber.ownOrientation { hub.audience.leaveScreen(orientation) }
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
    let request = RequestLine(request, limits: .streamLine, classes: StreamRequest.classes)
    switch request.request {
    case .success(.watch(let watch)) where !watch.isUnderstood:
      line.removeAll()
      line.appendLine(ErrorMessage.unsupportedVersion, tag: request.tag)
    case .success(.watch(let watch)):
      apply(watch, to: subscriber)
      var answer = subscriber.group.settings(orientation: orientation(of: subscriber))
      answer.ignored = request.ignored
      line.removeAll()
      line.appendLine(answer, tag: request.tag)
    case .success(.poll):
      sendState(to: subscriber, at: now)
      // The other lines are state, of which only the newest waits: the tag has a line of its own.
      if request.tag == nil { return }
      line.removeAll()
      line.appendLine(PollRequest(ignored: request.ignored), tag: request.tag)
    case .failure(let error):
      line.removeAll()
      line.appendLine(error.answer, tag: request.tag)
    }
    subscriber.channel.send(line, as: .event, at: now)
  }

  /// Returns how a subscriber's screen is turned.
  private func orientation(of subscriber: Subscriber) -> Orientation {
    subscriber.ownOrientation
      ?? hub.engine.orientation(of: subscriber.user.screen ?? .common)
  }

  private func apply(_ watch: WatchMessage, to subscriber: Subscriber) {
    let audience = hub.audience
    if watch.orientation != nil || watch.resets.contains(.orientation) {
      if let orientation = watch.orientation { audience.enterScreen(orientation) }
      if let old = subscriber.ownOrientation { audience.leaveScreen(old) }
    }
    audience.watching -= subscriber.isEnabled ? 1 : 0
    audience.count(subscriber.ownLayerNames, by: -1)
    let group = groups.isolate(subscriber)
    group.apply(watch)
    group.reconfigure(layers: hub.configuration.layers, motion: hub.configuration.motion)
    groups.insert(group)
    audience.count(subscriber.ownLayerNames, by: 1)
    audience.watching += subscriber.isEnabled ? 1 : 0
    fitSendBuffer(of: subscriber)
  }

  private func fitSendBuffer(of subscriber: Subscriber) {
    guard let lineCharges else { return }
    subscriber.fitSendBuffer(lineCharges, pace: hub.pace, line: &line)
  }

  // MARK: - Frames and state

  /// Sends a frame to the groups to which it is due.
  func publish(_ frame: FrameStamp, pace: FramePace, at now: MotionInstant) {
    let animations = hub.animations
    var index = 0
    while index < groups.active.count {
      let group = groups.active[index]
      index += 1
      group.offer(frame, animations, pace: pace, at: now, line: &frameLine)
    }
    groups.settle(after: frame.seq)
  }

  func deviceChanged(at now: MotionInstant) {
    if hub.pace != fittedPace {
      fittedPace = hub.pace
      for subscriber in subscribers { fitSendBuffer(of: subscriber) }
    }
    for subscriber in subscribers where subscriber.isGreeted {
      sendDevice(to: subscriber, at: now)
    }
  }

  func gateChanged(of user: UserState, at now: MotionInstant) {
    for subscriber in subscribers where subscriber.isGreeted && subscriber.user === user {
      sendGate(to: subscriber, at: now)
    }
  }

  func animationChanged(
    _ message: AnimationMessage, for user: UserState, at now: MotionInstant
  ) {
    line.removeAll()
    line.appendLine(message)
    for subscriber in subscribers where subscriber.isGreeted && subscriber.user === user {
      subscriber.channel.send(line, as: .event, at: now)
    }
  }

  func settingsChanged(at now: MotionInstant) {
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

extension WatchMessage {
  /// Whether the client speaks this daemon's version of the protocol.
  fileprivate var isUnderstood: Bool {
    version ?? ParallaxRelease.protocolMajor == ParallaxRelease.protocolMajor
  }
}

extension ErrorMessage {
  fileprivate static let unsupportedVersion = ErrorMessage(
    message:
      "WATCH: $.version: this daemon speaks version \(ParallaxRelease.protocolMajor) of the protocol",
    code: .unsupportedVersion)
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
