// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The states of a property animator. Pure: it returns endings, and its owner reports them.
///
/// A place is a time on the animator's own axis, in seconds: 0 is the start of its animations,
/// `durationSeconds` their end. A running animator moves toward the end, a reversed one toward the
/// start. The pose is a function of the place alone, so a reversed animator retraces its path.
///
/// Source: UIViewPropertyAnimator, UIViewAnimating (developer.apple.com).
package struct AnimatorStateMachine: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// Not started, or ended. Left by `begin`.
    case inactive
    /// Started or resumed with a delay: does not move before `start`.
    case waiting(place: Double, start: MotionInstant)
    /// Moves, by `rate` seconds per second, and was at `place` at the time `since`.
    case running(place: Double, since: MotionInstant)
    /// Does not move: paused, scrubbed, or at an end with `pausesOnCompletion`. It can continue.
    case paused(place: Double)
    /// Stopped. Left only by `finish` or `end`, which decide where it ends.
    case stopped(place: Double)
  }

  package private(set) var state = State.inactive
  /// Whether it moves toward the start. Reset at the end.
  package private(set) var isReversed = false
  /// Whether it pauses at its end instead of ending, so that it can be reversed. Default: false.
  package var pausesOnCompletion = false
  /// On its own axis; `.infinity` if a part repeats forever.
  package private(set) var durationSeconds = 0.0
  /// Whether it has no animations. An empty animator ends as soon as it runs.
  package var isEmpty = true
  /// Seconds on its own axis per second, at speed 1.
  package private(set) var rate = 1.0
  /// A factor of the rate, which `setSpeed` sets. Reset at the end.
  package private(set) var speed = 1.0

  package init() {}

  /// Creates one that has been running since before, and is at a place now.
  package init(durationSeconds: Double, place: Double, at now: MotionInstant) {
    self.durationSeconds = durationSeconds
    isEmpty = false
    state = .running(place: min(place, durationSeconds), since: now)
  }

  /// Seconds on its own axis per second.
  package var pace: Double { rate * speed }

  package var phase: AnimatorPhase {
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

  // MARK: - Position

  package func place(at now: MotionInstant) -> Double {
    switch state {
    case .inactive: return 0
    case .waiting(let place, _), .paused(let place), .stopped(let place): return place
    case .running(let place, let since):
      let moved = now.seconds(since: since) * pace
      return isReversed ? max(0, place - moved) : min(durationSeconds, place + moved)
    }
  }

  /// Returns the share of its path that it has completed in its current direction; 0 if it is
  /// endless.
  package func fractionComplete(at now: MotionInstant) -> Double {
    guard state != .inactive, durationSeconds < .infinity else { return 0 }
    guard durationSeconds > 0 else { return 1 }
    let fraction = place(at: now) / durationSeconds
    return isReversed ? 1 - fraction : fraction
  }

  /// Returns the seconds on its own axis that remain in its current direction.
  package func remainingSeconds(at now: MotionInstant) -> Double {
    let place = place(at: now)
    return isReversed ? place : durationSeconds - place
  }

  /// The time at which it starts to move or ends; nil if it does neither by itself.
  package var nextEvent: MotionInstant? {
    switch state {
    case .inactive, .paused, .stopped: return nil
    case .waiting(_, let start): return start
    case .running(let place, let since):
      if isEmpty { return since }
      return since.adding(seconds: (isReversed ? place : durationSeconds - place) / pace)
    }
  }

  /// Returns the time at which it is at a place or beyond, on its way to its end; nil if it does not move there.
  package func arrival(at goal: Double) -> MotionInstant? {
    guard case .running(let place, let since) = state, !isReversed else { return nil }
    return since.adding(seconds: max(0, goal - place) / pace)
  }

  // MARK: - Transitions

  /// Puts it at its start; at its end if it is reversed.
  package mutating func begin(durationSeconds: Double, isEmpty: Bool) {
    self.durationSeconds = durationSeconds
    self.isEmpty = isEmpty
    state = .paused(place: isReversed && durationSeconds < .infinity ? durationSeconds : 0)
  }

  /// Starts to move if the delay is over.
  package mutating func endDelay(at now: MotionInstant) {
    guard case .waiting(let place, let start) = state, start <= now else { return }
    state = .running(place: place, since: start)
  }

  /// Advances to a time.
  ///
  /// - Returns: Where it has ended, if it has.
  package mutating func advance(to now: MotionInstant) -> AnimationPosition? {
    endDelay(at: now)
    guard case .running = state, let end = nextEvent, end <= now else { return nil }
    if pausesOnCompletion {
      state = .paused(place: isReversed ? 0 : durationSeconds)
      return nil
    }
    return self.end(at: isReversed ? .start : .end)
  }

  /// Starts or resumes it. A running one is not affected; for a waiting one the delay restarts.
  package mutating func start(
    afterSeconds delay: Double, at now: MotionInstant
  ) throws(AnimatorError) {
    switch state {
    case .stopped: throw .isStopped
    case .inactive: throw .isInactive
    case .running: return
    case .waiting, .paused: break
    }
    let place = place(at: now)
    if delay > 0 {
      let start = now.adding(seconds: delay) ?? .distantFuture
      state = .waiting(place: place, start: start)
    } else {
      state = .running(place: place, since: now)
    }
  }

  package mutating func pause(at now: MotionInstant) throws(AnimatorError) {
    switch state {
    case .stopped: throw .isStopped
    case .inactive: throw .isInactive
    case .waiting, .running, .paused: state = .paused(place: place(at: now))
    }
  }

  package mutating func setReversed(
    _ isReversed: Bool, at now: MotionInstant
  ) throws(AnimatorError) {
    if case .stopped = state { throw .isStopped }
    let place = place(at: now)
    self.isReversed = isReversed
    if case .running = state { state = .running(place: place, since: now) }
  }

  /// Sets the speed from now on.
  ///
  /// - Parameter speed: Above 0.
  package mutating func setSpeed(_ speed: Double, at now: MotionInstant) throws(AnimatorError) {
    if case .stopped = state { throw .isStopped }
    let place = place(at: now)
    self.speed = speed
    if case .running = state { state = .running(place: place, since: now) }
  }

  /// Moves a paused animator to a fraction of its path.
  ///
  /// - Parameter fraction: In its current direction, 0...1.
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

  /// Lets the whole path take another time from now on.
  ///
  /// - Parameter seconds: 0 or less: it ends at once.
  package mutating func setDuration(
    seconds: Double, at now: MotionInstant
  ) throws(AnimatorError) {
    if case .stopped = state { throw .isStopped }
    guard durationSeconds < .infinity else { throw .isEndless }
    let place = place(at: now)
    rate = seconds > 0 ? Self.limitedRate(durationSeconds / seconds) : 1e9
    if case .running = state { state = .running(place: place, since: now) }
  }

  /// Neither endless nor instant, whatever was asked for.
  private static func limitedRate(_ rate: Double) -> Double {
    rate > 0 ? min(max(rate, 1e-9), 1e9) : 1e-9
  }

  /// Resumes it with another duration.
  ///
  /// - Parameter durationFactor: The time for the rest, as a multiple of the full duration; 0 keeps
  ///   the remaining time.
  package mutating func `continue`(
    durationFactor factor: Double, at now: MotionInstant
  ) throws(AnimatorError) {
    switch state {
    case .stopped: throw .isStopped
    case .inactive, .waiting, .running: throw .isNotPaused
    case .paused(let place):
      let left = remainingSeconds(at: now)
      if factor.isFinite, factor > 0, left > 0, left < .infinity, durationSeconds < .infinity {
        rate = Self.limitedRate(left / (factor * durationSeconds))
      }
      state = .running(place: place, since: now)
    }
  }

  package mutating func stop(at now: MotionInstant) throws(AnimatorError) {
    if case .inactive = state { throw .isInactive }
    state = .stopped(place: place(at: now))
  }

  package mutating func finish(
    at position: AnimationPosition
  ) throws(AnimatorError) -> AnimationPosition {
    guard case .stopped = state else { throw .isNotStopped }
    return end(at: position)
  }

  /// Ends it from any state.
  package mutating func end(at position: AnimationPosition) -> AnimationPosition {
    state = .inactive
    isReversed = false
    rate = 1
    speed = 1
    return position
  }
}
