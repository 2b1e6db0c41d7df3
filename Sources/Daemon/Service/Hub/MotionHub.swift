// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxConfig
package import ParallaxGates
package import ParallaxMotion
package import ParallaxProtocol

/// The middle of the daemon: runs the source, drives the pipeline and applies the gates.
///
/// Every event comes in as a call with the time, and `deadline` says when to call `advance` next. The
/// hub waits for nothing and reads no clock, except for the latency.
///
/// One concern per file: this one has the state, `update` and the time; MotionHubSource the source and
/// its samples, MotionHubFrames the frames, MotionHubGates the gates and their fades, MotionHubUsers
/// users and screens, MotionHubSettings the configuration.
package final class MotionHub {
  package weak var audience: (any HubAudience)?
  package weak var recorder: (any HubRecorder)?
  package weak var configurationObserver: (any HubConfigurationObserver)?

  /// What is in effect: the files' configuration with the settings of SET over it.
  package internal(set) var configuration: Configuration
  /// What the files and the command line say.
  var filed: Configuration
  package internal(set) var device: DeviceMessage
  package let engine: MotionEngine
  package internal(set) var pace = FramePace(ratedHertz: 30, actualHertz: 30)
  package internal(set) var latency = LatencyHistogram()
  /// Why latency cannot be measured; nil if it can.
  package internal(set) var latencyNote: String?
  package internal(set) var meter = RateMeter()
  /// Samples that came too late to be shown, since the daemon started.
  package internal(set) var staleSamples: UInt64 = 0
  /// From the frame of the source's sensor to the device's.
  package internal(set) var mountMatrix = MountMatrix.identity
  package let start: MotionInstant

  /// Receives each change of the device and of the gates; if nil, the log gets the errors of the
  /// device.
  package var changed: ((HubChange) -> Void)?

  /// What plays beside the motion.
  package let animations: AnimationDirector

  var inputs = HubInputs()
  /// The reasons for every user that `changed` received last.
  var lastReportedReasons: GateReasons = []
  /// The bias that the source was given last, so that it gets each value once.
  var lastReportedBias: AngularRate?
  var source: any MotionSource
  var sourceState = SourceStateMachine()
  var users: [UserState] = []
  /// The quotas of users who left within the last frames, so that connecting again does not renew them.
  var formerQuotas: [UInt32: FrameQuota] = [:]
  var sharedScreens = SharedScreens()
  var burst = FrameBurst()
  /// When to take the events that the last turn left in the source; nil if it took all.
  var backlogDue: MotionInstant?
  var lastSampleArrival = MotionInstant.zero
  var lastTick = MotionInstant.zero
  /// No frame is published before: see `rest`.
  var restEnd = MotionInstant.distantPast
  /// Whether the source is a sensor.
  var isLive = false
  /// Whether the source has streamed since it was switched on: frames from before are not shown.
  var showsMotion = false
  /// Whether the accelerometer is in the source's own device.
  var hasAccelerometer = false
  let makeSource: (Configuration) -> any MotionSource
  let clock: () -> MotionInstant
  let log: (String) -> Void

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
    self.makeSource = makeSource
    animations = AnimationDirector(
      documents: documents, worker: worker, fadeSeconds: configuration.motion.fadeSeconds)
    let source = makeSource(configuration)
    self.source = source
    device = DeviceMessage(
      driver: source.driver, name: source.name, state: .idle, rateHertz: nil, reason: nil)
    inputs.configure(configuration)
    pace = FramePace(configuration.motion, sourceHertz: nil)
    engine = MotionEngine(
      settings: configuration.motion, orientation: inputs.orientations.common.orientation)
    animations.host = self
    followSource()
  }

  /// Whether the source is off and no one subscribes or records.
  package var isIdle: Bool { users.isEmpty && sourceState.state == .idle }

  /// Who may see motion, and why not.
  package var gates: GateBoard { inputs.gates }

  /// How the screens are turned, and who says so.
  package var orientations: OrientationBoard { inputs.orientations }

  /// What SET has changed.
  package var overrides: SettingOverrides { inputs.overrides }

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

  // MARK: - Time

  /// When `advance` must be called next; nil if only another event can change anything.
  package var deadline: MotionInstant? {
    let source = sourceState.isRunning ? backlogDue ?? burst.due ?? source.due : nil
    let frame = MotionInstant.earlier(source, tickDeadline ?? animationDeadline)
    return .earlier(frame.map { max($0, restEnd) }, sourceState.deadline)
  }

  /// Does what is due.
  package func advance(at now: MotionInstant) {
    pumpSource(at: now)
    guard restEnd <= now else { return followDemand(at: now) }
    if let due = tickDeadline, due <= now {
      lastTick = now
      if let frame = engine.tick(at: now) {
        publish(frame, at: now)
        rest(after: now)
      }
    } else if let due = animationDeadline, due <= now {
      animations.advance(to: now)
      animations.reportEvents(at: now)
    }
    followDemand(at: now)
  }

  private var tickDeadline: MotionInstant? {
    guard audience?.needsTicks ?? false else { return nil }
    return lastTick >= lastSampleArrival
      ? lastTick + pace.period(1)
      : lastSampleArrival + pace.period(1.5)
  }

  /// When an animation has an event to report that no frame carries.
  private var animationDeadline: MotionInstant? {
    animations.deadline(framePeriod: pace.period(1))
  }
}

extension HubInputs {
  /// Takes over what the configuration says.
  mutating func configure(_ configuration: Configuration) {
    gates.policy = configuration.gates
    orientations.configured = configuration.orientation.source
    orientations.panel = configuration.orientation.panel
  }
}
