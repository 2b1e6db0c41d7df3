// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// Counts of a source's samples by verdict, and of its segments and frames.
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

extension SampleCounts {
  /// Returns the sum of each count.
  package static func + (left: SampleCounts, right: SampleCounts) -> SampleCounts {
    var sum = left
    sum.kept += right.kept
    sum.duplicate += right.duplicate
    sum.backwards += right.backwards
    sum.rebased += right.rebased
    sum.nonfinite += right.nonfinite
    sum.segments += right.segments
    sum.frames += right.frames
    return sum
  }
}

/// The pipeline's decision about a sample.
package enum SampleVerdict: Equatable, Sendable {
  /// It counts, at this time of the source's clock, which is mapped to continue if it was set back.
  case kept(time: MotionInstant, startsSegment: Bool)
  case duplicate
  case backwards
  /// NaN, infinite, or beyond `MotionInstant.maxAdmissible`.
  case nonfinite
}

/// The first half of the pipeline: samples of a sensor become frames of motion in the device's
/// axes.
///
/// sample -> time rule -> mount matrix -> bias -> (tremor filter) -> mode -> resample. Push a sample, then
/// take frames until `nextFrame()` returns nil. Only samples advance time, so a trace gives the same frames as
/// the sensor it was recorded from. Allocates nothing per sample.
package struct SensorStage: Sendable {
  /// Rates are limited to ±10^100 rad/s before any arithmetic: no sum or product of finite samples
  /// overflows. Every real range clamps far below.
  private static let rateLimit = 1e100

  package private(set) var counts = SampleCounts()
  /// The time of the first kept sample; nil before it.
  package private(set) var firstTime: MotionInstant?
  /// The time of the last kept sample; nil before the first.
  package var lastTime: MotionInstant? { timeRule.lastKept }

  private var timeRule: TimeRule
  private let matrix: MountMatrix
  private var bias: BiasEstimator
  private let mode: MotionMode
  private var smoothing: Smoothing
  private let nominalRateHertz: Double?
  private var tremorFilter: TremorFilter?
  private var slopes = SlopeTracker()
  private var viewer: ViewerDirection
  private var sampler: FrameSampler
  private var newest = DrivingMotion.zero
  /// Whether the filters begin again at the next sample, since they missed the ones before it.
  private var restartsFilters = false

  /// Creates a stage before its first sample.
  ///
  /// - Parameters:
  ///   - settings: A `mountMatrix` of nil is the identity; `estimatesBias` is ignored (`bias`
  ///     decides).
  ///   - nominalRateHertz: granted by the device, stated by the trace or measured (`NominalRate`);
  ///     nil if unknown.
  ///   - bias: the state at the start.
  package init(settings: MotionSettings, nominalRateHertz: Double?, bias: BiasState) {
    timeRule = TimeRule(frameRate: settings.frameRate)
    matrix = settings.mountMatrix ?? .identity
    self.bias = BiasEstimator(bias)
    mode = settings.mode
    smoothing = settings.smoothing
    self.nominalRateHertz = nominalRateHertz
    tremorFilter = settings.smoothing == .auto(.calm) ? TremorFilter() : nil
    viewer = ViewerDirection(settings)
    sampler = FrameSampler(
      method: FrameSampler.method(settings: settings, nominalRateHertz: nominalRateHertz),
      hertz: settings.frameRate.timeRuleHertz)
  }

  /// Mutating although it changes nothing: as a property of a class, the whole stage, thousands of bytes,
  /// would otherwise be copied for the call, which might change that property.
  package var biasState: BiasState { mutating get { bias.state } }

  /// Starts a segment at the next sample: the device returned, or a trace restarts (`continuing`:
  /// its time continues at the last kept sample + 1/R).
  package mutating func startSegment(continuing: Bool) {
    timeRule.startSegment(continuing: continuing)
  }

  /// Starts a segment with its own grid at the next sample, at which a recording begins: the frames
  /// are those of the recording's replay.
  package mutating func startRecording() {
    timeRule.startSegment(continuing: false)
    sampler.startsOwnGrid = true
  }

  /// Fades the tilt to 0; without effect in rate mode.
  package mutating func recenter(at now: MotionInstant) {
    viewer.recenter(at: now)
  }

  /// Whether frames between those on the grid are made, too, where samples come in between. The others do not
  /// depend on it.
  package var isFine: Bool {
    get { sampler.isFine }
    set { sampler.isFine = newValue }
  }

  /// Applies another smoothing, recentering and fade from the next sample on. Other settings need another
  /// stage.
  package mutating func use(_ settings: MotionSettings) {
    viewer.use(settings)
    guard settings.smoothing != smoothing else { return }
    smoothing = settings.smoothing
    tremorFilter = settings.smoothing == .auto(.calm) ? TremorFilter() : nil
    restartsFilters = true
    var own = settings
    own.mode = mode
    sampler.use(FrameSampler.method(settings: own, nominalRateHertz: nominalRateHertz))
  }

  package mutating func push(_ sample: GyroSample) -> SampleVerdict {
    guard sample.rateRadPerSec.isFinite else {
      counts.nonfinite += 1
      return .nonfinite
    }
    switch timeRule.admit(sample.time) {
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
    guard var frame = sampler.nextFrame() else { return nil }
    if !frame.isBetween { counts.frames += 1 }
    let age = (sampler.newestTime - frame.time).seconds
    frame.estimate = estimate(ageSeconds: min(age, MotionEstimate.maxAgeSeconds))
    return frame
  }

  /// What decides how far a run of samples goes; nil if the next sample needs `push`.
  var runBounds: RunBounds? {
    guard sampler.passesOn, mode == .rate, matrix == .identity, case .off = bias.state,
      tremorFilter == nil, !restartsFilters, let last = timeRule.runStart
    else { return nil }
    return RunBounds(last: last, maxGap: timeRule.maxGap)
  }

  /// Ends a run of samples and returns its last frame.
  mutating func endRun(
    _ count: Int, last: MotionInstant, motion: DrivingMotion
  ) -> SensorFrame {
    counts.kept += UInt64(count)
    counts.frames += UInt64(count)
    timeRule.endRun(at: last)
    sampler.endRun(at: last, motion: motion)
    newest = motion
    // The slopes missed the run.
    restartsFilters = smoothing.needsSlopes
    return SensorFrame(
      time: last, motion: motion, estimate: estimate(ageSeconds: 0), startsSegment: false)
  }

  private mutating func keep(
    _ rate: AngularRate, time: MotionInstant, startsSegment: Bool
  ) -> SampleVerdict {
    counts.kept += 1
    if firstTime == nil { firstTime = time }
    if startsSegment { counts.segments += 1 }
    var rate = bias.correct(
      matrix.apply(rate.limited(to: Self.rateLimit)), time: time, startsSegment: startsSegment)
    let restartsFilters = startsSegment || self.restartsFilters
    self.restartsFilters = false
    if tremorFilter != nil {
      rate = tremorFilter?.step(rate, time: time, startsSegment: restartsFilters) ?? rate
    }
    var motion = DrivingMotion(a: rate.y, b: rate.x)
    switch mode {
    case .tilt: motion = viewer.add(rate, time: time, startsSegment: startsSegment)
    case .rate where smoothing.needsSlopes:
      slopes.add(motion, time: time, startsSegment: restartsFilters)
    case .rate: break
    }
    newest = motion
    sampler.push(time: time, motion: motion, startsSegment: startsSegment)
    return .kept(time: time, startsSegment: startsSegment)
  }

  /// Mutating for the reason that `biasState` gives.
  private mutating func estimate(ageSeconds: Double) -> MotionEstimate {
    var estimate = MotionEstimate(mode: mode, newest: newest, ageSeconds: ageSeconds)
    switch mode {
    case .tilt: estimate.slope = viewer.velocity
    case .rate:
      estimate.mean = slopes.mean
      estimate.slope = slopes.steadySlope
      estimate.quickSlope = slopes.quickSlope
    }
    return estimate
  }
}

extension AngularRate {
  fileprivate func limited(to limit: Double) -> AngularRate {
    AngularRate(
      x: min(max(x, -limit), limit), y: min(max(y, -limit), limit),
      z: min(max(z, -limit), limit))
  }
}
