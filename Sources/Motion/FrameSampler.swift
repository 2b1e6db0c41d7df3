// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// A frame of motion in the device's axes, before the remap to a screen.
package struct SensorFrame: Equatable, Sendable {
  package var time: MotionInstant
  /// The samples of the frame, resampled.
  package var motion: DrivingMotion
  package var estimate: MotionEstimate
  /// Whether this is the first frame of its segment, at which filters restart.
  package var startsSegment: Bool
  /// Whether it is one in the middle between two frames on the grid, at which no filter moves.
  package var isBetween: Bool

  @inlinable
  package init(
    time: MotionInstant, motion: DrivingMotion, estimate: MotionEstimate, startsSegment: Bool,
    isBetween: Bool = false
  ) {
    self.time = time
    self.motion = motion
    self.estimate = estimate
    self.startsSegment = startsSegment
    self.isBetween = isBetween
  }
}

/// Makes frames from kept samples: one per sample, or on the grid by mean, interpolation or hold, or the
/// sample that completes each.
///
/// Push a sample, then take frames until there is none: a frame is complete with the first sample
/// at or after its instant.
struct FrameSampler: Sendable {
  enum Method: Equatable, Sendable {
    case everySample
    case mean, linear, hold
    /// The sample that completes the frame, for `auto` smoothing, which goes back to the frame's instant.
    case newest
  }

  private var method: Method
  private let hertz: Double
  /// With 2 R instants per second, of which every second one, from 0 on, is a frame's on the grid of R.
  private var grid: FrameGrid?
  /// Whether frames between those on the grid are made, too, if they are not more than anyone sees.
  var isFine: Bool {
    get { makesBetween }
    set {
      let makesBetween = newValue && 2 * hertz <= FrameRate.capHertz
      if makesBetween, !self.makesBetween { betweenBin = bin }
      self.makesBetween = makesBetween
    }
  }
  private var makesBetween = false
  /// Whether the next segment's grid begins at its first sample, instead of continuing after the
  /// gap.
  var startsOwnGrid = false
  private var nextIndex: Int64 = 0
  private var nextFrameTime = MotionInstant.distantFuture
  private var previous = Reading(time: .zero, motion: .zero)
  private var current = Reading(time: .distantPast, motion: .zero)
  private var isFirstOfSegment = false
  /// From one frame on the grid to the next.
  private var bin = MeanBin()
  /// From one frame between them to the next.
  private var betweenBin = MeanBin()

  private struct Reading {
    var time: MotionInstant
    var motion: DrivingMotion
  }

  init(method: Method, hertz: Double) {
    self.method = method
    self.hertz = hertz
  }

  /// Returns the method for the settings and the source's rate.
  static func method(settings: MotionSettings, nominalRateHertz: Double?) -> Method {
    if settings.passesThrough(nominalRateHertz: nominalRateHertz) { return .everySample }
    if case .auto = settings.smoothing { return .newest }
    // A tilt is a state, not a rate: its mean over a bin would only be late.
    if settings.mode == .tilt { return .hold }
    switch settings.resampling {
    case .auto, .mean: return .mean
    case .linear: return .linear
    case .hold: return .hold
    }
  }

  /// Changes the method between two frames on the grid.
  mutating func use(_ method: Method) {
    self.method = method
    bin = MeanBin()
  }

  /// The time of the newest sample.
  var newestTime: MotionInstant { current.time }

  mutating func push(time: MotionInstant, motion: DrivingMotion, startsSegment: Bool) {
    if method == .everySample {
      current = Reading(time: time, motion: motion)
      nextFrameTime = time
      isFirstOfSegment = startsSegment
      return
    }
    if startsSegment {
      if startsOwnGrid { self.grid = nil }
      startsOwnGrid = false
      let grid = self.grid ?? FrameGrid(origin: time, hertz: 2 * hertz)
      self.grid = grid
      nextIndex = grid.firstFrame(atOrAfter: time)
      nextIndex += nextIndex & 1
      nextFrameTime = grid.time(ofFrame: nextIndex)
      isFirstOfSegment = true
      (bin, betweenBin) = (MeanBin(), MeanBin())
    } else {
      previous = current
    }
    current = Reading(time: time, motion: motion)
    bin.add(motion)
    if makesBetween { betweenBin.add(motion) }
  }

  /// Whether each sample is a frame, and none is left.
  var passesOn: Bool { method == .everySample && nextFrameTime == .distantFuture }

  /// Takes over the last sample of a run, in which each one was a frame.
  mutating func endRun(at time: MotionInstant, motion: DrivingMotion) {
    current = Reading(time: time, motion: motion)
  }

  mutating func nextFrame() -> SensorFrame? {
    // One between two others that are complete at the same sample would be of no use.
    if nextIndex & 1 == 1, let grid,
      !makesBetween || grid.time(ofFrame: nextIndex + 1) <= current.time
    {
      advance()
    }
    guard nextFrameTime <= current.time else { return nil }
    let time = nextFrameTime
    let isBetween = nextIndex & 1 == 1
    let motion: DrivingMotion
    switch method {
    case .everySample:
      nextFrameTime = .distantFuture
      motion = current.motion
    case .newest:
      motion = current.motion
      advance()
    case .hold:
      motion = time == current.time ? current.motion : previous.motion
      advance()
    case .linear:
      motion = interpolate(at: time)
      advance()
    case .mean:
      let isComplete = time == current.time
      motion =
        isBetween
        ? betweenBin.close(includingPending: isComplete) : bin.close(includingPending: isComplete)
      advance()
    }
    // `SensorStage` knows the estimate.
    let frame = SensorFrame(
      time: time, motion: motion, estimate: MotionEstimate(mode: .rate, newest: motion),
      startsSegment: isFirstOfSegment, isBetween: isBetween)
    isFirstOfSegment = false
    return frame
  }

  private mutating func advance() {
    guard let grid else { return }
    nextIndex += makesBetween || nextIndex & 1 == 1 ? 1 : 2
    nextFrameTime = grid.time(ofFrame: nextIndex)
  }

  private func interpolate(at time: MotionInstant) -> DrivingMotion {
    guard time < current.time else { return current.motion }
    let share = (time - previous.time) / (current.time - previous.time)
    return DrivingMotion(
      a: previous.motion.a + share * (current.motion.a - previous.motion.a),
      b: previous.motion.b + share * (current.motion.b - previous.motion.b))
  }
}

/// The mean of the samples in (g_{k-1}, g_k]. The newest sample is held back (`pending`) until it
/// is known on which side of g_k it is.
private struct MeanBin: Sendable {
  private var sum = DrivingMotion.zero
  private var count = 0
  private var mean = DrivingMotion.zero
  private var pending: DrivingMotion?

  mutating func add(_ motion: DrivingMotion) {
    addPending()
    pending = motion
  }

  /// Ends the bin; an empty one repeats the mean before it.
  mutating func close(includingPending: Bool) -> DrivingMotion {
    if includingPending { addPending() }
    if count > 0 {
      mean = DrivingMotion(a: sum.a / Double(count), b: sum.b / Double(count))
      sum = .zero
      count = 0
    }
    return mean
  }

  private mutating func addPending() {
    guard let motion = pending else { return }
    sum.a += motion.a
    sum.b += motion.b
    count += 1
    pending = nil
  }
}

extension MotionSettings {
  /// Returns whether every sample of a source becomes a frame: by `native`, or by `auto` if the
  /// source's rate is within [R / 1.02, 1.2 R]. Resampling to nearly the same rate would only beat
  /// against it: jitter of two periods below R, one frame in six dropped above.
  package func passesThrough(nominalRateHertz: Double?) -> Bool {
    guard case .hertz(let requested) = frameRate else { return true }
    guard resampling == .auto, let nominal = nominalRateHertz else { return false }
    return requested / 1.02 <= nominal && nominal <= 1.2 * requested
  }
}
