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

/// Samples in, motion on one screen out: a `SensorStage` and a `ScreenStage`, for replay. The daemon's
/// `MotionEngine` runs the same stages with as many screens as there are orientations, so both give the same
/// numbers.
///
/// Push a sample, then take frames until `nextFrame()` returns nil. Allocates nothing per frame.
package struct MotionPipeline: Sendable {
  package internal(set) var sensor: SensorStage
  package internal(set) var screen: ScreenStage

  package init(
    settings: MotionSettings, orientation: Orientation, nominalRateHertz: Double?, bias: BiasState
  ) {
    sensor = SensorStage(settings: settings, nominalRateHertz: nominalRateHertz, bias: bias)
    screen = ScreenStage(settings: settings, orientation: orientation)
  }

  package mutating func push(_ sample: GyroSample) -> SampleVerdict { sensor.push(sample) }

  /// Moves the screen to the next frame.
  ///
  /// - Returns: nil if no frame is complete.
  package mutating func nextFrame() -> MotionFrame? {
    guard let frame = sensor.nextFrame() else { return nil }
    screen.update(frame)
    return MotionFrame(time: frame.time, motion: screen.output)
  }

  /// Whether frames between those on the grid are made, too.
  package var isFine: Bool {
    get { sensor.isFine }
    set { sensor.isFine = newValue }
  }

  package mutating func startSegment(continuing: Bool) {
    sensor.startSegment(continuing: continuing)
  }

  package mutating func recenter(at now: MotionInstant) { sensor.recenter(at: now) }

  /// Blends the screen into another orientation over the fade.
  package mutating func turn(to orientation: Orientation, at now: MotionInstant) {
    screen.turn(to: orientation, at: now)
  }

  /// Applies the screen's settings and the smoothing at once. Others need another pipeline.
  package mutating func reconfigure(_ settings: MotionSettings) {
    sensor.use(settings)
    screen.reconfigure(settings)
  }

  package var counts: SampleCounts { sensor.counts }

  package var biasState: BiasState { mutating get { sensor.biasState } }
}
