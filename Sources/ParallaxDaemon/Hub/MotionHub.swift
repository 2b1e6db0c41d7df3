package import ParallaxConfig
package import ParallaxMotion
package import ParallaxWire

/// Who gets what the hub makes. `StreamService` is the one there is.
package protocol HubAudience: AnyObject {
  var demand: SourceSwitch.Demand { get }
  /// Whether somebody still sees something move that no sample has to move.
  var needsTicks: Bool { get }
  func publish(_ frame: FrameStamp, atNanoseconds now: Int64)
  func deviceChanged(atNanoseconds now: Int64)
  func gateChanged(of user: UserState, atNanoseconds now: Int64)
  func settingsChanged()
}

/// Who gets the samples themselves. `ControlService` is the one there is.
package protocol HubRecorder: AnyObject {
  var isRecording: Bool { get }
  func deviceChanged(atNanoseconds now: Int64)
  func sourceWasReplaced(atNanoseconds now: Int64)
  func sampleKept(_ sample: SampleMessage, atNanoseconds now: Int64)
}

/// The middle of the daemon: it runs the source, drives the pipeline and holds the gates. Whatever
/// happens comes in as a call with the time, and `deadlineNanoseconds` says when to call `advance`
/// next; nothing in here waits or reads a clock, but for the latency.
package final class MotionHub {
  package weak var audience: (any HubAudience)?
  package weak var recorder: (any HubRecorder)?

  package private(set) var configuration: Configuration
  package private(set) var device: DeviceMessage
  package private(set) var engine: MotionEngine
  package private(set) var pace = FramePace(ratedHertz: 30, actualHertz: 30)
  package private(set) var latency = LatencyHistogram()
  package private(set) var meter = RateMeter()
  /// From the frame of the source's sensor to the device's.
  package private(set) var mountMatrix = MountMatrix.identity
  package let startNanoseconds: Int64

  /// Change them, then tell the hub by `gatesChanged`.
  package var gates = GateBoard()
  /// Change them, then tell the hub by `orientationsChanged`.
  package var orientations = OrientationBoard()

  private var overrides = MotionOverrides()
  private var source: any MotionSource
  private var sourceSwitch = SourceSwitch()
  private var globalFade: GainFade
  private var users: [UserState] = []
  private var lastSampleArrival: Int64 = 0
  private var lastTick: Int64 = 0
  private let makeSource: (Configuration) -> any MotionSource
  private let clock: () -> Int64

  /// - Parameters:
  ///   - makeSource: gives the source that a configuration asks for.
  ///   - clock: CLOCK_MONOTONIC, read behind a frame's last `send`.
  package init(
    configuration: Configuration, startNanoseconds: Int64, clock: @escaping () -> Int64,
    makeSource: @escaping (Configuration) -> any MotionSource
  ) {
    self.configuration = configuration
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
    engine = MotionEngine(
      settings: configuration.motion, orientation: orientations.common.orientation)
    globalFade = GainFade(
      gain: gates.globalGain, fadeSeconds: configuration.motion.fadeSeconds)
  }

  // -- Time

  /// When `advance` is wanted; nil: not before something else happens.
  package var deadlineNanoseconds: Int64? {
    let due = sourceSwitch.isRunning ? source.dueNanoseconds : nil
    return earlier(due, earlier(sourceSwitch.deadlineNanoseconds, tickDeadline))
  }

  /// Does what is due.
  package func advance(atNanoseconds now: Int64) {
    pumpSource(atNanoseconds: now)
    if let due = tickDeadline, due <= now {
      lastTick = now
      if let frame = engine.tick(atNanoseconds: now) { publish(frame, atNanoseconds: now) }
    }
    demandChanged(atNanoseconds: now)
  }

  private var tickDeadline: Int64? {
    guard engine.latest != nil, audience?.needsTicks ?? false else { return nil }
    let period = 1e9 / pace.actualHertz
    return lastTick >= lastSampleArrival
      ? lastTick + Int64(period) : lastSampleArrival + Int64(1.5 * period)
  }

  // -- Source

  /// Somebody came, went, or wants something else.
  package func demandChanged(atNanoseconds now: Int64) {
    let demand = recorder?.isRecording ?? false ? .wanted : audience?.demand ?? .nobody
    switch sourceSwitch.update(demand, atNanoseconds: now) {
    case .start(let fromIdle):
      if fromIdle { settleGains() }
      startSource(atNanoseconds: now)
    case .stop:
      source.stop()
      setDevice(.idle, rateHertz: nil, reason: nil, atNanoseconds: now)
    case nil: break
    }
  }

  /// A descriptor of the source's is ready.
  package func sourceIsReady(atNanoseconds now: Int64) {
    pumpSource(atNanoseconds: now)
    demandChanged(atNanoseconds: now)
  }

  private func startSource(atNanoseconds now: Int64) {
    if let event = source.start(atNanoseconds: now) { take(event, atNanoseconds: now) }
  }

  private func pumpSource(atNanoseconds now: Int64) {
    while sourceSwitch.isRunning, let event = source.next(atNanoseconds: now) {
      take(event, atNanoseconds: now)
    }
  }

  private func take(_ event: SourceEvent, atNanoseconds now: Int64) {
    switch event {
    case .streaming(let start): begin(start, atNanoseconds: now)
    case .sample(let sample): take(sample, atNanoseconds: now)
    case .segment(let continuing): engine.startSegment(continuing: continuing)
    case .trouble(let state, let reason):
      sourceSwitch.sourceIsSpent()
      source.stop()
      setDevice(state, rateHertz: nil, reason: reason, atNanoseconds: now)
    case .ended:
      sourceSwitch.sourceIsSpent()
      source.stop()
      setDevice(.ended, rateHertz: device.rateHertz, reason: nil, atNanoseconds: now)
    }
  }

  private func begin(_ start: SourceStart, atNanoseconds now: Int64) {
    engine.begin(start)
    mountMatrix = motionSettings.mountMatrix ?? start.mountMatrix ?? .identity
    meter = RateMeter()
    lastSampleArrival = now
    pace = FramePace(motionSettings, sourceHertz: start.rateHertz)
    orientations.recording = start.orientation
    orientationsChanged(atNanoseconds: now)
    if !start.startsOpen { globalFade.jump(to: 0) }
    setDevice(.streaming, rateHertz: start.rateHertz, reason: nil, atNanoseconds: now)
    globalFade.aim(at: gates.globalGain, atNanoseconds: now)
  }

  private func take(_ sample: GyroSample, atNanoseconds now: Int64) {
    lastSampleArrival = now
    guard case .kept(let time, _) = engine.push(sample) else { return }
    meter.add(atNanoseconds: time)
    recorder?.sampleKept(
      SampleMessage(timeNanoseconds: time, rateRadPerSec: sample.rateRadPerSec),
      atNanoseconds: now)
    while let frame = engine.nextFrame() {
      publish(frame, atNanoseconds: now)
      latency.add(nanoseconds: clock() - time)
    }
  }

  private func setDevice(
    _ state: DeviceMessage.State, rateHertz: Double?, reason: String?, atNanoseconds now: Int64
  ) {
    let message = DeviceMessage(
      driver: source.driver, name: source.name, state: state, rateHertz: rateHertz, reason: reason)
    guard message != device else { return }
    device = message
    gates.device =
      switch state {
      case .none: GateReasons(.deviceNone)
      case .busy: GateReasons(.deviceBusy)
      case .denied: GateReasons(.deviceDenied)
      case .lost: GateReasons(.deviceLost)
      case .streaming, .idle, .ended: []
      }
    audience?.deviceChanged(atNanoseconds: now)
    recorder?.deviceChanged(atNanoseconds: now)
    gatesChanged(atNanoseconds: now)
  }

  // -- Frames

  private func publish(_ frame: FrameStamp, atNanoseconds now: Int64) {
    let global = globalFade.gain(atNanoseconds: frame.timeNanoseconds)
    for user in users {
      user.gain = global * user.fade.gain(atNanoseconds: frame.timeNanoseconds)
    }
    audience?.publish(frame, atNanoseconds: now)
  }

  /// The newest frame, while motion streams.
  package var currentFrame: FrameStamp? { device.state == .streaming ? engine.latest : nil }

  // -- Gates

  /// The gate's reasons changed, or may have.
  package func gatesChanged(atNanoseconds now: Int64) {
    let isInhibited = !gates.globalReasons.isDisjoint(with: .inhibit)
    move(&globalFade, to: gates.globalGain, atOnce: isInhibited, atNanoseconds: now)
    for user in users {
      move(&user.fade, to: gates.userGain(user.uid), atOnce: false, atNanoseconds: now)
      user.isOpen = isOpen(user.uid)
      if isInhibited { user.gain = 0 }
      let message = gate(for: user.uid)
      if message != user.gate {
        user.gate = message
        audience?.gateChanged(of: user, atNanoseconds: now)
      }
    }
  }

  /// What a receiver of this uid is told.
  package func gate(for uid: UInt32) -> GateMessage {
    let gain = gates.globalGain * gates.userGain(uid)
    return GateMessage(
      open: gain > 0, gain: gain,
      reasons: gates.globalReasons.union(gates.userReasons(uid)).names)
  }

  private func isOpen(_ uid: UInt32) -> Bool {
    gates.globalGainBesidesDevice * gates.userGain(uid) > 0
  }

  /// Whether this user's gain is at 0 and will stay there.
  package func isShut(_ user: UserState) -> Bool {
    user.gain == 0 && globalFade.target * user.fade.target == 0
  }

  /// Whether this user's gain has not yet come to its end.
  package func isFading(_ user: UserState) -> Bool {
    globalFade.isMoving || user.fade.isMoving || user.gain != globalFade.target * user.fade.target
  }

  private func move(
    _ fade: inout GainFade, to gain: Double, atOnce: Bool, atNanoseconds now: Int64
  ) {
    // Where nobody is there, or nothing was shown yet, there is nothing to fade out.
    let isUnseen = sourceSwitch.state == .idle || (engine.latest == nil && gain < fade.target)
    if atOnce || isUnseen { fade.jump(to: gain) } else { fade.aim(at: gain, atNanoseconds: now) }
  }

  private func settleGains() {
    globalFade.jump(to: gates.globalGainBesidesDevice)
    for user in users { user.fade.jump(to: gates.userGain(user.uid)) }
  }

  // -- Users

  /// The state that the receivers of a uid share; give it back by `leave`.
  package func enter(uid: UInt32) -> UserState {
    if let user = users.first(where: { $0.uid == uid }) {
      user.connections += 1
      return user
    }
    let factor = gates.userGain(uid)
    var global = globalFade
    let user = UserState(
      uid: uid, isOpen: isOpen(uid),
      fade: GainFade(gain: factor, fadeSeconds: configuration.motion.fadeSeconds),
      gate: gate(for: uid),
      gain: factor
        * (engine.latest.map { global.gain(atNanoseconds: $0.timeNanoseconds) } ?? global.target))
    user.connections = 1
    user.screen = orientations.own(uid).map { engine.addScreen($0.orientation) }
    users.append(user)
    return user
  }

  package func leave(_ user: UserState) {
    user.connections -= 1
    guard user.connections == 0 else { return }
    if let screen = user.screen { engine.remove(screen) }
    users.removeAll { $0 === user }
  }

  // -- Orientation

  /// What the screens are turned to changed, or may have.
  package func orientationsChanged(atNanoseconds now: Int64) {
    let common = orientations.common.orientation
    engine.turn(.common, to: common, atNanoseconds: now)
    for user in users {
      let own = orientations.own(user.uid)
      if own != nil, user.screen == nil { user.screen = engine.addScreen(like: .common) }
      // Who loses their own keeps the screen, turned as everybody's: no jump.
      if let screen = user.screen {
        engine.turn(screen, to: own?.orientation ?? common, atNanoseconds: now)
      }
    }
  }

  /// A screen for one client alone.
  package func addScreen(_ orientation: Orientation) -> MotionEngine.Screen {
    engine.addScreen(orientation)
  }

  package func remove(_ screen: MotionEngine.Screen) {
    engine.remove(screen)
  }

  // -- Settings

  /// The configuration with what SET put over it.
  package var motionSettings: MotionSettings { overrides.applied(to: configuration.motion) }

  package func recenter(atNanoseconds now: Int64) {
    engine.recenter(atNanoseconds: now)
  }

  /// The next sample begins a segment.
  package func startSegment() {
    engine.startSegment(continuing: false)
  }

  package func setOverrides(_ change: (inout MotionOverrides) -> Void) {
    change(&overrides)
    engine.reconfigure(motionSettings)
    audience?.settingsChanged()
  }

  /// Takes a new configuration; the source begins anew where that changes what it gives.
  package func reconfigure(_ new: Configuration, atNanoseconds now: Int64) {
    let old = configuration
    configuration = new
    gates.policy = new.gates
    orientations.configured = new.orientation.source
    orientations.panel = new.orientation.panel
    globalFade.setFade(seconds: new.motion.fadeSeconds)
    for user in users { user.fade.setFade(seconds: new.motion.fadeSeconds) }
    engine.reconfigure(motionSettings)
    audience?.settingsChanged()
    if new.source != old.source || new.sampling != old.sampling
      || !new.motion.sharesSensor(with: old.motion)
    {
      replaceSource(atNanoseconds: now)
    }
    orientationsChanged(atNanoseconds: now)
    gatesChanged(atNanoseconds: now)
    demandChanged(atNanoseconds: now)
  }

  private func replaceSource(atNanoseconds now: Int64) {
    source.stop()
    source = makeSource(configuration)
    let wasOn = sourceSwitch.isOn
    sourceSwitch.sourceWasReplaced()
    recorder?.sourceWasReplaced(atNanoseconds: now)
    setDevice(.idle, rateHertz: nil, reason: nil, atNanoseconds: now)
    if wasOn { startSource(atNanoseconds: now) }
  }
}

/// The earlier of two instants that may never come. (A frame asks for this: no arrays.)
func earlier(_ left: Int64?, _ right: Int64?) -> Int64? {
  guard let left, let right else { return left ?? right }
  return min(left, right)
}
