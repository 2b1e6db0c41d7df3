// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxProtocol

/// What a subscriber was sent so far, as far as it decides about its next frames.
struct SubscriberHistory: Equatable {
  var cadence = Cadence()
  var sent = SentFrame()
  /// Whether `sent` is what the subscriber shows: the meaning of its numbers has not changed since.
  var isSentCurrent = false
  /// The version of the animations that it was sent.
  var seenVersion: UInt64
  /// Whether it shows no motion: nothing was sent yet, or the last OFFSET was the final (0, 0).
  var isAtRest = true
}

/// Subscribers of one user that get the same lines: their settings are the same, and what they were sent
/// last. Each frame is decided and encoded once for all of them.
///
/// `SubscriberGroups` forms the groups. A subscriber that asks for something leaves its group, and joins one
/// again once the same frame has been sent to both.
final class SubscriberGroup {
  let user: UserState
  private(set) var settings: SubscriberSettings
  private(set) var history: SubscriberHistory
  private var layers: LayerSet
  private var encoder: OffsetEncoder
  /// The overlay of each of its layers; kept to allocate nothing per frame.
  private var layerOverlays: [OffsetOverlay?]
  private var members: [Member] = []
  /// Those of `members`, in the same order.
  private(set) var channels: [LineChannel] = []
  /// The last frame that it was sent; nil if it was no frame of `offer`.
  private(set) var lastOffered: UInt64?
  /// Its index in `SubscriberGroups.active`; nil if it is not there.
  var place: Int?
  /// Its index in `SubscriberGroups.unsettled`; nil if it is not there.
  var unsettledPlace: Int?

  private struct Member {
    unowned var subscriber: Subscriber
  }

  init(user: UserState, layers: LayerSet, motion: MotionSettings, seesAnimations: Bool) {
    self.user = user
    self.layers = layers
    settings = SubscriberSettings()
    // A picture that other subscribers have already received is new to this one.
    history = SubscriberHistory(
      seenVersion: user.animations.version &- (seesAnimations ? 1 : 0))
    layerOverlays = [OffsetOverlay?](repeating: nil, count: layers.layers.count)
    encoder = OffsetEncoder(layers: layers, rangeX: motion.rangeX, rangeY: motion.rangeY)
  }

  /// Creates a group without members that goes on as another one would.
  init(like other: SubscriberGroup) {
    user = other.user
    settings = other.settings
    history = other.history
    layers = other.layers
    encoder = other.encoder
    layerOverlays = other.layerOverlays
  }

  // MARK: - Members

  var count: Int { members.count }

  func add(_ subscriber: Subscriber) {
    subscriber.group = self
    subscriber.placeInGroup = members.count
    members.append(Member(subscriber: subscriber))
    channels.append(subscriber.channel)
  }

  /// Removes a member. The last one takes its place.
  func remove(_ subscriber: Subscriber) {
    let last = members.removeLast().subscriber
    let lastChannel = channels.removeLast()
    guard last !== subscriber else { return }
    last.placeInGroup = subscriber.placeInGroup
    members[last.placeInGroup].subscriber = last
    channels[last.placeInGroup] = lastChannel
  }

  /// Takes over the members of another group.
  func absorb(_ other: SubscriberGroup) {
    for member in other.members { add(member.subscriber) }
    other.members = []
    other.channels = []
  }

  // MARK: - Settings

  /// Takes note that its only member wants frames.
  func startWatching() {
    user.cadence.add(settings.rateHertz)
    user.counts.add(history, of: user.animations.version)
    if settings.isFine { user.counts.fine += 1 }
  }

  /// Takes note that its only member wants no more frames.
  func stopWatching() {
    user.cadence.remove(settings.rateHertz)
    user.counts.remove(history, of: user.animations.version)
    if settings.isFine { user.counts.fine -= 1 }
  }

  /// Takes note that its only member gets no more frames.
  func leave() {
    if settings.isEnabled { stopWatching() }
    settings.isEnabled = false
    history.isAtRest = true
  }

  /// Applies a WATCH of its only member, except for the encoder (`reconfigure`).
  func apply(_ watch: WatchMessage) {
    var new = settings
    new.apply(watch)
    guard
      new.isEnabled != settings.isEnabled || watch.rateHertz != nil || new.isFine != settings.isFine
    else {
      settings = new
      return
    }
    if settings.isEnabled { stopWatching() }
    if new.isEnabled != settings.isEnabled { history.isAtRest = true }
    settings = new
    if watch.rateHertz != nil { history.cadence = Cadence(rateHertz: new.rateHertz) }
    if settings.isEnabled { startWatching() }
  }

  /// Applies changed settings or configured layers.
  func reconfigure(layers: LayerSet, motion: MotionSettings) {
    self.layers = settings.layers ?? layers
    layerOverlays = [OffsetOverlay?](repeating: nil, count: self.layers.layers.count)
    encoder = OffsetEncoder(
      layers: self.layers, rangeX: motion.rangeX, rangeY: motion.rangeY)
    history.isSentCurrent = false
  }

  /// The state in effect, for the answer to WATCH.
  ///
  /// - Parameter orientation: That of its screen.
  func settings(orientation: Orientation) -> WatchMessage {
    WatchMessage(
      enable: settings.isEnabled, rateHertz: settings.rateHertz ?? Cadence.capHertz,
      layers: layers.layers.map { WatchMessage.LayerDepth(name: $0.name, depth: $0.depth) },
      onChange: settings.onChange, orientation: orientation, version: ParallaxRelease.protocolMajor)
  }

  /// Returns the size of SO_SNDBUF that fits the backlog of its lines.
  func sendBufferBytes(
    _ charges: LineCharges, pace: FramePace, line: inout OutputBuffer
  ) -> Int32 {
    let most = settings.isFine ? 2 * pace.actualHertz : pace.actualHertz
    let hertz = min(settings.rateHertz ?? Cadence.capHertz, Cadence.capHertz, most)
    line.removeAll()
    encoder.append(Self.typicalFrame, to: &line)
    return charges.sendBufferBytes(
      holding: max(Self.minBacklog, Int((Self.backlogSeconds * hertz).rounded(.up))),
      linesOf: line.count)
  }

  /// How much motion may wait in the kernel for a slow reader. At 60 Hz that is one line less than
  /// `Outbox.offsetLimit`: the newest waits in the daemon.
  private static let backlogSeconds = 0.18
  private static let minBacklog = 2
  private static let typicalFrame = OffsetFrame(
    seq: 1_000_000, time: MotionInstant(nanoseconds: 100_000_123_456_789),
    motion: PixelOffset(x: -2.34, y: -1.23), velocity: PixelVelocity(x: 4.5, y: 0))

  // MARK: - Frames

  /// Sends a frame to its members if it is due.
  ///
  /// - Parameter line: The buffers to encode it in.
  func offer(
    _ stamp: FrameStamp, _ animations: AnimationDirector, pace: FramePace, at now: MotionInstant,
    line: inout SharedLine
  ) {
    guard !stamp.isBetween || settings.isFine else { return }
    let isShut = user.gain.isShut
    let isShown = user.frame?.stamp == stamp
    let isDue = isShown && history.cadence.isDue(time: stamp.time, pace: pace)
    let isSilent = isShut && history.isAtRest
    if isSilent, user.animations.version == history.seenVersion { return }
    // The final frame is sent to all groups of the user.
    let isLast = isShown && isShut && !user.animations.isMoving
    guard isDue || isLast else { return }
    see()
    let frame = frame(stamp, animations)
    if isWorthSending(frame, isLast: isLast), !isSilent || differs(frame) {
      send(frame, at: now, line: &line)
      lastOffered = frame.seq
      rest(isShut)
    } else if isShut {
      rest(true)
    }
  }

  /// Sends the user's frame, due or not, to its only member: on connecting and for POLL.
  func sendCurrent(
    _ stamp: FrameStamp, _ animations: AnimationDirector, at now: MotionInstant,
    line: inout SharedLine
  ) {
    send(frame(stamp, animations), at: now, line: &line)
    lastOffered = nil
    guard settings.isEnabled else { return }
    rest(user.gain.isShut)
    see()
  }

  /// Takes note that it is sent the newest version of the animations.
  private func see() {
    user.counts.see(
      &history.seenVersion, newest: user.animations.version, subscribers: members.count)
  }

  private func rest(_ isAtRest: Bool) {
    guard isAtRest != history.isAtRest else { return }
    history.isAtRest = isAtRest
    user.counts.moving += isAtRest ? -members.count : members.count
  }

  private func frame(_ stamp: FrameStamp, _ animations: AnimationDirector) -> OffsetFrame {
    let motion = (user.frame?[settings.orientation] ?? .zero) * user.gain.value
    var frame = OffsetFrame(
      seq: stamp.seq, time: stamp.time, motion: motion.offset, velocity: motion.velocity,
      overlay: history.sent.closing(user.animations.overlay))
    guard animations.movesLayers || history.sent.hasLayers else { return frame }
    for (index, layer) in layers.layers.enumerated() {
      let own = animations.overlay(ofLayer: layer.name, for: user)
      layerOverlays[index] = history.sent.closing(own, layer: index)
    }
    frame.layerOverlays = layerOverlays
    return frame
  }

  private func isWorthSending(_ frame: OffsetFrame, isLast: Bool) -> Bool {
    guard history.isSentCurrent else { return true }
    switch settings.onChange {
    case .off: return true
    case .anyChange: return differs(frame)
    case .atLeastPixels(let px):
      if isLast { return differs(frame) }
      let sent = history.sent
      // A display with these velocities is not where the last frame was.
      return sent.turns(to: frame) || sent.layerDistance(to: frame) >= px
        || sent.line.needs(
          DisplayLine(frame), tolerancePx: px, within: encoder.ranges,
          correctsSmallMisses: settings.isFine)
    }
  }

  /// Whether the line of this frame would show other values than the last one sent.
  private func differs(_ frame: OffsetFrame) -> Bool {
    history.sent.differs(from: frame, printsLayers: !layers.layers.isEmpty)
  }

  private func send(_ frame: OffsetFrame, at now: MotionInstant, line: inout SharedLine) {
    line.encode(frame, with: encoder)
    line.send(to: channels, at: now)
    history.sent.record(frame)
    history.isSentCurrent = true
  }
}
