// SPDX-License-Identifier: Apache-2.0

/// The progress of one animation as a function of the place of its animator.
///
/// At first, one curve covers the animation. When the animator continues with another curve, that
/// one covers the part ahead and the part already covered stays, so that reversing retraces the
/// path.
struct AnimatorProgress: Equatable, Sendable {
  /// One curve over a range of places.
  struct Segment: Equatable, Sendable {
    /// The range of places where the curve applies.
    var lower: Double
    var upper: Double
    /// The places where the curve begins and ends; `end` is below `begin` if it started reversed.
    /// Before `begin`, the progress is `beginProgress`.
    let begin: Double
    let end: Double
    let beginProgress: Double
    let endProgress: Double
    let curve: Curve
    /// The duration of the curve, in seconds, on which springs depend.
    let seconds: Double

    func progress(at place: Double) -> Double {
      let share = share(at: place)
      guard share >= 0 else { return beginProgress }
      let value = curve.value(at: share, durationSeconds: seconds)
      // In this form the result is exactly `endProgress` if the curve is at 1.
      return endProgress + (beginProgress - endProgress) * (1 - value)
    }

    /// Returns the progress per second on the animator's axis.
    func slope(at place: Double) -> Double {
      let share = share(at: place)
      guard share >= 0, share < 1, end != begin else { return 0 }
      return (endProgress - beginProgress) * curve.velocity(at: share, durationSeconds: seconds)
        * seconds / (end - begin)
    }

    private func share(at place: Double) -> Double {
      if end != begin { return (place - begin) / (end - begin) }
      return place >= begin ? 1 : -1
    }
  }

  /// The place where the animation begins.
  private let begin: Double
  /// The place where it ends unless the animator is reversed.
  private let end: Double
  /// From the lowest place to the highest, without gaps. Most animations keep their first curve.
  private var lowest: Segment
  private var higher: [Segment] = []

  /// - Parameters:
  ///   - begin: The place where the animation begins.
  ///   - end: The place where it ends; below `begin` if it was added to a reversed animator.
  ///   - rate: Seconds on the animator's axis per second.
  init(from begin: Double, to end: Double, curve: Curve, rate: Double) {
    self.begin = begin
    self.end = end
    lowest = Segment(
      lower: -.infinity, upper: .infinity, begin: begin, end: end, beginProgress: 0,
      endProgress: 1, curve: curve, seconds: (end - begin).magnitude / rate)
  }

  /// Returns whether the animation has begun at a place.
  func hasBegun(at place: Double) -> Bool { end < begin ? place <= begin : place >= begin }

  func progress(at place: Double) -> Double { segment(at: place).progress(at: place) }

  func slope(at place: Double) -> Double { segment(at: place).slope(at: place) }

  /// The place at which a user sees it as over, if the animator is not reversed: where the last curve, if it is a
  /// spring, has taken its response.
  var logicalEnd: Double {
    let last = higher.last ?? lowest
    guard last.seconds > 0, last.end > last.begin else { return max(begin, end) }
    let share = last.curve.logicalSeconds(last.seconds) / last.seconds
    return last.begin + (last.end - last.begin) * share
  }

  /// Whether one linear curve covers it.
  var isLinear: Bool { higher.isEmpty && lowest.curve == .linear }

  /// Returns the place at a share of the time of one linear curve.
  func place(ofShare share: Double) -> Double {
    lowest.begin + (lowest.end - lowest.begin) * (share < 1 ? share : 1)
  }

  /// Returns the place in a range where the progress first is a share; the end of the range if it nowhere is.
  func place(ofProgress share: Double, in places: ClosedRange<Double>) -> Double {
    let (begin, length) = (places.lowerBound, places.upperBound - places.lowerBound)
    let isRising = progress(at: places.upperBound) >= progress(at: begin)
    func isBefore(_ place: Double) -> Bool {
      isRising ? progress(at: place) < share : progress(at: place) > share
    }
    // A spring passes its target and returns.
    let steps = 256
    for step in 0...steps where !isBefore(begin + length * Double(step) / Double(steps)) {
      guard step > 0 else { return begin }
      var early = begin + length * Double(step - 1) / Double(steps)
      var late = begin + length * Double(step) / Double(steps)
      for _ in 0..<50 {
        let middle = early + (late - early) / 2
        if isBefore(middle) { early = middle } else { late = middle }
      }
      return late
    }
    return places.upperBound
  }

  /// Replaces the curve from a place on; below it if the animator is reversed.
  mutating func replaceCurve(
    from place: Double, isReversed: Bool, curve: Curve, rate: Double
  ) {
    let isTowardEnd = isReversed == (end < begin)
    // An animation that has not begun begins where it would have; one that runs back ends at its
    // begin.
    let first = isTowardEnd ? (isReversed ? min(place, begin) : max(place, begin)) : place
    let last = isTowardEnd ? end : begin
    guard isReversed ? last < first : last > first else { return }
    let segment = Segment(
      lower: isReversed ? -.infinity : place, upper: isReversed ? place : .infinity,
      begin: first, end: last, beginProgress: progress(at: place), endProgress: progress(at: last),
      curve: curve, seconds: (last - first).magnitude / rate)
    var segments = [lowest] + higher
    if isReversed {
      segments.removeAll { $0.upper <= place }
      segments[0].lower = place
      segments.insert(segment, at: 0)
    } else {
      segments.removeAll { $0.lower >= place }
      segments[segments.count - 1].upper = place
      segments.append(segment)
    }
    lowest = segments.removeFirst()
    higher = segments
  }

  private func segment(at place: Double) -> Segment {
    guard place > lowest.upper else { return lowest }
    return higher.first { place <= $0.upper } ?? higher.last ?? lowest
  }
}
