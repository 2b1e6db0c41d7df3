/// How far one animation of an animator is at each place of the animator's time.
///
/// At first one curve leads from where the animation begins to the end to which the animator goes.
/// Continued with another curve, what lies before it goes by that one from where it is, and what lies
/// behind stays, so that turning round leads the same way back.
struct AnimatorPacing: Equatable, Sendable {
  /// One curve over a part of the way.
  struct Stretch: Equatable, Sendable {
    /// Where it holds, in the animator's time.
    var lower: Double
    var upper: Double
    /// Where the curve begins and ends; backward, where it was begun reversed. On the far side of the
    /// beginning nothing has happened yet.
    let begin: Double
    let end: Double
    let beginProgress: Double
    let endProgress: Double
    let curve: Curve
    /// What the curve lasts, s; a spring asks for it.
    let seconds: Double

    func progress(at place: Double) -> Double {
      let share = share(at: place)
      guard share >= 0 else { return beginProgress }
      let value = curve.value(at: share, durationSeconds: seconds)
      // Written so that it is exactly the end where the curve is at 1.
      return endProgress + (beginProgress - endProgress) * (1 - value)
    }

    /// Progress per s of the animator's time.
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

  /// Where the animation begins, in the animator's time.
  private let begin: Double
  /// To which end it goes as long as the animator is not turned round.
  private let end: Double
  /// From the lowest place to the highest, without gaps.
  private var stretches: [Stretch]

  /// - Parameters:
  ///   - begin: where the animation begins, in the animator's time.
  ///   - end: where it ends; below `begin` where it was added to a reversed animator.
  ///   - rate: the animator's seconds a second.
  init(from begin: Double, to end: Double, curve: Curve, rate: Double) {
    self.begin = begin
    self.end = end
    stretches = [
      Stretch(
        lower: -.infinity, upper: .infinity, begin: begin, end: end, beginProgress: 0,
        endProgress: 1, curve: curve, seconds: (end - begin).magnitude / rate)
    ]
  }

  /// Whether a place is on the side of the beginning where something has happened.
  func hasBegun(at place: Double) -> Bool { end < begin ? place <= begin : place >= begin }

  func progress(at place: Double) -> Double { stretches[index(at: place)].progress(at: place) }

  func slope(at place: Double) -> Double { stretches[index(at: place)].slope(at: place) }

  /// From a place on, downward where the animator is reversed, progress goes by another curve.
  mutating func pace(
    from place: Double, isReversed: Bool, curve: Curve, rate: Double
  ) {
    let goesOn = isReversed == (end < begin)
    // What has not begun begins where it would have; what goes back is back where it began.
    let first = goesOn ? (isReversed ? min(place, begin) : max(place, begin)) : place
    let last = goesOn ? end : begin
    guard isReversed ? last < first : last > first else { return }
    let stretch = Stretch(
      lower: isReversed ? -.infinity : place, upper: isReversed ? place : .infinity,
      begin: first, end: last, beginProgress: progress(at: place), endProgress: progress(at: last),
      curve: curve, seconds: (last - first).magnitude / rate)
    if isReversed {
      stretches.removeAll { $0.upper <= place }
      stretches[0].lower = place
      stretches.insert(stretch, at: 0)
    } else {
      stretches.removeAll { $0.lower >= place }
      stretches[stretches.count - 1].upper = place
      stretches.append(stretch)
    }
  }

  private func index(at place: Double) -> Int {
    var index = 0
    while index < stretches.count - 1, place > stretches[index].upper { index += 1 }
    return index
  }
}
