/// A frame of motion on a screen, before the gate's gain.
package struct MotionFrame: Equatable, Sendable {
  /// Of the source's clock.
  package var timeNanoseconds: Int64
  /// px, within the ranges.
  package var offset: PixelOffset

  @inlinable
  package init(timeNanoseconds: Int64, offset: PixelOffset) {
    self.timeNanoseconds = timeNanoseconds
    self.offset = offset
  }
}

/// The whole way from samples to motion on one screen, as replay goes it. The daemon uses the same
/// two halves, with one `ScreenStage` for each screen that differs.
package struct MotionPipeline: Sendable {
  package private(set) var sensor: SensorStage
  package private(set) var screen: ScreenStage

  package init(
    settings: MotionSettings, orientation: Orientation, nominalRateHertz: Double?, bias: BiasState
  ) {
    sensor = SensorStage(settings: settings, nominalRateHertz: nominalRateHertz, bias: bias)
    screen = ScreenStage(settings: settings, orientation: orientation)
  }

  package var counts: SampleCounts { sensor.counts }

  package mutating func startSegment(continuing: Bool) {
    sensor.startSegment(continuing: continuing)
  }

  /// Takes a sample; then take frames until `nextFrame()` gives none.
  package mutating func push(_ sample: GyroSample) -> SampleVerdict {
    sensor.push(sample)
  }

  package mutating func nextFrame() -> MotionFrame? {
    guard let frame = sensor.nextFrame() else { return nil }
    return MotionFrame(timeNanoseconds: frame.timeNanoseconds, offset: screen.update(frame))
  }
}
