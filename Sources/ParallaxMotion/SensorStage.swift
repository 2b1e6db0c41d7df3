/// What became of the samples of a source.
package struct SampleCounts: Equatable, Sendable {
  package var kept: UInt64 = 0
  package var duplicate: UInt64 = 0
  package var backwards: UInt64 = 0
  package var rebased: UInt64 = 0
  package var nonfinite: UInt64 = 0
  package var segments: UInt64 = 0
  package var frames: UInt64 = 0

  package init() {}
}

/// What the pipeline did with one sample.
package enum SampleVerdict: Equatable, Sendable {
  /// It counts, at this time of the source's clock (mapped to go on where that was set back).
  case kept(timeNanoseconds: Int64, startsSegment: Bool)
  case duplicate
  case backwards
  /// NaN, infinite, or at a time that no clock shows.
  case nonfinite
}

/// The first half of the pipeline: samples of a sensor become frames of motion in the device's frame.
///
/// sample -> time rule -> mount matrix -> bias -> resample -> mode. Push a sample, then take frames
/// until `nextFrame()` gives none. Nothing else moves time on, so a trace and a sensor that gave the
/// same samples give the same frames. Allocates nothing a sample.
package struct SensorStage: Sendable {
  /// Rates are cut to ±10^100 rad/s before any arithmetic, so that no sum or product of finite
  /// samples overflows; every real range clamps far below.
  private static let rateLimit = 1e100

  package private(set) var counts = SampleCounts()

  private var timeRule: TimeRule
  private let matrix: MountMatrix
  private var bias: BiasEstimator
  private let mode: MotionMode
  private var integral: TiltIntegral
  private var sampler: FrameSampler

  /// - Parameters:
  ///   - settings: `mountMatrix` nil stands for the identity; `estimatesBias` is not looked at
  ///     (`bias` decides).
  ///   - nominalRateHertz: granted by the device, stated by the trace or measured (`NominalRate`);
  ///     nil where nothing is known.
  ///   - bias: what is known of the zero offset at the start.
  package init(settings: MotionSettings, nominalRateHertz: Double?, bias: BiasState) {
    timeRule = TimeRule(frameRate: settings.frameRate)
    matrix = settings.mountMatrix ?? .identity
    self.bias = BiasEstimator(bias)
    mode = settings.mode
    integral = TiltIntegral(
      timeConstantSeconds: settings.recenterSeconds, fadeSeconds: settings.fadeSeconds)
    sampler = FrameSampler(
      method: FrameSampler.method(settings: settings, nominalRateHertz: nominalRateHertz),
      hertz: settings.frameRate.timeRuleHertz)
  }

  package var biasState: BiasState { bias.state }

  /// Begins a segment at the next sample: the device returned, or a trace begins again
  /// (`continuing`: its time goes on at the last kept sample + 1/R).
  package mutating func startSegment(continuing: Bool) {
    timeRule.startSegment(continuing: continuing)
  }

  /// Begins a segment at the next sample, and with it a grid of its own: as from the first sample of
  /// a trace, for a recording begins there.
  package mutating func startRecording() {
    timeRule.startSegment(continuing: false)
    sampler.startsOwnGrid = true
  }

  /// Eases the tilt to 0 over `fade`; without effect in rate mode.
  package mutating func recenter(atNanoseconds now: Int64) {
    integral.recentre(at: now)
  }

  package mutating func push(_ sample: GyroSample) -> SampleVerdict {
    guard sample.rateRadPerSec.isFinite else {
      counts.nonfinite += 1
      return .nonfinite
    }
    switch timeRule.admit(sample.timeNanoseconds) {
    case .kept(let time, let startsSegment):
      return keep(sample.rateRadPerSec, time: time, startsSegment: startsSegment)
    case .rebased(let time):
      counts.rebased += 1
      return keep(sample.rateRadPerSec, time: time, startsSegment: true)
    case .duplicate:
      counts.duplicate += 1
      return .duplicate
    case .backwards:
      counts.backwards += 1
      return .backwards
    case .outOfRange:
      counts.nonfinite += 1
      return .nonfinite
    }
  }

  package mutating func nextFrame() -> SensorFrame? {
    guard let frame = sampler.nextFrame() else { return nil }
    counts.frames += 1
    return frame
  }

  private mutating func keep(
    _ rate: AngularRate, time: Int64, startsSegment: Bool
  ) -> SampleVerdict {
    counts.kept += 1
    if startsSegment { counts.segments += 1 }
    let rate = bias.correct(
      matrix.apply(rate.limited(to: Self.rateLimit)), time: time, startsSegment: startsSegment)
    var motion = DrivingMotion(a: rate.y, b: rate.x)
    if mode == .tilt {
      motion = integral.add(time: time, motion: motion, startsSegment: startsSegment)
    }
    sampler.push(time: time, motion: motion, startsSegment: startsSegment)
    return .kept(timeNanoseconds: time, startsSegment: startsSegment)
  }
}

extension AngularRate {
  fileprivate func limited(to limit: Double) -> AngularRate {
    AngularRate(
      x: min(max(x, -limit), limit), y: min(max(y, -limit), limit),
      z: min(max(z, -limit), limit))
  }
}
