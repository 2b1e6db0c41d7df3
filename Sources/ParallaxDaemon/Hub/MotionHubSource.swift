import ParallaxMotion
import ParallaxWire

/// The source, and what becomes of its samples.
extension MotionHub {
  // -- Source

  /// Somebody came, went, or wants something else.
  package func demandChanged(atNanoseconds now: Int64) {
    let demand = recorder?.isRecording ?? false ? .wanted : audience?.demand ?? .nobody
    switch sourceSwitch.update(demand, atNanoseconds: now) {
    case .start(let fromIdle):
      if fromIdle { settleGains() }
      showsMotion = false
      startSource(atNanoseconds: now)
    case .stop:
      source.stop()
      showsMotion = false
      setDevice(.idle, rateHertz: nil, reason: nil, atNanoseconds: now)
    case nil: break
    }
    animations.occasionsChanged(atNanoseconds: now)
  }

  /// A descriptor of the source's is ready.
  package func sourceIsReady(atNanoseconds now: Int64) {
    pumpSource(atNanoseconds: now)
    demandChanged(atNanoseconds: now)
  }

  /// Opens a sensor anew: what it was set to is lost.
  package func restartSensor(atNanoseconds now: Int64) {
    guard sourceSwitch.isRunning, isLive else { return }
    source.stop()
    startSource(atNanoseconds: now)
  }

  /// Lets go of the source, for good.
  func shutDown() {
    source.stop()
  }

  func startSource(atNanoseconds now: Int64) {
    if let event = source.start(atNanoseconds: now) { take(event, atNanoseconds: now) }
  }

  func pumpSource(atNanoseconds now: Int64) {
    while sourceSwitch.isRunning {
      if let due = burst.dueNanoseconds {
        guard due <= now else { return }
        publishNextFrame(atNanoseconds: now)
      } else if let event = source.next(atNanoseconds: now) {
        take(event, atNanoseconds: now)
      } else {
        return
      }
    }
  }

  func take(_ event: SourceEvent, atNanoseconds now: Int64) {
    switch event {
    case .streaming(let start): begin(start, atNanoseconds: now)
    case .sample(let sample): take(sample, atNanoseconds: now)
    case .latencyUnknown(let reason): latencyNote = reason
    case .orientation(let orientation):
      orientations.accelerometer = orientation
      orientationsChanged(atNanoseconds: now)
    case .segment(let continuing): engine.startSegment(continuing: continuing)
    case .waiting(let state, let reason):
      if changed == nil { log("source \(source.driver): \(reason)") }
      setDevice(state, rateHertz: nil, reason: reason, atNanoseconds: now)
    case .trouble(let state, let reason):
      if changed == nil { log("source \(source.driver): \(reason)") }
      sourceSwitch.sourceIsSpent()
      source.stop()
      setDevice(state, rateHertz: nil, reason: reason, atNanoseconds: now)
    case .ended:
      sourceSwitch.sourceIsSpent()
      source.stop()
      setDevice(.ended, rateHertz: device.rateHertz, reason: nil, atNanoseconds: now)
    }
  }

  func begin(_ start: SourceStart, atNanoseconds now: Int64) {
    engine.begin(start)
    showsMotion = true
    burst.end()
    mountMatrix = motionSettings.mountMatrix ?? start.mountMatrix ?? .identity
    meter = RateMeter()
    lastSampleArrival = now
    pace = FramePace(motionSettings, sourceHertz: start.rateHertz)
    orientations.recording = start.orientation
    hasAccelerometer = start.hasAccelerometer
    // One that goes on after a pause was how it is: flat on the table nothing newer comes.
    if !hasAccelerometer { orientations.accelerometer = nil }
    orientationsChanged(atNanoseconds: now)
    isLive = start.isLive
    latencyNote = start.latencyNote
    if isLive { globalFade.jump(to: 0) }
    setDevice(.streaming, rateHertz: start.rateHertz, reason: start.note, atNanoseconds: now)
    globalFade.aim(at: gates.globalGain, atNanoseconds: now)
  }

  func take(_ sample: GyroSample, atNanoseconds now: Int64) {
    lastSampleArrival = now
    guard case .kept(let time, _) = engine.push(sample) else { return }
    meter.add(atNanoseconds: time)
    recorder?.sampleKept(
      SampleMessage(timeNanoseconds: time, rateRadPerSec: sample.rateRadPerSec),
      atNanoseconds: now)
    if case .auto(let bias?) = engine.biasState {
      source.remember(
        sensorBias: mountMatrix.transposed.apply(bias), atNanoseconds: now)
    }
    guard !isLive || now - time <= Self.longestDelayNanoseconds else {
      // It had piled up while nobody could read it: it counts, and is not shown late.
      engine.passOver()
      staleSamples += 1
      return
    }
    burst.begin(atNanoseconds: now)
  }

  /// An older sample of a sensor is not shown any more.
  private static let longestDelayNanoseconds: Int64 = 250_000_000

  private func publishNextFrame(atNanoseconds now: Int64) {
    guard let frame = engine.nextFrame(), let sampleTime = engine.latestSampleNanoseconds else {
      burst.end()
      return
    }
    lastSampleArrival = now
    burst.give(atNanoseconds: now, periodNanoseconds: Int64(1e9 / pace.actualHertz))
    publish(frame, atNanoseconds: now)
    if latencyNote == nil { latency.add(nanoseconds: clock() - sampleTime) }
  }

  func setDevice(
    _ state: DeviceMessage.State, rateHertz: Double?, reason: String?, atNanoseconds now: Int64
  ) {
    let message = DeviceMessage(
      driver: source.driver, name: source.name, state: state, rateHertz: rateHertz, reason: reason)
    guard message != device else { return }
    device = message
    changed?(.device(message))
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

  func publish(_ frame: FrameStamp, atNanoseconds now: Int64) {
    let global = globalFade.gain(atNanoseconds: frame.timeNanoseconds)
    // Indices, not iterators: without optimisation those allocate, and the test that shows that a
    // frame does not runs there too. The same in what follows from here.
    var index = 0
    while index < users.count {
      let gain = global * users[index].fade.gain(atNanoseconds: frame.timeNanoseconds)
      users[index].gain = showsMotion ? gain : 0
      index += 1
    }
    animations.advance(toNanoseconds: frame.timeNanoseconds)
    audience?.publish(frame, atNanoseconds: now)
    animations.tell(atNanoseconds: now)
  }

  /// The newest frame, while motion streams or animations have moved something.
  package var currentFrame: FrameStamp? {
    device.state == .streaming || animations.isVisible ? engine.latest : nil
  }
}
