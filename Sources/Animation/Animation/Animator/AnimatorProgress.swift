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
  /// From the lowest place to the highest, without gaps.
  private var segments: [Segment]

  /// - Parameters:
  ///   - begin: The place where the animation begins.
  ///   - end: The place where it ends; below `begin` if it was added to a reversed animator.
  ///   - rate: Seconds on the animator's axis per second.
  init(from begin: Double, to end: Double, curve: Curve, rate: Double) {
    self.begin = begin
    self.end = end
    segments = [
      Segment(
        lower: -.infinity, upper: .infinity, begin: begin, end: end, beginProgress: 0,
        endProgress: 1, curve: curve, seconds: (end - begin).magnitude / rate)
    ]
  }

  /// Returns whether the animation has begun at a place.
  func hasBegun(at place: Double) -> Bool { end < begin ? place <= begin : place >= begin }

  func progress(at place: Double) -> Double { segments[index(at: place)].progress(at: place) }

  func slope(at place: Double) -> Double { segments[index(at: place)].slope(at: place) }

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
    if isReversed {
      segments.removeAll { $0.upper <= place }
      segments[0].lower = place
      segments.insert(segment, at: 0)
    } else {
      segments.removeAll { $0.lower >= place }
      segments[segments.count - 1].upper = place
      segments.append(segment)
    }
  }

  private func index(at place: Double) -> Int {
    var index = 0
    while index < segments.count - 1, place > segments[index].upper { index += 1 }
    return index
  }
}
