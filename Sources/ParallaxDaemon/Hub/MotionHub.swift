package import ParallaxConfig
package import ParallaxMotion
package import ParallaxWire

/// The middle of the daemon: it runs the source, drives the pipeline and holds the gates. Whatever
/// happens comes in as a call with the time, and `deadlineNanoseconds` says when to call `advance`
/// next; nothing in here waits or reads a clock, but for the latency.
package final class MotionHub {
  package weak var audience: (any HubAudience)?
  package weak var recorder: (any HubRecorder)?

  package internal(set) var configuration: Configuration
  package internal(set) var device: DeviceMessage
  package internal(set) var engine: MotionEngine
  package internal(set) var pace = FramePace(ratedHertz: 30, actualHertz: 30)
  package internal(set) var latency = LatencyHistogram()
  /// Why the latency cannot be told; nil: it can.
  package internal(set) var latencyNote: String?
  package internal(set) var meter = RateMeter()
  /// Samples that came too late to be shown, since the daemon started.
  package internal(set) var staleSamples: UInt64 = 0
  /// From the frame of the source's sensor to the device's.
  package internal(set) var mountMatrix = MountMatrix.identity
  package let startNanoseconds: Int64

  /// Change them, then tell the hub by `gatesChanged`.
  package var gates = GateBoard()
  /// Change them, then tell the hub by `orientationsChanged`.
  package var orientations = OrientationBoard()

  /// Before the first connection of a user, behind the last one of it, and when the configuration was
  /// read again: what concerns users is looked at then.
  var userEnters: (UInt32) -> Void = { _ in }
  var userLeft: (UInt32) -> Void = { _ in }
  var configurationChanged: () -> Void = {}

  /// Told of each change of the device and of the gates; where it is nil, the log has the device's
  /// troubles alone.
  package var changed: ((HubChange) -> Void)?

  /// What plays beside the motion.
  package private(set) lazy var animations = AnimationDirector(
    hub: self, documents: documents, fadeSeconds: configuration.motion.fadeSeconds)
  private let documents: any DocumentSource

  var overrides = MotionOverrides()
  /// The reasons for everyone that `changed` was told last.
  var toldReasons: GateReasons = []
  var source: any MotionSource
  var sourceSwitch = SourceSwitch()
  var globalFade: GainFade
  var users: [UserState] = []
  var burst = FrameBurst()
  var lastSampleArrival: Int64 = 0
  var lastTick: Int64 = 0
  /// Whether the source is a sensor.
  var isLive = false
  /// Whether the source has streamed since it was switched on: what it gave before is not shown.
  var showsMotion = false
  /// Whether the accelerometer is the source's own.
  var hasAccelerometer = false
  let makeSource: (Configuration) -> any MotionSource
  let clock: () -> Int64
  let log: (String) -> Void

  /// - Parameters:
  ///   - makeSource: gives the source that a configuration asks for.
  ///   - documents: where animations come from.
  ///   - clock: CLOCK_MONOTONIC, read behind a frame's last `send`.
  ///   - log: takes what whoever runs the daemon should know, a line each.
  package init(
    configuration: Configuration, documents: any DocumentSource, startNanoseconds: Int64,
    clock: @escaping () -> Int64,
    makeSource: @escaping (Configuration) -> any MotionSource,
    log: @escaping (String) -> Void
  ) {
    self.log = log
    self.configuration = configuration
    self.documents = documents
    self.startNanoseconds = startNanoseconds
    self.clock = clock
    self.makeSource = makeSource
    let source = makeSource(configuration)
    self.source = source
    device = DeviceMessage(
      driver: source.driver, name: source.name, state: .idle, rateHertz: nil, reason: nil)
    gates.policy = configuration.gates
    orientations.configured = configuration.orientation.source
    orientations.panel = configuration.orientation.panel
    pace = FramePace(configuration.motion, sourceHertz: nil)
    engine = MotionEngine(
      settings: configuration.motion, orientation: orientations.common.orientation)
    globalFade = GainFade(
      gain: gates.globalGain, fadeSeconds: configuration.motion.fadeSeconds)
  }

  /// Whether nobody subscribes or records, and the source is off.
  package var isIdle: Bool { users.isEmpty && sourceSwitch.state == .idle }

  // -- Time

  /// When `advance` is wanted; nil: not before something else happens.
  package var deadlineNanoseconds: Int64? {
    let due = sourceSwitch.isRunning ? burst.dueNanoseconds ?? source.dueNanoseconds : nil
    let next = tickDeadline ?? newsDeadline
    return earlier(due, earlier(sourceSwitch.deadlineNanoseconds, next))
  }

  /// Does what is due.
  package func advance(atNanoseconds now: Int64) {
    pumpSource(atNanoseconds: now)
    if let due = tickDeadline, due <= now {
      lastTick = now
      if let frame = engine.tick(atNanoseconds: now) { publish(frame, atNanoseconds: now) }
    } else if let due = newsDeadline, due <= now {
      animations.advance(toNanoseconds: now)
      animations.tell(atNanoseconds: now)
    }
    demandChanged(atNanoseconds: now)
  }

  private var framePeriodNanoseconds: Int64 { Int64(1e9 / pace.actualHertz) }

  private var tickDeadline: Int64? {
    guard audience?.needsTicks ?? false else { return nil }
    return lastTick >= lastSampleArrival
      ? lastTick + framePeriodNanoseconds
      : lastSampleArrival + Int64(1.5e9 / pace.actualHertz)
  }

  /// When an animation has something to tell that no frame tells.
  private var newsDeadline: Int64? {
    animations.deadlineNanoseconds(framePeriodNanoseconds: framePeriodNanoseconds)
  }
}

/// The earlier of two instants that may never come. (A frame asks for this: no arrays.)
func earlier(_ left: Int64?, _ right: Int64?) -> Int64? {
  guard let left, let right else { return left ?? right }
  return min(left, right)
}
