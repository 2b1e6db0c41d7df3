// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxConfig
package import ParallaxGates
import ParallaxMotion
package import ParallaxProtocol

/// The middle of the daemon: takes the source's events, makes frames of its samples and publishes them.
///
/// Its parts own their state and are called in one direction: `SourceRunner` -> `MotionEngine` -> `Audience`
/// and `AnimationDirector` -> `StreamService`. Every event comes in as a call with the time, and `deadline`
/// says when to call `advance` next. The hub waits for nothing and reads no clock, except for the latency.
package final class MotionHub {
  package let source: SourceRunner
  package let engine: MotionEngine
  package let audience: Audience
  /// What plays beside the motion.
  package let animations: AnimationDirector
  /// Gets the frames, and device and gate messages. Sets itself, as the next two do.
  weak var stream: StreamService?
  /// Has the recordings and the agents.
  weak var control: ControlService?
  /// Decides again what the configuration decides for single users.
  weak var access: AccessMonitor?

  /// What is in effect: the files' configuration with the settings of SET over it.
  package private(set) var configuration: Configuration
  /// What the files and the command line say.
  private var filed: Configuration
  private var inputs = HubInputs()
  private var schedule: FrameSchedule
  package private(set) var latency = LatencyHistogram()
  /// Samples that came too late to be shown, since the daemon started.
  package private(set) var staleSamples: UInt64 = 0
  /// Samples that the kernel dropped because the daemon did not read them in time.
  package private(set) var lostSamples: UInt64 = 0
  package let start: MotionInstant

  /// Receives each change of the device and of the gates; if nil, the log gets the errors of the
  /// device.
  package var changed: ((HubChange) -> Void)?
  /// The reasons for every user that `changed` received last.
  private var reportedReasons: GateReasons = []
  let log: (String) -> Void
  private let clock: () -> MotionInstant

  /// - Parameters:
  ///   - makeSource: Makes the source that a configuration selects.
  ///   - documents: Where animations come from.
  ///   - worker: Reads them.
  ///   - clock: Reads CLOCK_MONOTONIC after the last `send` of a frame.
  ///   - log: Receives warnings for the operator, one line each.
  package init(
    configuration: Configuration, documents: any DocumentSource,
    worker: any DocumentWorker = ImmediateDocumentWorker(), start: MotionInstant,
    clock: @escaping () -> MotionInstant,
    makeSource: @escaping (Configuration) -> any MotionSource,
    log: @escaping (String) -> Void
  ) {
    self.log = log
    self.configuration = configuration
    filed = configuration
    self.start = start
    self.clock = clock
    inputs.configure(configuration)
    source = SourceRunner(configuration, makeSource: makeSource)
    engine = MotionEngine(
      settings: configuration.motion, orientation: inputs.orientations.common.orientation)
    audience = Audience(engine: engine)
    schedule = FrameSchedule(pace: FramePace(configuration.motion, sourceHertz: nil))
    animations = AnimationDirector(
      AnimationLibrary(documents, worker: worker), audience: audience, gates: inputs.gates,
      configuration, clock: clock, log: log)
    animations.library.hasLayer = { [weak self] in self?.hasLayer($0) ?? false }
    source.isReady = { [weak self] now in
      self?.takeEvents(at: now)
      self?.followDemand(at: now)
    }
  }

  // MARK: - State

  /// Whether the source is off and no one subscribes or records.
  package var isIdle: Bool { audience.users.isEmpty && source.state.state == .idle }

  package var device: DeviceMessage { source.device }

  package var pace: FramePace { schedule.pace }

  /// Who may see motion, and why not.
  package var gates: GateBoard { inputs.gates }

  /// How the screens are turned, and who says so.
  package var orientations: OrientationBoard { inputs.orientations }

  /// What SET has changed.
  package var overrides: SettingOverrides { inputs.overrides }

  /// Whether iio-sensor-proxy should be asked for the orientation: motion streams, nothing with
  /// precedence decides, and the proxy's accelerometer is not in the device that streams.
  package var asksSensorProxy: Bool {
    source.leavesAccelerometer && orientations.asksSensors
  }

  /// Whether the configuration or a subscriber has a layer of that name.
  func hasLayer(_ name: String) -> Bool {
    configuration.layers.layers.contains { $0.name == name } || audience.hasOwnLayer(name)
  }

  func currentTime() -> MotionInstant { clock() }

  // MARK: - Users

  /// Returns the state that the subscribers of a user share. `leave` gives it back.
  package func enter(uid: UInt32) -> UserState {
    let fadeSeconds = configuration.motion.fadeSeconds
    return audience.enter(uid, orientation: orientations.own(uid)?.orientation) { quota in
      UserState(
        uid: uid, gates: gates,
        gain: UserGain(gates.gain(uid), isOn: audience.showsMotion, fadeSeconds: fadeSeconds),
        animations: animations.view(for: uid, fadeSeconds: fadeSeconds, at: clock()),
        quota: quota)
    }
  }

  package func leave(_ user: UserState) { audience.leave(user) }

  /// Returns the frame that a user sees, while motion streams or animations have moved something.
  func currentFrame(of user: UserState) -> UserFrame? {
    guard device.state == .streaming || animations.isVisible else { return nil }
    return audience.currentFrame(of: user, pace: pace)
  }

  // MARK: - Changes

  /// Changes the inputs, then brings settings, screens, gates and the source up to date, each once.
  ///
  /// - Parameter change: Must not read `gates` or `orientations` of the hub: it is changing them.
  package func update(at now: MotionInstant, _ change: (inout HubInputs) -> Void = { _ in }) {
    change(&inputs)
    if inputs.consume(.overrides) { adopt(inputs.overrides.applied(to: filed), at: now) }
    if inputs.consume(.orientations) { turnScreens(at: now) }
    if inputs.consume(.gates) { applyGates(at: now) }
    followDemand(at: now)
  }

  /// Takes over a new configuration of the files. What SET has changed stays.
  package func reconfigure(_ new: Configuration, at now: MotionInstant) {
    filed = new
    inputs.configure(new)
    adopt(inputs.overrides.applied(to: new), at: now)
    animations.reconfigure(fadeSeconds: configuration.motion.fadeSeconds, at: now)
    access?.configurationDidChange(&inputs)
    update(at: now)
  }

  /// Puts a configuration into effect. The source starts again if its samples or frames would differ.
  private func adopt(_ new: Configuration, at now: MotionInstant) {
    let old = configuration
    configuration = new
    engine.reconfigure(new.motion)
    animations.settings = new.animations
    for user in audience.users {
      user.gain.setFade(seconds: new.motion.fadeSeconds)
      user.frame?.clamp(to: new.motion)
    }
    stream?.settingsChanged(at: now)
    if new.source != old.source || new.sampling != old.sampling
      || !new.motion.sharesSensor(with: old.motion)
    {
      replaceSource(at: now)
    }
  }

  private func turnScreens(at now: MotionInstant) {
    _ = inputs.consume(.orientations)
    audience.turnScreens(orientations, at: now)
    control?.orientationsChanged(at: now)
  }

  /// Brings the gains, every subscriber's GATE and the animations up to date with the gates.
  private func applyGates(at now: MotionInstant) {
    _ = inputs.consume(.gates)
    let gates = gates
    reportReasons(gates)
    let (isIdle, hasFrame) = (source.state.state == .idle, engine.latest != nil)
    for user in audience.users
    where user.follow(gates, isIdle: isIdle, hasFrame: hasFrame, at: now) {
      stream?.gateChanged(of: user, at: now)
      control?.gateChanged(of: user, at: now)
    }
    animations.apply(gates, at: now)
    animations.updateAutomaticPlayback(device.state, at: now)
  }

  private func reportReasons(_ gates: GateBoard) {
    guard let changed else { return }
    let reasons = gates.globalReasons
    if reasons != reportedReasons {
      reportedReasons = reasons
      changed(.gate(gain: gates.globalGain, reasons: reasons.names, uid: nil))
    }
    for user in audience.users {
      guard let own = user.changedReasons(gates) else { continue }
      changed(.gate(gain: gates.userGain(user.uid), reasons: own.names, uid: user.uid))
    }
  }

  // MARK: - Time

  /// When `advance` must be called next; nil if only another event can change anything.
  package var deadline: MotionInstant? {
    let event =
      source.state.isRunning
      ? schedule.backlogDue ?? schedule.burst.due ?? source.current.due : nil
    let frame = MotionInstant.earlier(event, tickDeadline ?? animationDeadline)
    return .earlier(frame.map { max($0, schedule.restEnd) }, source.state.deadline)
  }

  /// Does what is due.
  package func advance(at now: MotionInstant) {
    takeEvents(at: now)
    if schedule.restEnd <= now { tick(at: now) }
    followDemand(at: now)
  }

  /// Makes a frame without a sample, or reports what an animation has to report without a frame.
  private func tick(at now: MotionInstant) {
    if let due = tickDeadline, due <= now {
      schedule.tick(at: now)
      guard let frame = engine.tick(at: now) else { return }
      publish(frame, at: now)
      schedule.rest(from: now, to: clock())
    } else if let due = animationDeadline, due <= now {
      animations.advance(to: now)
      animations.reportEvents(at: now)
    }
  }

  private var tickDeadline: MotionInstant? { audience.needsTicks ? schedule.tickDue : nil }

  /// When an animation has an event to report that no frame carries.
  private var animationDeadline: MotionInstant? {
    animations.deadline(framePeriod: pace.period(1))
  }

  // MARK: - The source

  /// Switches the source on or off as subscribers and recordings need it.
  private func followDemand(at now: MotionInstant) {
    // Those who must leave do so first: the sensor is not switched on for them.
    if access?.isReexamining == true { return }
    engine.isFine = audience.needsFineFrames
    switch source.follow(demand, at: now) {
    case .start(let fromIdle):
      if fromIdle {
        // Before the first subscriber sees motion, nothing fades.
        for user in audience.users {
          user.gain.move(to: gates.gainBesidesDevice(user.uid), atOnce: true, at: now)
        }
      }
      audience.showsMotion = false
      startSource(at: now)
      // A recording that finds no device has ended at once.
      if demand < .needed { return followDemand(at: now) }
    case .stop:
      source.current.stop()
      audience.showsMotion = false
      setDevice(.idle, at: now)
    case nil: break
    }
    animations.updateAutomaticPlayback(device.state, at: now)
  }

  private var demand: SourceStateMachine.Demand {
    max(control?.demand ?? .noSubscriber, audience.demand)
  }

  /// Opens a sensor again, after suspend has reset its settings.
  package func restartSensor(at now: MotionInstant) {
    guard source.state.isRunning, source.isLive else { return }
    source.current.stop()
    startSource(at: now)
  }

  /// Makes the source that the configuration selects, in place of the present one.
  private func replaceSource(at now: MotionInstant) {
    source.current.stop()
    audience.showsMotion = false
    let starts = source.replace(configuration)
    // Ticks before its first sample come at the configured rate.
    schedule.pace = FramePace(configuration.motion, sourceHertz: nil)
    inputs.orientations.accelerometer = nil
    control?.sourceWasReplaced(at: now)
    setDevice(.idle, at: now)
    if starts { startSource(at: now) }
  }

  /// Brings DEVICE up to date with a feed that has begun or ended while the source is off.
  func feedChanged(at now: MotionInstant) {
    if !source.state.isOn { setDevice(.idle, at: now) }
  }

  /// Releases the source at the end of the daemon.
  func shutDown() { source.current.stop() }

  private func startSource(at now: MotionInstant) {
    if let event = source.current.start(at: now) { handle(event, at: now) }
  }

  /// The most events of the source that one turn takes, so that requests and signals wait for no more.
  private static let maxEventsPerTurn = 64
  /// The pause before the next turn if events are left, in which the loop serves everything else.
  private static let backlogPause: MotionDuration = .milliseconds(1)

  /// Takes the source's events, and publishes the frames between two of them, as far as they are due
  /// and one turn may take.
  private func takeEvents(at now: MotionInstant) {
    schedule.backlogDue = nil
    guard schedule.restEnd <= now else {
      schedule.backlogDue = schedule.restEnd
      return
    }
    var events = 0
    while source.state.isRunning {
      if let due = schedule.burst.due {
        guard due <= now else { return }
        guard !publishNextFrame(due: due, at: now), schedule.restEnd <= now else { break }
      } else if events == Self.maxEventsPerTurn {
        break
      } else if let event = source.current.next(at: now) {
        events += 1
        if case .sample(let sample) = event {
          step(sample, at: now)
        } else {
          handle(event, at: now)
        }
      } else {
        return publishWithheldFrame(at: now)
      }
    }
    if source.state.isRunning { schedule.backlogDue = now + Self.backlogPause }
  }

  /// Handles an event other than a sample.
  private func handle(_ event: SourceEvent, at now: MotionInstant) {
    publishWithheldFrame(at: now)
    switch event {
    case .sample: break
    case .streaming(let start): begin(start, at: now)
    case .lost(let count): lostSamples += count
    case .latencyUnknown(let reason): source.latencyIsUnknown(reason)
    case .orientation(let orientation):
      inputs.orientations.accelerometer = orientation
      turnScreens(at: now)
    case .segment(let continuing): engine.startSegment(continuing: continuing)
    case .waiting(let state, let reason):
      if changed == nil { log("source \(source.current.driver): \(reason)") }
      setDevice(state, reason: reason, at: now)
    case .failed(let state, let reason):
      if changed == nil { log("source \(source.current.driver): \(reason)") }
      source.finish()
      setDevice(state, reason: reason, at: now)
    case .ended:
      source.finish()
      setDevice(.ended, rateHertz: device.rateHertz, at: now)
    }
  }

  private func begin(_ start: SourceStart, at now: MotionInstant) {
    engine.begin(start)
    source.begin(start, configured: configuration.motion.mountMatrix)
    schedule.begin(
      pace: FramePace(configuration.motion, sourceHertz: start.rateHertz), at: now)
    audience.showsMotion = true
    inputs.orientations.recording = start.orientation
    inputs.orientations.isHandheld = start.isHandheld
    // A device that returns after a pause keeps its orientation: flat on a table it reports no other.
    if !start.hasAccelerometer { inputs.orientations.accelerometer = nil }
    turnScreens(at: now)
    if start.isLive {
      for user in audience.users { user.gain.move(to: 0, atOnce: true, at: now) }
    }
    setDevice(.streaming, rateHertz: start.rateHertz, reason: start.note, at: now)
    for user in audience.users {
      user.gain.move(to: gates.gain(user.uid), atOnce: false, at: now)
    }
  }

  private func setDevice(
    _ state: DeviceMessage.State, rateHertz: Double? = nil, reason: String? = nil,
    at now: MotionInstant
  ) {
    guard source.setDevice(state, rateHertz: rateHertz, reason: reason) else { return }
    changed?(.device(device))
    inputs.gates.device = state.gateReasons
    stream?.deviceChanged(at: now)
    control?.deviceChanged(at: now)
    applyGates(at: now)
  }

  // MARK: - Samples and frames

  /// An older sample is not shown.
  private static let maxDelay: MotionDuration = .milliseconds(250)

  /// Takes a sample. `publishNextFrame` publishes the frames that it completes.
  private func step(_ sample: GyroSample, at now: MotionInstant) {
    schedule.lastSample = now
    guard case .kept(let time, _) = engine.push(sample) else { return }
    source.sampleKept(at: time, bias: engine.biasState, now: now)
    control?.sampleKept(
      SampleMessage(time: time, rateRadPerSec: sample.rateRadPerSec), at: now)
    guard now - time <= Self.maxDelay else {
      // It waited while the daemon was held up: it counts for the filters and is not shown.
      engine.skipFrames()
      staleSamples += 1
      return
    }
    // A sample that waited for a burst is not late.
    let lateness = min(source.current.lateness(at: now), now - schedule.burst.lastEnd)
    schedule.burst.begin(due: now - max(.zero, lateness))
  }

  /// Publishes the next frame of the samples so far, or ends the burst. A frame that is too late is
  /// withheld: `publishWithheldFrame` shows it if it proves to be the newest.
  ///
  /// - Parameter due: When the frame was due.
  /// - Returns: Whether another frame was due before this one was published.
  private func publishNextFrame(due: MotionInstant, at now: MotionInstant) -> Bool {
    let period = pace.period(1)
    if now - due > schedule.maxLateness {
      if engine.withholdFrame() {
        schedule.burst.count(period: period)
      } else {
        schedule.burst.end()
      }
      return false
    }
    guard let frame = engine.nextFrame() else {
      schedule.burst.end()
      return false
    }
    schedule.burst.count(period: period)
    publishMotion(frame, at: now)
    return now - due >= period
  }

  /// Publishes the newest of the frames that were too late.
  private func publishWithheldFrame(at now: MotionInstant) {
    if let frame = engine.releaseWithheldFrame() { publishMotion(frame, at: now) }
  }

  private func publishMotion(_ frame: FrameStamp, at now: MotionInstant) {
    schedule.lastSample = now
    publish(frame, at: now)
    let end = clock()
    schedule.rest(from: now, to: end)
    if source.latencyNote == nil, let sampleTime = engine.latestSample {
      latency.add(end - sampleTime)
    }
  }

  /// Shows a frame to every user, with the gain of its gate and what animations add, and sends it.
  func publish(_ frame: FrameStamp, at now: MotionInstant) {
    animations.advance(to: frame.time)
    audience.show(frame, pace: pace)
    stream?.publish(frame, pace: pace, at: now)
    animations.reportEvents(at: now)
  }
}

extension HubInputs {
  /// Takes over what the configuration says.
  fileprivate mutating func configure(_ configuration: Configuration) {
    gates.policy = configuration.gates
    orientations.configured = configuration.orientation.source
    orientations.panel = configuration.orientation.panel
  }
}

extension DeviceMessage.State {
  /// Why a device in this state gives no motion.
  fileprivate var gateReasons: GateReasons {
    switch self {
    case .none: GateReasons(.deviceNone)
    case .busy: GateReasons(.deviceBusy)
    case .denied: GateReasons(.deviceDenied)
    case .lost: GateReasons(.deviceLost)
    case .streaming, .idle, .ended: []
    }
  }
}

extension MotionSettings {
  /// Whether a running source and its pipeline go on with these settings.
  fileprivate func sharesSensor(with other: MotionSettings) -> Bool {
    sensorSettings == other.sensorSettings
  }

  /// These settings without the ones that a running pipeline takes over.
  private var sensorSettings: MotionSettings {
    var settings = self
    settings.scale = nil
    settings.rangeX = .standard
    settings.rangeY = .standard
    settings.smoothing = .auto(.normal)
    settings.recenterSeconds = 0
    settings.fadeSeconds = 0
    return settings
  }
}
