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
  private var encoder: OffsetEncoder
  private var lastSent: (x: Hundredths, y: Hundredths)?

  init(
    channel: LineChannel, peer: PeerCredentials, user: UserState, layers: LayerSet,
    settings: MotionSettings, service: StreamService
  ) {
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
    encoder = OffsetEncoder(
      layers: ownLayers ?? layers, rangeX: settings.rangeX, rangeY: settings.rangeY)
    lastSent = nil
  }

  // -- What it gets

  /// Sends a frame if it is due.
  ///
  /// - Parameters:
  ///   - motion: px, before the gain.
  ///   - isShut: the gain is 0 and stays there: one (0, 0), then nothing.
  ///   - line: memory to write in.
  func offer(
    _ stamp: FrameStamp, motion: PixelOffset, isShut: Bool, pace: FramePace,
    atNanoseconds now: Int64, line: inout OutputBuffer
  ) {
    let isDue = cadence.isDue(timeNanoseconds: stamp.timeNanoseconds, pace: pace)
    if isShut ? isAtRest : !isDue { return }
    let frame = frame(stamp, motion)
    if !isWorthSending(frame, isLast: isShut) {
      if isShut { isAtRest = true }
      return
    }
    send(frame, atNanoseconds: now, line: &line)
    isAtRest = isShut
  }

  /// Sends the newest frame once, due or not: on connecting and for a POLL.
  func repeatNewest(
    _ stamp: FrameStamp, motion: PixelOffset, isShut: Bool, atNanoseconds now: Int64,
    line: inout OutputBuffer
  ) {
    send(frame(stamp, motion), atNanoseconds: now, line: &line)
    if isEnabled { isAtRest = isShut }
  }

  private func frame(_ stamp: FrameStamp, _ motion: PixelOffset) -> OffsetFrame {
    let gain = user.gain
    return OffsetFrame(
      seq: stamp.seq, timeNanoseconds: stamp.timeNanoseconds,
      motion: PixelOffset(x: motion.x * gain, y: motion.y * gain))
  }

  private func isWorthSending(_ frame: OffsetFrame, isLast: Bool) -> Bool {
    guard onChange != .off, let last = lastSent else { return true }
    let (x, y) = frame.published
    let moved = max((x.px - last.x.px).magnitude, (y.px - last.y.px).magnitude)
    return switch onChange {
    case .off: true
    case .anyChange: x != last.x || y != last.y
    case .atLeastPixels(let px): isLast ? moved > 0 : moved >= px
    }
  }

  private func send(
    _ frame: OffsetFrame, atNanoseconds now: Int64, line: inout OutputBuffer
  ) {
    let missed = channel.droppedBefore(seq: frame.seq, atNanoseconds: now)
    line.removeAll()
    encoder.append(frame, dropped: missed, to: &line)
    channel.send(line, as: .offset(seq: frame.seq), atNanoseconds: now)
    lastSent = frame.published
  }
}
