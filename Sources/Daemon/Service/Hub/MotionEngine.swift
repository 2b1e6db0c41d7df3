// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// The daemon's `MotionPipeline`: runs one source after another through it and numbers the frames.
/// Pure; allocates nothing per frame. A class, so that reading a value of it copies none of its state.
package final class MotionEngine {
  package typealias Screen = MotionPipeline.Screen

  /// The newest frame since the source began; nil before the first.
  package private(set) var latest: FrameStamp?
  /// The newest kept sample since the source began.
  package private(set) var latestSample: MotionInstant?
  /// Frames published since the daemon started.
  package private(set) var frames: UInt64 = 0

  private var pipeline: MotionPipeline
  private var earlierCounts = SampleCounts()
  private var lastTime = MotionInstant.distantPast
  /// The newest frame that the screens have moved to and that may still be published.
  private var withheld: MotionInstant?
  /// Withheld frames that a newer one has replaced, since the daemon started.
  package private(set) var skippedFrames: UInt64 = 0

  package init(settings: MotionSettings, orientation: Orientation) {
    pipeline = MotionPipeline(
      settings: settings, orientation: orientation, nominalRateHertz: nil, bias: .off)
  }

  // MARK: - Source

  /// Begins with another source. The screens and the frame numbers go on.
  package func begin(_ start: SourceStart) {
    earlierCounts = counts
    pipeline.restart(
      mountMatrix: start.mountMatrix, nominalRateHertz: start.rateHertz, bias: start.bias)
    latest = nil
    latestSample = nil
    withheld = nil
    // A tick of an animation may have the time of the source's first frame, which still counts.
    if lastTime > .distantPast { lastTime -= .nanoseconds(1) }
  }

  package func startSegment(continuing: Bool) {
    pipeline.startSegment(continuing: continuing)
  }

  /// Makes the next sample begin a segment as if it were the first one.
  package func startRecording() { pipeline.startRecording() }

  package func recenter(at now: MotionInstant) { pipeline.recenter(at: now) }

  /// Takes a sample. Call `nextFrame` afterwards until it returns nil.
  package func push(_ sample: GyroSample) -> SampleVerdict {
    let verdict = pipeline.push(sample)
    if case .kept(let time, _) = verdict { latestSample = time }
    return verdict
  }

  /// Moves every screen to the next frame. A withheld frame is then skipped.
  package func nextFrame() -> FrameStamp? {
    while let time = pipeline.nextFrameOnEveryScreen() {
      skipWithheldFrame()
      // A tick may have passed a late sample: its frame is skipped, its motion is not.
      if time > lastTime { return stamp(time) }
    }
    return nil
  }

  /// Moves every screen to the next frame without publishing it. An earlier withheld frame is then
  /// skipped.
  ///
  /// - Returns: Whether there was a frame.
  package func withholdFrame() -> Bool {
    guard let time = pipeline.nextFrameOnEveryScreen() else { return false }
    skipWithheldFrame()
    withheld = time
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
    while pipeline.nextFrameOnEveryScreen() != nil {}
    skipWithheldFrame()
  }

  private func skipWithheldFrame() {
    guard withheld != nil else { return }
    withheld = nil
    skippedFrames += 1
  }

  /// Makes a frame without a sample, for blends and animations.
  package func tick(at now: MotionInstant) -> FrameStamp? {
    guard now > lastTime else { return nil }
    pipeline.tick(at: now)
    return stamp(now)
  }

  private func stamp(_ time: MotionInstant) -> FrameStamp {
    let stamp = FrameStamp(seq: frames, time: time)
    frames += 1
    lastTime = time
    latest = stamp
    return stamp
  }

  package var biasState: BiasState { pipeline.biasState }

  /// Over all sources since the daemon started.
  package var counts: SampleCounts { earlierCounts + pipeline.counts }

  // MARK: - Screens

  /// Before the gate's gain.
  package func motion(on screen: Screen) -> ScreenMotion { pipeline.motion(on: screen) }

  package func orientation(of screen: Screen) -> Orientation { pipeline.orientation(of: screen) }

  /// Whether the orientation of a screen is being blended.
  package var isTurning: Bool { pipeline.isTurning }

  package var screenCount: Int { pipeline.screenCount }

  package func addScreen(_ orientation: Orientation) -> Screen {
    pipeline.addScreen(orientation)
  }

  package func addScreen(like other: Screen) -> Screen {
    pipeline.addScreen(like: other)
  }

  package func remove(_ screen: Screen) { pipeline.remove(screen) }

  /// Blends a screen into another orientation over the fade, or sets it where no frame was shown.
  package func turn(
    _ screen: Screen, to orientation: Orientation, at now: MotionInstant
  ) {
    if latest == nil {
      pipeline.reset(screen, to: orientation)
    } else {
      pipeline.turn(screen, to: orientation, at: now)
    }
  }

  /// Applies the screens' settings at once, and the sensor's when a source begins.
  package func reconfigure(_ settings: MotionSettings) {
    pipeline.reconfigure(settings)
  }
}
