// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

/// Measures smoothings on made-up motion: turns that stop abruptly (`StopTrace`), turns that are reversed
/// (`TurnTrace`) and a slow turn that the bias estimator can take for a rest (`SlowTurnTrace`).
///
/// They have their own scale: the stops reach about 0.8 of a range that is as wide as the settings' on both sides.
struct StopBench: Sendable {
  private let stops: MadeUpMotion
  /// nil in rate mode, where an angle counts for nothing.
  private let turns: MadeUpMotion?
  private let slowTurn: MadeUpMotion
  /// The same samples with the bias estimated.
  private let estimated: MadeUpMotion
  private let options: FeelOptions
  private let scale: PixelScale

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
    scale = own.resolvedScale
    stops = MadeUpMotion(StopTrace.samples(), own)
    turns = own.mode == .tilt ? MadeUpMotion(TurnTrace.samples(), own) : nil
    slowTurn = MadeUpMotion(SlowTurnTrace.samples(), own)
    estimated = MadeUpMotion(SlowTurnTrace.samples(), own, bias: .auto(nil))
  }

  /// Adds the figures of a smoothing.
  func add(to figures: inout FeelFigures, smoothing: Smoothing) {
    let scale = SIMD2(scale.x, scale.y)
    if let shown = shown(stops, smoothing) {
      (figures.overshoot, figures.settleMilliseconds) = StopTrace.overshoot(of: shown, scale: scale)
      figures.onsetMilliseconds = StopTrace.onset(of: shown, scale: scale)
    }
    if let turns, let shown = shown(turns, smoothing) {
      figures.reversalMilliseconds = TurnTrace.reversal(
        of: shown, reach: turns.recording.settings.rangeX.reach)
    }
    if let shown = shown(slowTurn, framesOf: estimated, smoothing) {
      figures.falseRestPx = SlowTurnTrace.error(
        of: shown, scale: scale, range: IdealRange(slowTurn.recording.settings))
    }
  }

  private func shown(
    _ truth: MadeUpMotion, framesOf measured: MadeUpMotion? = nil, _ smoothing: Smoothing
  ) -> ShownSegment? {
    guard let motion = truth.motion,
      let display = Display(
        (measured ?? truth).recording, smoothing: smoothing, scale: scale, options: options)
    else { return nil }
    return ShownSegment(motion, on: display, hertz: options.displayHertz * Display.rateShare)
  }

  private static func symmetric(_ range: PixelRange) -> PixelRange {
    (try? PixelRange(low: -range.reach, high: range.reach)) ?? range
  }
}

/// Samples at 100 Hz that are read like a recording, and their ideal.
private struct MadeUpMotion {
  let recording: FeelRecording
  let motion: IdealMotion?

  init(_ samples: [GyroSample], _ settings: MotionSettings, bias: BiasState = .off) {
    var recording = FeelRecording(
      settings: settings, orientation: .normal, nominalRateHertz: StopTrace.rateHertz, bias: bias)
    for sample in samples { _ = recording.add(sample) }
    motion = recording.segments.first.map {
      IdealMotion(recording.kept[$0], settings: settings, orientation: .normal)
    }
    self.recording = recording
  }
}
