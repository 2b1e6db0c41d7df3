/// Frames a second that leave the pipeline.
package enum FrameRate: Equatable, Sendable {
  /// A frame a sample; counts as 30 Hz where the time rule needs a rate.
  case native
  case hertz(Double)

  package static let standard = FrameRate.hertz(30)
  package static let range = 0.1...1000.0

  /// R of the time rule.
  package var timeRuleHertz: Double {
    switch self {
    case .native: 30
    case .hertz(let hertz): hertz
    }
  }

  /// Parses `native` or a number of Hz.
  package init(parsing text: String) throws(SettingError) {
    if text == "native" {
      self = .native
    } else if let hertz = SettingText.number(text) {
      try self.init(checkedHertz: hertz)
    } else {
      throw SettingError("'\(text)' is no rate; use native or 0.1 to 1000 Hz")
    }
  }

  package init(checkedHertz hertz: Double) throws(SettingError) {
    guard Self.range.contains(hertz) else {
      throw SettingError("the rate \(hertz) is out of range; use native or 0.1 to 1000 Hz")
    }
    self = .hertz(hertz)
  }
}

/// How samples become frames on the grid.
package enum Resampling: String, CaseIterable, Equatable, Sendable {
  /// One frame a sample where the source's nominal rate is near R, else `mean`.
  case auto
  case mean
  case linear
  case hold

  package init(parsing text: String) throws(SettingError) {
    guard let resampling = Resampling(rawValue: text) else {
      throw SettingError("'\(text)' is no resampling; use auto, mean, linear or hold")
    }
    self = resampling
  }
}

/// What the offset follows.
package enum MotionMode: String, CaseIterable, Equatable, Sendable {
  /// The rate of turning: the offset returns to 0 when the hand stops.
  case rate
  /// The angle turned, by a leaky integral: the offset returns over `recenter`.
  case tilt

  package init(parsing text: String) throws(SettingError) {
    guard let mode = MotionMode(rawValue: text) else {
      throw SettingError("'\(text)' is no mode; use rate or tilt")
    }
    self = mode
  }
}

/// Everything that turns samples into motion on a screen. `nil` means "as the default of what
/// decides it" (the mode, the range, the source).
package struct MotionSettings: Equatable, Sendable {
  /// Default 30 Hz, as the original effect's 1/30 s.
  package var frameRate = FrameRate.standard
  package var resampling = Resampling.auto
  package var mode = MotionMode.rate
  /// Time constant of tilt mode's leak, seconds.
  package var recenterSeconds = 4.0
  /// Whether the gyroscope's zero offset is estimated at rest. nil: on for devices, off for traces.
  package var estimatesBias: Bool?
  /// nil: 5 px per rad/s in rate mode, 14.3 px per rad in tilt mode.
  package var scale: PixelScale?
  package var rangeX = PixelRange.standard
  package var rangeY = PixelRange.standard
  /// nil: `Smoothing.standard` for the ranges.
  package var smoothing: Smoothing?
  /// nil: the device's or the recording's own, else the identity.
  package var mountMatrix: MountMatrix?
  /// How long the gate's gain, a turned picture and a recentring take, seconds.
  package var fadeSeconds = 0.3

  package static let recenterRange = 0.05...3600.0
  package static let fadeRange = 0.0...10.0

  package init() {}

  package var resolvedScale: PixelScale {
    scale ?? (mode == .rate ? .rateDefault : .tiltDefault)
  }

  package var resolvedSmoothing: Smoothing {
    smoothing ?? .standard(rangeX: rangeX, rangeY: rangeY)
  }
}
