// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// The daemon's motion: samples of one source after another become numbered frames on every screen.
///
/// It runs the stages of `MotionPipeline`, one `SensorStage` and a `ScreenStage` for each orientation. Pure;
/// allocates nothing per frame. A class, so that reading a value of it copies none of its state.
package final class MotionEngine {
  /// One of the screens.
  package struct Screen: Equatable, Sendable {
    fileprivate let number: Int

    /// The screen of every subscriber without its own.
    package static let common = Screen(number: 0)
  }

  /// The newest frame since the source began; nil before the first.
  package private(set) var latest: FrameStamp?
  /// The newest kept sample since the source began.
  package private(set) var latestSample: MotionInstant?
  /// Frames published since the daemon started.
  package private(set) var frames: UInt64 = 0
  /// Withheld frames that a newer one has replaced, since the daemon started.
  package private(set) var skippedFrames: UInt64 = 0

  private var settings: MotionSettings
  private var sensor: SensorStage
  /// The common screen and the others; a nil entry is free.
  private var screens: [ScreenStage?]
  private var earlierCounts = SampleCounts()
  private var lastTime = MotionInstant.distantPast
  /// The newest frame that the screens have moved to and that may still be published.
  private var withheld: MotionInstant?

  package init(settings: MotionSettings, orientation: Orientation) {
    self.settings = settings
    sensor = SensorStage(settings: settings, nominalRateHertz: nil, bias: .off)
    screens = [ScreenStage(settings: settings, orientation: orientation)]
  }

  /// Whether frames between those on the grid are made, too.
  package var isFine = false {
    didSet { sensor.isFine = isFine }
  }

  // MARK: - Source

  /// Begins with another source. The screens and the frame numbers go on.
  package func begin(_ start: SourceStart) {
    earlierCounts = counts
    var own = settings
    own.mountMatrix = settings.mountMatrix ?? start.mountMatrix
    sensor = SensorStage(settings: own, nominalRateHertz: start.rateHertz, bias: start.bias)
    sensor.isFine = isFine
    latest = nil
    latestSample = nil
    withheld = nil
    // A tick of an animation may have the time of the source's first frame, which still counts.
    if lastTime > .distantPast { lastTime -= .nanoseconds(1) }
  }

  package func startSegment(continuing: Bool) { sensor.startSegment(continuing: continuing) }

  /// Makes the next sample begin a segment as if it were the first one, so that a recording replays to the
  /// same frames.
  package func startRecording() { sensor.startRecording() }

  package func recenter(at now: MotionInstant) { sensor.recenter(at: now) }

  package var biasState: BiasState { sensor.biasState }

  /// Over all sources since the daemon started.
  package var counts: SampleCounts { earlierCounts + sensor.counts }

  // MARK: - Frames

  /// Takes a sample. Call `nextFrame` afterwards until it returns nil.
  package func push(_ sample: GyroSample) -> SampleVerdict {
    let verdict = sensor.push(sample)
    if case .kept(let time, _) = verdict { latestSample = time }
    return verdict
  }

  /// Moves every screen to the next frame. A withheld frame is then skipped.
  package func nextFrame() -> FrameStamp? {
    while let frame = sensor.nextFrame() {
      moveScreens(to: frame)
      skipWithheldFrame()
      // A tick may have passed a late sample: its frame is skipped, its motion is not.
      if frame.time > lastTime { return stamp(frame.time, isBetween: frame.isBetween) }
    }
    return nil
  }

  /// Moves every screen to the next frame without publishing it. An earlier withheld frame is then
  /// skipped.
  ///
  /// - Returns: Whether there was a frame.
  package func withholdFrame() -> Bool {
    guard let frame = sensor.nextFrame() else { return false }
    // One between two others is not worth a wait, and the screens go on showing the withheld one.
    guard !frame.isBetween else { return true }
    moveScreens(to: frame)
    skipWithheldFrame()
    withheld = frame.time
    return true
  }

  /// Returns the withheld frame, which the screens show; nil if there is none.
  package func releaseWithheldFrame() -> FrameStamp? {
    guard let time = withheld else { return nil }
    withheld = nil
    return time > lastTime ? stamp(time) : nil
  }

  /// Moves every screen past the complete frames without publishing them.
  package func skipFrames() {
    while let frame = sensor.nextFrame() { moveScreens(to: frame) }
    skipWithheldFrame()
  }

  /// Makes a frame without a sample, for blends and animations.
  package func tick(at now: MotionInstant) -> FrameStamp? {
    guard now > lastTime else { return nil }
    for index in screens.indices { screens[index]?.tick(at: now) }
    return stamp(now)
  }

  private func moveScreens(to frame: SensorFrame) {
    for index in screens.indices { screens[index]?.update(frame) }
  }

  private func skipWithheldFrame() {
    guard withheld != nil else { return }
    withheld = nil
    skippedFrames += 1
  }

  private func stamp(_ time: MotionInstant, isBetween: Bool = false) -> FrameStamp {
    let stamp = FrameStamp(seq: frames, time: time, isBetween: isBetween)
    frames += 1
    lastTime = time
    latest = stamp
    return stamp
  }

  // MARK: - Screens

  /// Before the gate's gain.
  package func motion(on screen: Screen) -> ScreenMotion { screens[screen.number]?.output ?? .zero }

  package func orientation(of screen: Screen) -> Orientation {
    screens[screen.number]?.orientation ?? .normal
  }

  /// Whether the orientation of a screen is being blended.
  package var isTurning: Bool {
    for index in screens.indices where screens[index]?.isTurning ?? false { return true }
    return false
  }

  package var screenCount: Int { screens.count { $0 != nil } }

  /// Adds a screen that has this orientation from the next frame on.
  package func addScreen(_ orientation: Orientation) -> Screen {
    add(ScreenStage(settings: settings, orientation: orientation))
  }

  /// Adds a screen in the state of the common one, to be turned away from it.
  package func addScreen() -> Screen { add(screens[Screen.common.number]) }

  private func add(_ stage: ScreenStage?) -> Screen {
    if let free = screens.firstIndex(where: { $0 == nil }) {
      screens[free] = stage
      return Screen(number: free)
    }
    screens.append(stage)
    return Screen(number: screens.count - 1)
  }

  /// Removes a screen. The common screen stays.
  package func remove(_ screen: Screen) {
    if screen != .common { screens[screen.number] = nil }
  }

  /// Blends a screen into another orientation over the fade, or sets it where no frame was shown.
  package func turn(_ screen: Screen, to orientation: Orientation, at now: MotionInstant) {
    if latest == nil {
      screens[screen.number] = ScreenStage(settings: settings, orientation: orientation)
    } else {
      screens[screen.number]?.turn(to: orientation, at: now)
    }
  }

  /// Applies the screens' settings and the smoothing at once, and the sensor's when a source begins.
  package func reconfigure(_ settings: MotionSettings) {
    self.settings = settings
    sensor.use(settings)
    for index in screens.indices { screens[index]?.reconfigure(settings) }
  }
}
