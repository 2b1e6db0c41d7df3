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
  init(_ settings: MotionSettings, sourceHertz: Double?) {
    switch settings.frameRate {
    case .native:
      let hertz = sourceHertz ?? settings.frameRate.timeRuleHertz
      self.init(ratedHertz: hertz, actualHertz: hertz)
    case .hertz(let wanted):
      self.init(
        ratedHertz: wanted,
        actualHertz: settings.passesThrough(nominalRateHertz: sourceHertz)
          ? sourceHertz ?? wanted : wanted)
    }
  }
}
