package import ParallaxMotion

/// What SET puts over the configuration's settings of motion.
package struct MotionOverrides: Equatable, Sendable {
  package var scale: PixelScale?
  package var smoothing: Smoothing?

  package init() {}

  package func applied(to settings: MotionSettings) -> MotionSettings {
    var result = settings
    if let scale { result.scale = scale }
    if let smoothing { result.smoothing = smoothing }
    return result
  }
}

extension MotionSettings {
  /// Whether the same samples give the same frames of the sensor, so that a change of settings is
  /// a matter of the screens alone.
  func sharesSensor(with other: MotionSettings) -> Bool {
    frameRate == other.frameRate && resampling == other.resampling && mode == other.mode
      && recenterSeconds == other.recenterSeconds && estimatesBias == other.estimatesBias
      && mountMatrix == other.mountMatrix && (mode == .rate || fadeSeconds == other.fadeSeconds)
  }
}

extension FramePace {
  /// The pace of a source's frames: its own where every sample becomes one.
  ///
  /// A trace may state any rate; what timers are set by stays within what `rate` may be.
  init(_ settings: MotionSettings, sourceHertz: Double?) {
    let range = FrameRate.range
    let own = sourceHertz.map { min(max($0, range.lowerBound), range.upperBound) }
    switch settings.frameRate {
    case .native:
      let hertz = own ?? settings.frameRate.timeRuleHertz
      self.init(ratedHertz: hertz, actualHertz: hertz)
    case .hertz(let wanted):
      let passes = settings.passesThrough(nominalRateHertz: sourceHertz)
      self.init(ratedHertz: wanted, actualHertz: passes ? own ?? wanted : wanted)
    }
  }
}
