package import ParallaxMotion

/// A frame's place in the stream.
package struct FrameStamp: Equatable, Sendable {
  /// The daemon's frame number, counted from 0 over everything it publishes.
  package var seq: UInt64
  /// CLOCK_MONOTONIC.
  package var timeNanoseconds: Int64

  package init(seq: UInt64, timeNanoseconds: Int64) {
    self.seq = seq
    self.timeNanoseconds = timeNanoseconds
  }
}

/// What is known of a source when it begins to stream.
package struct SourceStart: Equatable, Sendable {
  /// Granted by the device, stated by a trace or measured; nil where nobody knows.
  package var rateHertz: Double?
  /// The sensor's own mounting; the configuration's stands above it.
  package var mountMatrix: MountMatrix?
  package var bias: BiasState
  /// How the screen was turned when a recording was made.
  package var orientation: Orientation?
  /// What a receiver should know though it streams; see DEVICE's `reason`.
  package var note: String?
  /// Why its times do not tell how old a sample is; nil: they do.
  package var latencyNote: String?
  /// Whether it is a sensor: its motion fades in, and what comes late is not shown.
  package var isLive: Bool
  /// Whether an accelerometer is in the same device: nobody else may stream from that one meanwhile.
  package var hasAccelerometer: Bool

  package init(
    rateHertz: Double?, mountMatrix: MountMatrix? = nil, bias: BiasState = .off,
    orientation: Orientation? = nil, note: String? = nil, latencyNote: String? = nil,
    isLive: Bool = false, hasAccelerometer: Bool = false
  ) {
    self.rateHertz = rateHertz
    self.mountMatrix = mountMatrix
    self.bias = bias
    self.orientation = orientation
    self.note = note
    self.latencyNote = latencyNote
    self.isLive = isLive
    self.hasAccelerometer = hasAccelerometer
  }
}

/// Samples in, motion on every screen out: one `SensorStage` and a `ScreenStage` for each screen
/// that differs. Pure; allocates nothing a frame.
package struct MotionEngine: Sendable {
  /// One of the screens.
  package struct Screen: Equatable, Sendable {
    fileprivate let index: Int

    /// The daemon's own, which everybody shares who has none.
    package static let common = Screen(index: 0)
  }

  /// The newest frame since the source began; nil before the first.
  package private(set) var latest: FrameStamp?
  /// The newest kept sample since the source began.
  package private(set) var latestSampleNanoseconds: Int64?
  /// Frames published since the daemon started.
  package private(set) var frames: UInt64 = 0

  private var settings: MotionSettings
  private var sensor: SensorStage
  private var earlierCounts = SampleCounts()
  private var screens: [ScreenStage?]
  private var lastTime = Int64.min

  package init(settings: MotionSettings, orientation: Orientation) {
    self.settings = settings
    sensor = SensorStage(settings: settings, nominalRateHertz: nil, bias: .off)
    screens = [ScreenStage(settings: settings, orientation: orientation)]
  }

  // -- Source

  /// A source begins: nothing of the one before is left but the screens and the numbers.
  package mutating func begin(_ start: SourceStart) {
    var own = settings
    own.mountMatrix = settings.mountMatrix ?? start.mountMatrix
    earlierCounts = counts
    sensor = SensorStage(settings: own, nominalRateHertz: start.rateHertz, bias: start.bias)
    latest = nil
    latestSampleNanoseconds = nil
    // An animation may have ticked ahead of its first frame, which may be of the very last instant.
    if lastTime > .min { lastTime -= 1 }
  }

  package mutating func startSegment(continuing: Bool) {
    sensor.startSegment(continuing: continuing)
  }

  /// The next sample begins a segment as if it were the first of all.
  package mutating func startRecording() {
    sensor.startRecording()
  }

  package mutating func recenter(atNanoseconds now: Int64) {
    sensor.recenter(atNanoseconds: now)
  }

  /// Takes a sample; then take frames until `nextFrame` gives none.
  package mutating func push(_ sample: GyroSample) -> SampleVerdict {
    let verdict = sensor.push(sample)
    if case .kept(let time, _) = verdict { latestSampleNanoseconds = time }
    return verdict
  }

  /// Moves every screen to the next frame.
  package mutating func nextFrame() -> FrameStamp? {
    while let frame = sensor.nextFrame() {
      for index in screens.indices { _ = screens[index]?.update(frame) }
      // A tick may have run ahead of a late sample: its frame is over, the motion is not.
      if frame.timeNanoseconds > lastTime { return stamp(frame.timeNanoseconds) }
    }
    return nil
  }

  /// Moves every screen to the frames that are there, for nobody to see.
  package mutating func passOver() {
    while let frame = sensor.nextFrame() {
      for index in screens.indices { _ = screens[index]?.update(frame) }
    }
  }

  /// A frame without a sample, for what moves by itself.
  package mutating func tick(atNanoseconds now: Int64) -> FrameStamp? {
    guard now > lastTime else { return nil }
    for index in screens.indices { _ = screens[index]?.tick(atNanoseconds: now) }
    return stamp(now)
  }

  private mutating func stamp(_ time: Int64) -> FrameStamp {
    let stamp = FrameStamp(seq: frames, timeNanoseconds: time)
    frames += 1
    lastTime = time
    latest = stamp
    return stamp
  }

  package var biasState: BiasState { sensor.biasState }

  /// Over all sources since the daemon started.
  package var counts: SampleCounts { earlierCounts + sensor.counts }

  // -- Screens

  /// px before the gate's gain.
  package func offset(on screen: Screen) -> PixelOffset {
    screens[screen.index]?.output ?? .zero
  }

  package func orientation(of screen: Screen) -> Orientation {
    screens[screen.index]?.orientation ?? .normal
  }

  /// Whether a picture still turns.
  package var isTurning: Bool { screens.contains { $0?.isTurning ?? false } }

  /// A screen with an orientation of its own from the next frame on.
  package mutating func addScreen(_ orientation: Orientation) -> Screen {
    insert(ScreenStage(settings: settings, orientation: orientation))
  }

  /// A screen that goes on as another one is, to be turned away from it.
  package mutating func addScreen(like other: Screen) -> Screen {
    insert(screens[other.index] ?? ScreenStage(settings: settings, orientation: .normal))
  }

  /// The shared screen stays, whoever asks.
  package mutating func remove(_ screen: Screen) {
    if screen != .common { screens[screen.index] = nil }
  }

  /// Turns the picture on a screen over the fade; before the first frame there is nothing to blend.
  package mutating func turn(
    _ screen: Screen, to orientation: Orientation, atNanoseconds now: Int64
  ) {
    if latest == nil {
      screens[screen.index] = ScreenStage(settings: settings, orientation: orientation)
    } else {
      screens[screen.index]?.turn(to: orientation, atNanoseconds: now)
    }
  }

  /// Takes settings of screens at once; those of the sensor count when a source begins.
  package mutating func reconfigure(_ settings: MotionSettings) {
    self.settings = settings
    for index in screens.indices { screens[index]?.reconfigure(settings) }
  }

  private mutating func insert(_ stage: ScreenStage) -> Screen {
    if let free = screens.firstIndex(where: { $0 == nil }) {
      screens[free] = stage
      return Screen(index: free)
    }
    screens.append(stage)
    return Screen(index: screens.count - 1)
  }
}

extension SampleCounts {
  fileprivate static func + (left: SampleCounts, right: SampleCounts) -> SampleCounts {
    var sum = left
    sum.kept += right.kept
    sum.duplicate += right.duplicate
    sum.backwards += right.backwards
    sum.rebased += right.rebased
    sum.nonfinite += right.nonfinite
    sum.segments += right.segments
    sum.frames += right.frames
    return sum
  }
}
