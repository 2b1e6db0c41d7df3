// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxGates
import ParallaxMotion
import ParallaxProtocol

/// The source: when it runs, and what its events change.
extension MotionHub {
  /// An older sample is not shown.
  private static let maxDelay: MotionDuration = .milliseconds(250)
  /// The most events of the source that one turn takes, so that requests and signals wait for no more.
  private static let maxEventsPerTurn = 64
  /// The pause before the next turn if events are left, in which the loop serves everything else.
  private static let backlogPause: MotionDuration = .milliseconds(1)

  // MARK: - On and off

  /// Switches the source on or off as subscribers and recordings need it.
  func followDemand(at now: MotionInstant) {
    let demand = max(recorder?.demand ?? .noSubscriber, audience?.demand ?? .noSubscriber)
    switch sourceState.update(demand, at: now) {
    case .start(let fromIdle):
      if fromIdle { settleGains() }
      showsMotion = false
      startSource(at: now)
    case .stop:
      source.stop()
      showsMotion = false
      setDevice(.idle, rateHertz: nil, reason: nil, at: now)
    case nil: break
    }
    animations.updateAutomaticPlayback(at: now)
  }

  /// Takes the source's events when it reports that there are some before `due`.
  func followSource() {
    source.onReady { [weak self] now in self?.sourceIsReady(at: now) }
  }

  /// Takes the source's events after one of its descriptors became readable.
  package func sourceIsReady(at now: MotionInstant) {
    pumpSource(at: now)
    followDemand(at: now)
  }

  /// Opens a sensor again, after suspend has reset its settings.
  package func restartSensor(at now: MotionInstant) {
    guard sourceState.isRunning, isLive else { return }
    source.stop()
    startSource(at: now)
  }

  /// Makes the source that the configuration selects, in place of the present one.
  func replaceSource(at now: MotionInstant) {
    source.stop()
    showsMotion = false
    source = makeSource(configuration)
    followSource()
    // Ticks before its first sample come at the configured rate.
    pace = FramePace(configuration.motion, sourceHertz: nil)
    hasAccelerometer = false
    inputs.orientations.accelerometer = nil
    let wasOn = sourceState.isOn
    sourceState.sourceWasReplaced()
    recorder?.sourceWasReplaced(at: now)
    setDevice(.idle, rateHertz: nil, reason: nil, at: now)
    if wasOn { startSource(at: now) }
  }

  /// Releases the source at the end of the daemon.
  func shutDown() {
    source.stop()
  }

  private func startSource(at now: MotionInstant) {
    if let event = source.start(at: now) { handle(event, at: now) }
  }

  // MARK: - Events

  /// Takes the source's events, and publishes the frames between two of them, as far as they are due
  /// and one turn may take.
  func pumpSource(at now: MotionInstant) {
    backlogDue = nil
    guard restEnd <= now else {
      backlogDue = restEnd
      return
    }
    var events = 0
    while sourceState.isRunning {
      if let due = burst.due {
        guard due <= now else { return }
        guard !publishNextFrame(due: due, at: now), restEnd <= now else { break }
      } else if events == Self.maxEventsPerTurn {
        break
      } else if let event = source.next(at: now) {
        events += 1
        handle(event, at: now)
      } else {
        return publishWithheldFrame(at: now)
      }
    }
    if sourceState.isRunning { backlogDue = now + Self.backlogPause }
  }

  private func handle(_ event: SourceEvent, at now: MotionInstant) {
    if case .sample(let sample) = event { return handle(sample, at: now) }
    publishWithheldFrame(at: now)
    switch event {
    case .streaming(let start): begin(start, at: now)
    case .sample: break  // Handled above.
    case .latencyUnknown(let reason): latencyNote = reason
    case .orientation(let orientation):
      inputs.orientations.accelerometer = orientation
      turnScreens(at: now)
    case .segment(let continuing): engine.startSegment(continuing: continuing)
    case .waiting(let state, let reason):
      if changed == nil { log("source \(source.driver): \(reason)") }
      setDevice(state, rateHertz: nil, reason: reason, at: now)
    case .failed(let state, let reason):
      if changed == nil { log("source \(source.driver): \(reason)") }
      sourceState.sourceHasFinished()
      source.stop()
      setDevice(state, rateHertz: nil, reason: reason, at: now)
    case .ended:
      sourceState.sourceHasFinished()
      source.stop()
      setDevice(.ended, rateHertz: device.rateHertz, reason: nil, at: now)
    }
  }

  private func begin(_ start: SourceStart, at now: MotionInstant) {
    engine.begin(start)
    showsMotion = true
    burst.end()
    mountMatrix = configuration.motion.mountMatrix ?? start.mountMatrix ?? .identity
    lastReportedBias = if case .auto(let bias) = start.bias { bias } else { nil }
    meter = RateMeter()
    lastSampleArrival = now
    pace = FramePace(configuration.motion, sourceHertz: start.rateHertz)
    inputs.orientations.recording = start.orientation
    hasAccelerometer = start.hasAccelerometer
    // A device that returns after a pause keeps its orientation: flat on a table it reports no other.
    if !hasAccelerometer { inputs.orientations.accelerometer = nil }
    turnScreens(at: now)
    isLive = start.isLive
    latencyNote = start.latencyNote
    if isLive { for user in users { user.fade.jump(to: 0) } }
    setDevice(.streaming, rateHertz: start.rateHertz, reason: start.note, at: now)
    for user in users { user.fade.aim(at: gates.gain(user.uid), at: now) }
  }

  private func handle(_ sample: GyroSample, at now: MotionInstant) {
    lastSampleArrival = now
    guard case .kept(let time, _) = engine.push(sample) else { return }
    meter.add(at: time)
    recorder?.sampleKept(
      SampleMessage(time: time, rateRadPerSec: sample.rateRadPerSec), at: now)
    reportBias(at: now)
    guard now - time <= Self.maxDelay else {
      // It waited while the daemon was held up: it counts for the filters and is not shown.
      engine.skipFrames()
      staleSamples += 1
      return
    }
    // A sample that waited for a burst is not late.
    let lateness = min(source.lateness(at: now), now - burst.lastEnd)
    burst.begin(due: now - max(.zero, lateness))
  }

  /// Gives the source the bias when it has changed, to be kept for the device's next start.
  private func reportBias(at now: MotionInstant) {
    guard case .auto(let bias?) = engine.biasState, bias != lastReportedBias else { return }
    lastReportedBias = bias
    source.remember(sensorBias: mountMatrix.transposed.apply(bias), at: now)
  }

  // MARK: - Device

  private func setDevice(
    _ state: DeviceMessage.State, rateHertz: Double?, reason: String?, at now: MotionInstant
  ) {
    let message = DeviceMessage(
      driver: source.driver, name: source.name, state: state, rateHertz: rateHertz, reason: reason)
    guard message != device else { return }
    device = message
    changed?(.device(message))
    inputs.gates.device =
      switch state {
      case .none: GateReasons(.deviceNone)
      case .busy: GateReasons(.deviceBusy)
      case .denied: GateReasons(.deviceDenied)
      case .lost: GateReasons(.deviceLost)
      case .streaming, .idle, .ended: []
      }
    audience?.deviceChanged(at: now)
    recorder?.deviceChanged(at: now)
    applyGates(at: now)
  }
}
