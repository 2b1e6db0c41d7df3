// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

/// Measures smoothings on turns that stop abruptly (`StopTrace`).
///
/// The turns have their own scale: they reach about 0.8 of a range that is as wide as the settings' on both
/// sides.
struct StopBench: Sendable {
  private let recording: FeelRecording
  private let motion: IdealMotion?
  private let options: FeelOptions

  init(_ settings: MotionSettings, options: FeelOptions) {
    self.options = options
    var own = settings
    own.mountMatrix = nil
    let standard = settings.mode == .rate ? PixelScale.rateDefault : PixelScale.tiltDefault
    let reach = PixelRange.standard.reach
    own.scale = PixelScale(
      x: standard.x * settings.rangeX.reach / reach, y: standard.y * settings.rangeY.reach / reach)
    own.rangeX = Self.symmetric(settings.rangeX)
    own.rangeY = Self.symmetric(settings.rangeY)
    var recording = FeelRecording(
      settings: own, orientation: .normal, nominalRateHertz: StopTrace.rateHertz, bias: .off)
    for sample in StopTrace.samples() { _ = recording.add(sample) }
    motion = recording.segments.first.map {
      IdealMotion(recording.kept[$0], settings: own, orientation: .normal)
    }
    self.recording = recording
  }

  /// Adds overshoot and settling time of a smoothing.
  func add(to figures: inout FeelFigures, smoothing: Smoothing) {
    let scale = recording.settings.resolvedScale
    guard let motion,
      let display = Display(recording, smoothing: smoothing, scale: scale, options: options)
    else { return }
    let hertz = options.displayHertz * Display.rateShare
    (figures.overshoot, figures.settleMilliseconds) = StopTrace.overshoot(
      of: ShownSegment(motion, on: display, hertz: hertz), scale: SIMD2(scale.x, scale.y))
  }

  private static func symmetric(_ range: PixelRange) -> PixelRange {
    (try? PixelRange(low: -range.reach, high: range.reach)) ?? range
  }
}
