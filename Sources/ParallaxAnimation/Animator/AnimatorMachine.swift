/// The states of a property animator and what leads from one to the next. Pure: what has ended is
/// returned, and whoever owns the machine tells it.
///
/// Its place is s of its own time: 0 is where its animations begin, `durationSeconds` where they end.
/// Running it moves toward the end, reversed toward the start. What is seen is a function of the place
/// alone, so that going back is going the same way back.
///
/// Source of the meanings: UIViewPropertyAnimator, UIViewAnimating (developer.apple.com).
package struct AnimatorMachine: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// Nothing has begun, or what had begun is over. A beginning leads out.
    case inactive
    /// Begun with a delay, or resumed with one: stands at its place until the time has come.
    case waiting(place: Double, startNanoseconds: Int64)
    /// Moves: it was at its place then, and is `rate` seconds farther a second.
    case running(place: Double, sinceNanoseconds: Int64)
    /// Begun, and stands where it was paused or scrubbed to, or at an end that it has come to under
    /// `pausesOnCompletion`. It goes on from there.
    case paused(place: Double)
    /// Stands where it was stopped. Nothing but a finish leads out, which says where it ends.
    case stopped(place: Double)
  }

  /// The three states that others see.
  package enum Phase: Sendable { case inactive, active, stopped }

  package private(set) var state = State.inactive
  /// Toward the start. What has ended is as new: not reversed.
  package private(set) var isReversed = false
  /// At its end it pauses instead of ending, so that it can be turned round. Default: false.
  package var pausesOnCompletion = false
  /// Of its own time; `.infinity` where something repeats forever.
  package private(set) var durationSeconds = 0.0
  /// Nothing is there to be moved: it ends as soon as it runs.
  package var isEmpty = true
  /// s of its own time a second.
  package private(set) var rate = 1.0

  package init() {}

  package var phase: Phase {
    switch state {
    case .inactive: .inactive
    case .waiting, .running, .paused: .active
    case .stopped: .stopped
    }
  }

  package var isRunning: Bool {
    switch state {
    case .running, .waiting: true
    case .inactive, .paused, .stopped: false
    }
  }

  // -- Where it is

  package func place(atNanoseconds now: Int64) -> Double {
    switch state {
    case .inactive: return 0
    case .waiting(let place, _), .paused(let place), .stopped(let place): return place
    case .running(let place, let since):
      let moved = seconds(from: since, to: now) * rate
      return isReversed ? max(0, place - moved) : min(durationSeconds, place + moved)
    }
  }

  /// The share of the way that is behind it, in the direction in which it goes; 0 for what is endless.
  package func fractionComplete(atNanoseconds now: Int64) -> Double {
    guard state != .inactive, durationSeconds < .infinity else { return 0 }
    guard durationSeconds > 0 else { return 1 }
    let fraction = place(atNanoseconds: now) / durationSeconds
    return isReversed ? 1 - fraction : fraction
  }

  /// s of its own time that lie before it.
  package func remainingSeconds(atNanoseconds now: Int64) -> Double {
    let place = place(atNanoseconds: now)
    return isReversed ? place : durationSeconds - place
  }

  /// When it begins to move, or comes to its end; nil: it does neither by itself.
  package var nextEventNanoseconds: Int64? {
    switch state {
    case .inactive, .paused, .stopped: return nil
    case .waiting(_, let start): return start
    case .running(let place, let since):
      if isEmpty { return since }
      return instant(
        since, plusSeconds: (isReversed ? place : durationSeconds - place) / rate)
    }
  }

  // -- What is done with it

  /// Stands at its beginning, which reversed is its end.
  package mutating func begin(durationSeconds: Double, isEmpty: Bool) {
    self.durationSeconds = durationSeconds
    self.isEmpty = isEmpty
    state = .paused(place: isReversed && durationSeconds < .infinity ? durationSeconds : 0)
  }

  /// Lets the time go on.
  ///
  /// - Returns: where it has ended, if it has.
  package mutating func advance(toNanoseconds now: Int64) -> AnimationPosition? {
    if case .waiting(let place, let start) = state, start <= now {
      state = .running(place: place, sinceNanoseconds: start)
    }
    guard case .running = state, let end = nextEventNanoseconds, end <= now else { return nil }
    if pausesOnCompletion {
      state = .paused(place: isReversed ? 0 : durationSeconds)
      return nil
    }
    return over(isReversed ? .start : .end)
  }

  /// Goes on from where it stands. Running it stays as it is; waiting, it waits anew.
  package mutating func start(
    afterSeconds delay: Double, atNanoseconds now: Int64
  ) throws(AnimatorError) {
    switch state {
    case .stopped: throw .isStopped
    case .inactive: throw .isInactive
    case .running: return
    case .waiting, .paused: break
    }
    let place = place(atNanoseconds: now)
    if delay > 0 {
      let start = instant(now, plusSeconds: delay) ?? .max
      state = .waiting(place: place, startNanoseconds: start)
    } else {
      state = .running(place: place, sinceNanoseconds: now)
    }
  }

  package mutating func pause(atNanoseconds now: Int64) throws(AnimatorError) {
    switch state {
    case .stopped: throw .isStopped
    case .inactive: throw .isInactive
    case .waiting, .running, .paused: state = .paused(place: place(atNanoseconds: now))
    }
  }

  package mutating func setReversed(
    _ isReversed: Bool, atNanoseconds now: Int64
  ) throws(AnimatorError) {
    if case .stopped = state { throw .isStopped }
    let place = place(atNanoseconds: now)
    self.isReversed = isReversed
    if case .running = state { state = .running(place: place, sinceNanoseconds: now) }
  }

  /// - Parameter fraction: of the way in the direction in which it goes, 0...1.
  package mutating func scrub(to fraction: Double) throws(AnimatorError) {
    switch state {
    case .stopped: throw .isStopped
    case .inactive, .waiting, .running: throw .isNotPaused
    case .paused: break
    }
    guard durationSeconds < .infinity else { throw .isEndless }
    let fraction = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
    state = .paused(place: (isReversed ? 1 - fraction : fraction) * durationSeconds)
  }

  /// Goes on from a pause in another time.
  ///
  /// - Parameter durationFactor: what is left takes so many durations; 0: the time that is left.
  package mutating func `continue`(
    durationFactor factor: Double, atNanoseconds now: Int64
  ) throws(AnimatorError) {
    switch state {
    case .stopped: throw .isStopped
    case .inactive, .waiting, .running: throw .isNotPaused
    case .paused(let place):
      let left = remainingSeconds(atNanoseconds: now)
      rate = 1
      if factor.isFinite, factor > 0, left > 0, left < .infinity, durationSeconds < .infinity {
        // Neither endless nor at once, whatever the factor.
        rate = min(max(left / (factor * durationSeconds), 1e-9), 1e9)
      }
      state = .running(place: place, sinceNanoseconds: now)
    }
  }

  package mutating func stop(atNanoseconds now: Int64) throws(AnimatorError) {
    if case .inactive = state { throw .isInactive }
    state = .stopped(place: place(atNanoseconds: now))
  }

  package mutating func finish(
    at position: AnimationPosition
  ) throws(AnimatorError) -> AnimationPosition {
    guard case .stopped = state else { throw .isNotStopped }
    return over(position)
  }

  /// From any state to the end of all.
  package mutating func end(at position: AnimationPosition) -> AnimationPosition {
    over(position)
  }

  private mutating func over(_ position: AnimationPosition) -> AnimationPosition {
    state = .inactive
    isReversed = false
    rate = 1
    return position
  }
}
