// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
package import ParallaxPlatform
import ParallaxText
import ParallaxTime
import ParallaxWire

/// A subscriber to the stream: its settings and the last frame it was sent.
package final class Subscriber: LineClient, RosterClient {
  package let channel: LineChannel
  package let peer: PeerCredentials
  package let user: UserState

  /// Whether it counts against the limits on connections.
  var isCounted = false
  var place = 0
  /// Whether VERSION was sent: nothing is sent before it.
  var isGreeted = false
  package private(set) var isEnabled = true
  /// Whether it shows no motion: nothing was sent yet, or the last OFFSET was the final (0, 0).
  package private(set) var isAtRest = true {
    didSet {
      if isAtRest != oldValue, isEnabled { user.counts.moving += isAtRest ? -1 : 1 }
    }
  }
  /// The orientation that WATCH gave it; nil for the user's.
  var ownOrientation: Orientation?

  private weak var service: StreamService?
  private var cadence = Cadence()
  private var onChange = WatchMessage.OnChange.off
  private var ownLayers: LayerSet?
  private var layers: LayerSet
  private var encoder: OffsetEncoder
  private var sent = SentFrame()
  /// Whether `sent` is what the subscriber shows: the meaning of its numbers has not changed since.
  private var isSentCurrent = false
  /// The version of the animations that it was sent.
  private var seenVersion: UInt64
  /// The overlay of each of its layers; kept to allocate nothing per frame.
  private var layerOverlays: [OffsetOverlay?]

  init(
    channel: LineChannel, peer: PeerCredentials, user: UserState, layers: LayerSet,
    settings: MotionSettings, seesAnimations: Bool, service: StreamService
  ) {
    self.layers = layers
    layerOverlays = [OffsetOverlay?](repeating: nil, count: layers.layers.count)
    // A picture that other subscribers have already received is new to this one.
    seenVersion = user.animations.version &- (seesAnimations ? 1 : 0)
    self.service = service
    self.channel = channel
    self.peer = peer
    self.user = user
    encoder = OffsetEncoder(layers: layers, rangeX: settings.rangeX, rangeY: settings.rangeY)
    startWatching()
  }

  // MARK: - Connection

  func answer(_ request: [UInt8], at now: MotionInstant) {
    service?.answer(request, from: self, at: now)
  }

  func settle(at now: MotionInstant) {
    service?.settle(at: now)
  }

  /// Takes note that it gets no more frames.
  func leave() {
    if isEnabled { stopWatching() }
    isEnabled = false
  }

  private func startWatching() {
    user.cadence.add(cadence.rateHertz)
    user.counts.add(seenVersion: seenVersion, of: user.animations.version)
  }

  private func stopWatching() {
    isAtRest = true
    user.cadence.remove(cadence.rateHertz)
    user.counts.remove(seenVersion: seenVersion, of: user.animations.version)
  }

  // MARK: - Settings

  /// Applies a WATCH, except for the orientation (`ownOrientation`) and the encoder (`reconfigure`).
  func apply(_ watch: WatchMessage) {
    apply(enable: watch.enable ?? isEnabled, rateHertz: watch.rateHertz)
    if let onChange = watch.onChange { self.onChange = onChange }
    if let depths = watch.layers, let layers = try? LayerSet(depths) {
      ownLayers = layers
    } else if watch.resets.contains(.layers) {
      ownLayers = nil
    }
  }

  private func apply(enable: Bool, rateHertz: Double?) {
    guard enable != isEnabled || rateHertz != nil else { return }
    let wasAtRest = isAtRest
    if isEnabled { stopWatching() }
    let isChanged = enable != isEnabled
    isEnabled = enable
    if let rateHertz { cadence = Cadence(rateHertz: rateHertz) }
    if isEnabled { startWatching() }
    if !isChanged { isAtRest = wasAtRest }
  }

  /// Applies changed settings or configured layers.
  func reconfigure(layers: LayerSet, settings: MotionSettings) {
    self.layers = ownLayers ?? layers
    layerOverlays = [OffsetOverlay?](repeating: nil, count: self.layers.layers.count)
    encoder = OffsetEncoder(
      layers: self.layers, rangeX: settings.rangeX, rangeY: settings.rangeY)
    isSentCurrent = false
  }

  /// The state in effect, for the answer to WATCH.
  ///
  /// - Parameter orientation: That of its screen.
  func settings(orientation: Orientation) -> WatchMessage {
    WatchMessage(
      enable: isEnabled, rateHertz: cadence.rateHertz ?? Cadence.capHertz,
      layers: layers.layers.map { WatchMessage.LayerDepth(name: $0.name, depth: $0.depth) },
      onChange: onChange, orientation: orientation, version: ParallaxRelease.protocolMajor)
  }

  /// SO_SNDBUF, as set last.
  private var sendBufferBytes: Int32?

  /// Sizes the kernel's buffer for the backlog of this subscriber's own lines.
  func fitSendBuffer(_ charges: LineCharges, pace: FramePace, line: inout OutputBuffer) {
    let hertz = min(cadence.rateHertz ?? Cadence.capHertz, Cadence.capHertz, pace.actualHertz)
    line.removeAll()
    encoder.append(Self.typicalFrame, to: &line)
    let bytes = charges.sendBufferBytes(
      holding: max(Self.minBacklog, Int((Self.backlogSeconds * hertz).rounded(.up))),
      linesOf: line.count)
    guard bytes != sendBufferBytes else { return }
    sendBufferBytes = bytes
    channel.setSendBuffer(bytes: bytes)
  }

  /// How much motion may wait in the kernel for a slow reader. At 60 Hz that is one line less than
  /// `Outbox.offsetLimit`: the newest waits in the daemon.
  private static let backlogSeconds = 0.18
  private static let minBacklog = 2
  private static let typicalFrame = OffsetFrame(
    seq: 1_000_000, time: MotionInstant(nanoseconds: 100_000_123_456_789),
    motion: PixelOffset(x: -2.34, y: -1.23), velocity: PixelVelocity(x: 4.5, y: 0))

  /// The names of the layers that WATCH gave it.
  var ownLayerNames: [String] { ownLayers?.layers.map(\.name) ?? [] }

  // MARK: - Frames

  /// Sends a frame if it is due.
  ///
  /// - Parameter line: The buffer to encode it in.
  func offer(
    _ stamp: FrameStamp, _ view: SubscriberView, pace: FramePace, at now: MotionInstant,
    line: inout OutputBuffer
  ) {
    let isDue = user.frame?.stamp == stamp && cadence.isDue(time: stamp.time, pace: pace)
    let isSilent = view.isShut && isAtRest
    if isSilent, user.animations.version == seenVersion { return }
    // The final frame is sent whether it is due or not.
    let isLast = view.isShut && !user.animations.isMoving
    guard isDue || isLast else { return }
    user.counts.see(&seenVersion, newest: user.animations.version)
    let frame = frame(stamp, view)
    if isWorthSending(frame, isLast: isLast, pace: pace), !isSilent || differs(frame) {
      send(frame, at: now, line: &line)
      isAtRest = view.isShut
    } else if view.isShut {
      isAtRest = true
    }
  }

  /// Sends the user's frame, due or not: on connecting and for POLL.
  func sendCurrent(
    _ stamp: FrameStamp, _ view: SubscriberView, at now: MotionInstant, line: inout OutputBuffer
  ) {
    send(frame(stamp, view), at: now, line: &line)
    guard isEnabled else { return }
    isAtRest = view.isShut
    user.counts.see(&seenVersion, newest: user.animations.version)
  }

  private func frame(_ stamp: FrameStamp, _ view: SubscriberView) -> OffsetFrame {
    let motion = view.motion * user.gain
    var frame = OffsetFrame(
      seq: stamp.seq, time: stamp.time, motion: motion.offset, velocity: motion.velocity,
      overlay: sent.closing(user.animations.overlay))
    guard view.animations.movesLayers || sent.hasLayers else { return frame }
    var index = 0
    while index < layerOverlays.count {
      let own = view.animations.overlay(ofLayer: layers.layers[index].name, for: user)
      layerOverlays[index] = sent.closing(own, layer: index)
      index += 1
    }
    frame.layerOverlays = layerOverlays
    return frame
  }

  private func isWorthSending(_ frame: OffsetFrame, isLast: Bool, pace: FramePace) -> Bool {
    guard isSentCurrent else { return true }
    switch onChange {
    case .off: return true
    case .anyChange: return differs(frame)
    case .atLeastPixels(let px):
      if sent.turns(to: frame) || sent.stops(at: frame) { return true }
      if isLast { return differs(frame) }
      // A display with these velocities is not where the last frame was.
      let reach = pace.period(1.5)
      return max(sent.missDistance(to: frame, reach: reach), sent.layerDistance(to: frame)) >= px
    }
  }

  /// Whether the line of this frame would show other values than the last one sent.
  private func differs(_ frame: OffsetFrame) -> Bool {
    sent.differs(from: frame, printsLayers: !layers.layers.isEmpty)
  }

  private func send(
    _ frame: OffsetFrame, at now: MotionInstant, line: inout OutputBuffer
  ) {
    let missed = channel.droppedBefore(seq: frame.seq, at: now)
    line.removeAll()
    encoder.append(frame, dropped: missed, to: &line)
    channel.send(line, as: .offset(seq: frame.seq), at: now)
    sent.record(frame)
    isSentCurrent = true
  }
}
