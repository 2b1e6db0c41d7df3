// SPDX-License-Identifier: Apache-2.0

/// The offset of one screen axis at a frame's instant, and its velocity: the line along which a display
/// continues until the next frame.
struct MotionLine: Equatable {
  /// px; beyond the range before `bounded`.
  var offset: Double
  /// px/s
  var velocity: Double

  /// The share of the range around its mean in which a rate is shown halfway to the mean.
  static let restBand = 0.04
  /// The share of the slope that is followed: more has less lag and overshoots farther.
  static let slopeShare = 0.5

  /// A rate and its trend on one axis, in px and px/s.
  struct Rate {
    var newest: Double
    var mean: Double
    var slope: Double
    var quickSlope: Double
    /// From the frame's instant to the sample, s.
    var ageSeconds: Double
  }

  /// Returns the line of `auto` smoothing in rate mode: near its mean a rate is shown at the mean, far
  /// from it as it is. Nothing has to open first, so the start of a motion is not late.
  ///
  /// - Parameter periodSeconds: 1/R.
  static func smoothed(_ rate: Rate, range: PixelRange, periodSeconds: Double) -> MotionLine {
    let band = restBand * range.reach
    let away = rate.newest - rate.mean
    let gain = away * away / (away * away + band * band)
    var line = MotionLine(offset: rate.mean + gain * away, velocity: gain * rate.trend)
    line.stopAtZero(periodSeconds: periodSeconds)
    line.offset -= line.velocity * rate.ageSeconds
    return line.bounded(by: range, periodSeconds: periodSeconds)
  }

  /// Returns the line of an unsmoothed rate, whose offset is given.
  static func unsmoothed(
    offset: Double, _ rate: Rate, range: PixelRange, periodSeconds: Double
  ) -> MotionLine {
    var line = MotionLine(offset: offset, velocity: rate.trend)
    line.stopAtZero(periodSeconds: periodSeconds)
    return line.bounded(by: range, periodSeconds: periodSeconds)
  }

  /// Limits the velocity toward 0: a motion that stops does not run through it.
  private mutating func stopAtZero(periodSeconds: Double) {
    guard offset * velocity < 0 else { return }
    let limit = offset.magnitude / periodSeconds
    velocity = min(max(velocity, -limit), limit)
  }

  /// Returns the line with soft ends of the range. The velocity is that to where the line is one period later, so
  /// that a picture that leaves an end is not late.
  func softened(by range: PixelRange, periodSeconds: Double) -> MotionLine {
    let target = offset + velocity * periodSeconds
    let (inside, next) = (range.softened(offset), range.softened(target))
    if (inside, next) == (offset, target) { return self }
    return MotionLine(offset: inside, velocity: (next - inside) / periodSeconds)
  }

  /// Returns the line within the range. At a bound, the velocity is that to where the line is one period
  /// later: the picture neither leaves the bound before the motion is back nor pushes against it.
  func bounded(by range: PixelRange, periodSeconds: Double) -> MotionLine {
    let inside = range.clamp(offset)
    guard offset <= range.low || offset >= range.high else { return self }
    let next = range.clamp(offset + velocity * periodSeconds)
    return MotionLine(offset: inside, velocity: (next - inside) / periodSeconds)
  }
}

extension MotionLine.Rate {
  /// The share of the slope that is followed: of the steady and the quick one, the smaller; 0 where they
  /// differ in sign.
  fileprivate var trend: Double {
    guard slope * quickSlope > 0 else { return 0 }
    let smaller = slope.magnitude < quickSlope.magnitude ? slope : quickSlope
    return MotionLine.slopeShare * smaller
  }
}
