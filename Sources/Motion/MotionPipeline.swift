// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// A frame of motion on a screen, before the gate's gain.
package struct MotionFrame: Equatable, Sendable {
  /// On the source's clock.
  package var time: MotionInstant
  package var motion: ScreenMotion

  @inlinable
  package init(time: MotionInstant, motion: ScreenMotion) {
    self.time = time
    self.motion = motion
  }

  /// px, within the ranges.
  package var offset: PixelOffset { motion.offset }
}

/// Samples in, motion on every screen out: one `SensorStage`, and a `ScreenStage` for each screen
/// with its own orientation. Replay and the daemon both run it, so both give the same
/// numbers.
///
/// Push a sample, then take frames until `nextFrame()` returns nil. Allocates nothing per frame.
///
/// What is read at each frame has a mutating getter although it changes nothing: as a property of a class, the
/// whole pipeline, thousands of bytes, would otherwise be copied for the call, which might change that property.
package struct MotionPipeline: Sendable {
  /// One of the screens.
  package struct Screen: Equatable, Sendable {
    /// 0 is the shared screen; the others follow.
    fileprivate let number: Int

    /// The screen of every subscriber without its own.
    package static let common = Screen(number: 0)
  }

  private var settings: MotionSettings
  package internal(set) var sensor: SensorStage
  package internal(set) var common: ScreenStage
  /// Screens beside the common one; a nil entry is free.
  private var others: [ScreenStage?] = []

  package init(
    settings: MotionSettings, orientation: Orientation, nominalRateHertz: Double?, bias: BiasState
  ) {
    self.settings = settings
    sensor = SensorStage(settings: settings, nominalRateHertz: nominalRateHertz, bias: bias)
    common = ScreenStage(settings: settings, orientation: orientation)
  }

  // MARK: - Samples

  /// Starts with another source: only the screens stay as they are.
  ///
  /// - Parameter mountMatrix: The sensor's own, used where the settings have none.
  package mutating func restart(
    mountMatrix: MountMatrix?, nominalRateHertz: Double?, bias: BiasState
  ) {
    var own = settings
    own.mountMatrix = settings.mountMatrix ?? mountMatrix
    sensor = SensorStage(settings: own, nominalRateHertz: nominalRateHertz, bias: bias)
  }

  package mutating func startSegment(continuing: Bool) {
    sensor.startSegment(continuing: continuing)
  }

  /// Makes the next sample begin a segment as if it were the first one.
  package mutating func startRecording() {
    sensor.startRecording()
  }

  package mutating func recenter(at now: MotionInstant) {
    sensor.recenter(at: now)
  }

  package mutating func push(_ sample: GyroSample) -> SampleVerdict {
    sensor.push(sample)
  }

  /// Moves the common screen to the next frame, for replay, which has no other.
  ///
  /// - Returns: nil if no frame is complete.
  package mutating func nextFrame() -> MotionFrame? {
    guard let frame = sensor.nextFrame() else { return nil }
    return MotionFrame(time: frame.time, motion: common.update(frame))
  }

  /// Moves every screen to the next frame.
  ///
  /// - Returns: The frame's time; nil if no frame is complete.
  package mutating func nextFrameOnEveryScreen() -> MotionInstant? {
    guard let frame = sensor.nextFrame() else { return nil }
    _ = common.update(frame)
    for index in others.indices { _ = others[index]?.update(frame) }
    return frame.time
  }

  /// Moves every screen to an instant between two samples, for a blend that is under way.
  package mutating func tick(at now: MotionInstant) {
    _ = common.tick(at: now)
    for index in others.indices { _ = others[index]?.tick(at: now) }
  }

  /// Of the current source.
  package var counts: SampleCounts { sensor.counts }

  package var biasState: BiasState { mutating get { sensor.biasState } }

  // MARK: - Screens

  /// Before the gate's gain.
  package mutating func motion(on screen: Screen) -> ScreenMotion {
    screen == .common ? common.output : others[screen.number - 1]?.output ?? .zero
  }

  package func orientation(of screen: Screen) -> Orientation {
    self[screen]?.orientation ?? .normal
  }

  /// Whether the orientation of a screen is being blended.
  package var isTurning: Bool {
    mutating get {
      if common.isTurning { return true }
      for index in others.indices where others[index]?.isTurning ?? false { return true }
      return false
    }
  }

  /// Adds a screen that has this orientation from the next frame on.
  package mutating func addScreen(_ orientation: Orientation) -> Screen {
    insert(ScreenStage(settings: settings, orientation: orientation))
  }

  /// Adds a screen in the state of another one, to be turned away from it.
  package mutating func addScreen(like other: Screen) -> Screen {
    insert(self[other] ?? ScreenStage(settings: settings, orientation: .normal))
  }

  /// Removes a screen. The common screen stays.
  package mutating func remove(_ screen: Screen) {
    if screen != .common { self[screen] = nil }
  }

  /// Blends a screen into another orientation over the fade.
  package mutating func turn(
    _ screen: Screen, to orientation: Orientation, at now: MotionInstant
  ) {
    self[screen]?.turn(to: orientation, at: now)
  }

  /// Gives a screen an orientation without a blend.
  package mutating func reset(_ screen: Screen, to orientation: Orientation) {
    self[screen] = ScreenStage(settings: settings, orientation: orientation)
  }

  /// Applies the screens' settings and the smoothing at once, and the sensor's at the next `restart`.
  package mutating func reconfigure(_ settings: MotionSettings) {
    self.settings = settings
    sensor.use(settings)
    common.reconfigure(settings)
    for index in others.indices { others[index]?.reconfigure(settings) }
  }

  /// The number of screens, with the common one.
  package var screenCount: Int { 1 + others.count { $0 != nil } }

  private mutating func insert(_ stage: ScreenStage) -> Screen {
    if let free = others.firstIndex(where: { $0 == nil }) {
      others[free] = stage
      return Screen(number: free + 1)
    }
    others.append(stage)
    return Screen(number: others.count)
  }

  private subscript(screen: Screen) -> ScreenStage? {
    get { screen == .common ? common : others[screen.number - 1] }
    set {
      if screen != .common {
        others[screen.number - 1] = newValue
      } else if let newValue {
        common = newValue
      }
    }
  }
}
