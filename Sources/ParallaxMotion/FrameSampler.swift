/// A frame of motion in the device's frame, before it is turned to a screen.
package struct SensorFrame: Equatable, Sendable {
  package var timeNanoseconds: Int64
  package var motion: DrivingMotion
  /// Whether filters begin anew at this frame: it is the first of its segment.
  package var startsSegment: Bool

  @inlinable
  package init(timeNanoseconds: Int64, motion: DrivingMotion, startsSegment: Bool) {
    self.timeNanoseconds = timeNanoseconds
    self.motion = motion
    self.startsSegment = startsSegment
  }
}

/// Picks frames out of kept samples: one a sample, or on the grid by mean, interpolation or hold.
///
/// Push a sample, then take frames until there is none: a frame is given out as soon as the first
/// sample at or behind its instant is known.
struct FrameSampler: Sendable {
  enum Method: Equatable, Sendable {
    case everySample
    case mean, linear, hold
  }

  private let method: Method
  private let hertz: Double
  private var grid: FrameGrid?
  /// Whether the next segment's grid begins at its first sample, instead of going on behind the gap.
  var startsOwnGrid = false
  private var nextIndex: Int64 = 0
  private var nextFrameTime: Int64 = .max
  private var previous = Reading(time: 0, motion: .zero)
  private var current = Reading(time: .min, motion: .zero)
  private var isFirstOfSegment = false
  private var bin = MeanBin()

  private struct Reading {
    var time: Int64
    var motion: DrivingMotion
  }

  init(method: Method, hertz: Double) {
    self.method = method
    self.hertz = hertz
  }

  /// How frames are picked.
  static func method(settings: MotionSettings, nominalRateHertz: Double?) -> Method {
    if settings.passesThrough(nominalRateHertz: nominalRateHertz) { return .everySample }
    // An integral is a state, not a rate: its mean over a bin would only be late.
    if settings.mode == .tilt { return .hold }
    switch settings.resampling {
    case .auto, .mean: return .mean
    case .linear: return .linear
    case .hold: return .hold
    }
  }

  mutating func push(time: Int64, motion: DrivingMotion, startsSegment: Bool) {
    if method == .everySample {
      current = Reading(time: time, motion: motion)
      nextFrameTime = time
      isFirstOfSegment = startsSegment
      return
    }
    if startsSegment {
      if startsOwnGrid { self.grid = nil }
      startsOwnGrid = false
      let grid = self.grid ?? FrameGrid(originNanoseconds: time, hertz: hertz)
      self.grid = grid
      nextIndex = grid.firstFrame(atOrAfter: time)
      nextFrameTime = grid.time(ofFrame: nextIndex)
      isFirstOfSegment = true
      bin = MeanBin()
    } else {
      previous = current
    }
    current = Reading(time: time, motion: motion)
    bin.offer(motion)
  }

  mutating func nextFrame() -> SensorFrame? {
    guard nextFrameTime <= current.time else { return nil }
    let time = nextFrameTime
    let motion: DrivingMotion
    switch method {
    case .everySample:
      nextFrameTime = .max
      motion = current.motion
    case .hold:
      motion = time == current.time ? current.motion : previous.motion
      advance()
    case .linear:
      motion = interpolate(at: time)
      advance()
    case .mean:
      motion = bin.close(takingOffered: time == current.time)
      advance()
    }
    let frame = SensorFrame(timeNanoseconds: time, motion: motion, startsSegment: isFirstOfSegment)
    isFirstOfSegment = false
    return frame
  }

  private mutating func advance() {
    guard let grid else { return }
    nextIndex += 1
    nextFrameTime = grid.time(ofFrame: nextIndex)
  }

  private func interpolate(at time: Int64) -> DrivingMotion {
    guard time < current.time else { return current.motion }
    let share = Double(time - previous.time) / Double(current.time - previous.time)
    return DrivingMotion(
      a: previous.motion.a + share * (current.motion.a - previous.motion.a),
      b: previous.motion.b + share * (current.motion.b - previous.motion.b))
  }
}

/// The mean of the samples in (g_{k-1}, g_k]. The newest sample is held back (`offered`) until it is
/// known on which side of g_k it lies.
private struct MeanBin: Sendable {
  private var sum = DrivingMotion.zero
  private var count = 0
  private var mean = DrivingMotion.zero
  private var offered: DrivingMotion?

  mutating func offer(_ motion: DrivingMotion) {
    takeOffered()
    offered = motion
  }

  /// Ends the bin; an empty one repeats the mean before it.
  mutating func close(takingOffered: Bool) -> DrivingMotion {
    if takingOffered { takeOffered() }
    if count > 0 {
      mean = DrivingMotion(a: sum.a / Double(count), b: sum.b / Double(count))
      sum = .zero
      count = 0
    }
    return mean
  }

  private mutating func takeOffered() {
    guard let motion = offered else { return }
    sum.a += motion.a
    sum.b += motion.b
    count += 1
    offered = nil
  }
}

extension MotionSettings {
  /// Whether every sample of a source becomes a frame: by `native`, or because the choice is `auto`
  /// and the source's rate lies within [R / 1.02, 1.2 R], since resampling one rate to nearly the
  /// same only beats against it (two periods' jitter below R, a frame dropped in six above).
  package func passesThrough(nominalRateHertz: Double?) -> Bool {
    guard case .hertz(let wanted) = frameRate else { return true }
    guard resampling == .auto, let nominal = nominalRateHertz else { return false }
    return wanted / 1.02 <= nominal && nominal <= 1.2 * wanted
  }
}
