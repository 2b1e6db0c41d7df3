import ParallaxMotion
package import ParallaxSystem
import ParallaxWire

/// One receiver of the stream: what it asked for and what it got last.
package final class Subscriber: LineClient {
  package let channel: LineChannel
  package let peer: PeerCredentials
  package let user: UserState

  /// Whether the stream has begun for it: nothing comes before its VERSION.
  var isGreeted = false
  package private(set) var isEnabled = true
  /// Whether it shows no motion: nothing was sent yet, or the last OFFSET said (0, 0) for good.
  package private(set) var isAtRest = true
  /// Its own screen, by WATCH.
  package internal(set) var ownScreen: MotionEngine.Screen?

  private weak var service: StreamService?
  private var cadence = Cadence()
  private var onChange = WatchMessage.OnChange.off
  private var ownLayers: LayerSet?
  private var layers: LayerSet
  private var encoder: OffsetEncoder
  private var sent = SentFrame()
  /// Whether `sent` is what its display shows: nothing has changed what the numbers mean.
  private var knowsLast = false
  /// What of the animations it is up to date with.
  private var seenVersion: UInt64
  /// For each of its layers; memory to write in.
  private var layerOverlays: [OffsetOverlay?]

  init(
    channel: LineChannel, peer: PeerCredentials, user: UserState, layers: LayerSet,
    settings: MotionSettings, seesAnimations: Bool, service: StreamService
  ) {
    self.layers = layers
    layerOverlays = [OffsetOverlay?](repeating: nil, count: layers.layers.count)
    // What others have seen already is news here.
    seenVersion = user.animations.version &- (seesAnimations ? 1 : 0)
    self.service = service
    self.channel = channel
    self.peer = peer
    self.user = user
    encoder = OffsetEncoder(layers: layers, rangeX: settings.rangeX, rangeY: settings.rangeY)
  }

  /// Where its motion is taken from.
  package var screen: MotionEngine.Screen { ownScreen ?? user.screen ?? .common }

  // -- What happens on its connection

  func answer(_ request: [UInt8], atNanoseconds now: Int64) {
    service?.answer(request, from: self, atNanoseconds: now)
  }

  func settle(atNanoseconds now: Int64) {
    service?.settle(atNanoseconds: now)
  }

  // -- What it asks for

  /// Takes what a WATCH says, but for the orientation (`ownScreen`) and the encoder
  /// (`reconfigure`).
  func accept(_ watch: WatchMessage) {
    if let enable = watch.enable {
      if enable != isEnabled { isAtRest = true }
      isEnabled = enable
    }
    if let rate = watch.rateHertz { cadence = Cadence(rateHertz: rate) }
    if let onChange = watch.onChange { self.onChange = onChange }
    if let depths = watch.layers, let layers = try? LayerSet(depths) { ownLayers = layers }
  }

  /// The settings or the configured layers changed.
  func reconfigure(layers: LayerSet, settings: MotionSettings) {
    self.layers = ownLayers ?? layers
    layerOverlays = [OffsetOverlay?](repeating: nil, count: self.layers.layers.count)
    encoder = OffsetEncoder(
      layers: self.layers, rangeX: settings.rangeX, rangeY: settings.rangeY)
    knowsLast = false
  }

  func hasLayer(_ name: String) -> Bool { layers.layers.contains { $0.name == name } }

  /// Whether animations change the picture, or have since its last frame.
  var awaitsAnimations: Bool {
    user.animations.isMoving || user.animations.version != seenVersion
  }

  // -- What it gets

  /// Sends a frame if it is due.
  ///
  /// - Parameter line: memory to write in.
  func offer(
    _ stamp: FrameStamp, _ sight: Sight, pace: FramePace, atNanoseconds now: Int64,
    line: inout OutputBuffer
  ) {
    let isDue = cadence.isDue(timeNanoseconds: stamp.timeNanoseconds, pace: pace)
    let isSilent = sight.isShut && isAtRest
    if isSilent, user.animations.version == seenVersion { return }
    // What comes to its end is sent, due or not.
    let isLast = sight.isShut && !user.animations.isMoving
    guard isDue || isLast else { return }
    seenVersion = user.animations.version
    let frame = frame(stamp, sight)
    if isWorthSending(frame, isLast: isLast), !isSilent || sent.differs(from: frame) {
      send(frame, atNanoseconds: now, line: &line)
      isAtRest = sight.isShut
    } else if sight.isShut {
      isAtRest = true
    }
  }

  /// Sends the newest frame once, due or not: on connecting and for a POLL.
  func repeatNewest(
    _ stamp: FrameStamp, _ sight: Sight, atNanoseconds now: Int64, line: inout OutputBuffer
  ) {
    send(frame(stamp, sight), atNanoseconds: now, line: &line)
    guard isEnabled else { return }
    isAtRest = sight.isShut
    seenVersion = user.animations.version
  }

  private func frame(_ stamp: FrameStamp, _ sight: Sight) -> OffsetFrame {
    let gain = user.gain
    var frame = OffsetFrame(
      seq: stamp.seq, timeNanoseconds: stamp.timeNanoseconds,
      motion: PixelOffset(x: sight.motion.x * gain, y: sight.motion.y * gain),
      overlay: sent.closing(user.animations.overlay))
    guard sight.animations.movesLayers || sent.hasLayers else { return frame }
    var index = 0
    while index < layerOverlays.count {
      let own = sight.animations.overlay(ofLayer: layers.layers[index].name, for: user)
      layerOverlays[index] = sent.closing(own, layer: index)
      index += 1
    }
    frame.layerOverlays = layerOverlays
    return frame
  }

  private func isWorthSending(_ frame: OffsetFrame, isLast: Bool) -> Bool {
    guard knowsLast else { return true }
    switch onChange {
    case .off: return true
    case .anyChange: return sent.differs(from: frame)
    case .atLeastPixels(let px):
      if sent.turns(to: frame) { return true }
      let moved = sent.distance(to: frame)
      return isLast ? moved > 0 : moved >= px
    }
  }

  private func send(
    _ frame: OffsetFrame, atNanoseconds now: Int64, line: inout OutputBuffer
  ) {
    let missed = channel.droppedBefore(seq: frame.seq, atNanoseconds: now)
    line.removeAll()
    encoder.append(frame, dropped: missed, to: &line)
    channel.send(line, as: .offset(seq: frame.seq), atNanoseconds: now)
    sent.take(frame)
    knowsLast = true
  }
}
