// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The rate of frames that the pipeline emits.
package enum FrameRate: Equatable, Sendable {
  /// One frame per sample; counts as 30 Hz for the time rule.
  case native
  case hertz(Double)

  package static let standard = FrameRate.hertz(30)
  package static let range = 0.1...1000.0
  /// The highest frame rate that a user gets: enough for a display, and too low to reveal more of a user's typing or
  /// speech.
  package static let capHertz = 60.0

  /// The rate R of the time rule.
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
    } else if let number = SettingText.numberBeforeUnit(text) {
      throw SettingError(
        "invalid rate '\(text)'; write the rate as a plain number, such as \(number)")
    } else {
      throw SettingError("invalid rate '\(text)'; use native or 0.1 to 1000 Hz")
    }
  }

  package init(checkedHertz hertz: Double) throws(SettingError) {
    guard Self.range.contains(hertz) else {
      throw SettingError(
        "the rate \(SettingText.text(hertz)) is out of range; use native or 0.1 to 1000 Hz")
    }
    self = .hertz(hertz)
  }

  /// The text that parses to this rate.
  package var text: String {
    switch self {
    case .native: "native"
    case .hertz(let hertz): SettingText.text(hertz)
    }
  }
}

/// The way samples become frames on the grid.
package enum Resampling: String, CaseIterable, Equatable, Sendable {
  /// One frame per sample if the source's nominal rate is near R, else `mean`.
  case auto
  case mean
  case linear
  case hold
}

/// The motion that the offset follows.
package enum MotionMode: String, CaseIterable, Equatable, Sendable {
  /// The rate of turning: the offset returns to 0 when the hand stops.
  case rate
  /// The angle turned, by a leaky integral: the offset returns over `recenter`.
  case tilt
}

/// The settings of the path from samples to motion on a screen. In `nil` the mode, the range or the
/// source decides.
package struct MotionSettings: Equatable, Sendable {
  /// Default 30 Hz, as the original effect's 1/30 s.
  package var frameRate = FrameRate.standard
  package var resampling = Resampling.auto
  package var mode = MotionMode.rate
  /// The time constant of tilt mode's leak, seconds.
  package var recenterSeconds = 4.0
  /// Whether the gyroscope's bias is estimated at rest. nil: on for devices, off for traces.
  package var estimatesBias: Bool?
  /// nil: 5 px per rad/s in rate mode, 14.3 px per rad in tilt mode.
  package var scale: PixelScale?
  package var rangeX = PixelRange.standard
  package var rangeY = PixelRange.standard
  package var smoothing = Smoothing.auto(.normal)
  /// nil: the device's or the recording's own, else the identity.
  package var mountMatrix: MountMatrix?
  /// The duration of a gate's fade, of a turn of the screen and of recentering, seconds.
  package var fadeSeconds = 0.3

  package static let recenterRange = 0.05...3600.0
  package static let fadeRange = 0.0...10.0

  package init() {}

  package var resolvedScale: PixelScale {
    scale ?? (mode == .rate ? .rateDefault : .tiltDefault)
  }

  /// The largest tilt that counts, rad: 1.5 times the one at the end of the range, of the axis that needs more.
  /// A device that is turned farther takes it along, so that the picture follows soon after the hand turns back.
  package var maxTiltRadians: Double {
    let scale = resolvedScale
    // A scale of 0 gives infinity: no limit.
    return 1.5 * max(rangeX.reach / scale.x.magnitude, rangeY.reach / scale.y.magnitude)
  }
}
