// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// What a hand has done to a run on a stage: the state of a property animator, the curves with which
/// it went on, and what was added to it.
///
/// The pose is a function of the place on the run's own axis alone, as in `PropertyAnimator`: a
/// reversed run retraces its path, also that on which a spring has taken it.
struct RunControl: Sendable {
  private(set) var machine: AnimatorStateMachine
  private var parts: [AnimatorPart]
  /// Where it was let go and took a straight way to its end, newest first.
  private var releases: [Release] = []
  /// The most curves and additions of a run, which bounds its memory.
  private static let maxChanges = 64
  private var changes = 0

  /// Takes hold of a run.
  ///
  /// - Parameters:
  ///   - base: The pose of its layer at its start.
  ///   - place: Where it is, in seconds since its start.
  init(_ timeline: Timeline<Pose>, from base: Pose, place: Double, at now: MotionInstant) {
    let duration = timeline.durationSeconds
    machine = AnimatorStateMachine(durationSeconds: duration, place: place, at: now)
    let timing: AnimatorPart.Timing =
      duration < .infinity
      ? .fitted(AnimatorProgress(from: 0, to: duration, curve: .linear, rate: 1))
      : .natural(begin: 0)
    parts = [AnimatorPart(.timeline(timeline), from: base, timing: timing)]
  }

  // MARK: - Place

  func place(at now: MotionInstant) -> Double { machine.place(at: now) }

  /// Returns what the run adds to the pose of its layer.
  func difference(at now: MotionInstant) -> Pose { difference(at: machine.place(at: now)) }

  private func difference(at place: Double) -> Pose {
    let release = release(at: place)
    var sum = release?.difference(at: place) ?? .zero
    for part in parts.dropFirst(release?.partCount ?? 0) {
      sum = sum + part.difference(at: place) + (part.end - part.start)
    }
    return sum
  }

  /// Returns the change of `difference` per second.
  func velocity(at now: MotionInstant) -> Pose {
    guard case .running = machine.state else { return .zero }
    let place = machine.place(at: now)
    let release = release(at: place)
    var sum = release?.slope(at: place) ?? .zero
    for part in parts.dropFirst(release?.partCount ?? 0) { sum = sum + part.slope(at: place) }
    return sum * (machine.isReversed ? -machine.pace : machine.pace)
  }

  /// Returns the release whose way covers a place.
  private func release(at place: Double) -> Release? {
    releases.first { $0.lower <= place && place <= $0.upper }
  }

  /// What the run has added once it has reached its end.
  var endDifference: Pose { parts[parts.count - 1].end - parts[0].start }

  /// Returns what a run leaves that ends at a position.
  func difference(endedAt position: AnimationPosition, place: Double) -> Pose {
    switch position {
    case .start: .zero
    case .end: endDifference
    case .current: difference(at: place)
    }
  }

  // MARK: - Actions

  /// Moves to a time.
  ///
  /// - Returns: Where the run has ended, if it has.
  mutating func advance(to now: MotionInstant) -> AnimationPosition? { machine.advance(to: now) }

  /// Performs an action.
  ///
  /// - Returns: Where the run has ended, if the action ends it.
  mutating func perform(
    _ action: RunAction, at now: MotionInstant
  ) throws(AnimatorError) -> AnimationPosition? {
    switch action {
    case .pause: try machine.pause(at: now)
    case .resume(let delay): try machine.start(afterSeconds: delay, at: now)
    case .reverse(let isReversed):
      try machine.setReversed(isReversed ?? !machine.isReversed, at: now)
    case .seek(let fraction): try machine.scrub(to: fraction)
    case .speed(let speed): try machine.setSpeed(speed, at: now)
    case .proceed(let way): try proceed(way, at: now)
    case .pausesAtEnd(let pauses): machine.pausesOnCompletion = pauses
    case .stop: try machine.stop(at: now)
    case .finish(let position):
      try machine.stop(at: now)
      return try machine.finish(at: position)
    case .add(let timeline, let delayFactor):
      try add(timeline, delayFactor: delayFactor, at: now)
    }
    return nil
  }

  private mutating func proceed(
    _ way: RunAction.Proceeding, at now: MotionInstant
  ) throws(AnimatorError) {
    try countChange()
    let place = machine.place(at: now)
    let left = machine.remainingSeconds(at: now)
    let from = difference(at: place)
    let to = machine.isReversed ? .zero : endDifference
    let velocity = way.velocity ?? .zero
    var factor = way.durationFactor
    if factor == nil, case .spring(let spring)? = way.curve, machine.durationSeconds > 0 {
      factor =
        spring.restSeconds(distance: from - to, velocity: velocity) / machine.durationSeconds
    }
    try machine.continue(durationFactor: factor ?? 0, at: now)
    guard let curve = way.curve, left > 0, left < .infinity else { return }
    let isSpring = if case .spring = curve { true } else { false }
    guard isSpring || release(at: place) != nil else {
      // Along the path of the animation, as a property animator does.
      for index in parts.indices {
        parts[index].replaceCurve(
          from: place, isReversed: machine.isReversed, curve: curve, rate: machine.rate)
      }
      return
    }
    release(
      Release(
        place: place, isReversed: machine.isReversed, from: from, to: to,
        velocity: velocity * (1 / machine.speed), curve: curve, seconds: left / machine.rate,
        rate: machine.rate, partCount: parts.count))
  }

  /// Adds a way to the end, in place of those ahead.
  private mutating func release(_ new: Release) {
    for index in releases.indices {
      if new.isReversed {
        releases[index].lower = max(releases[index].lower, new.place)
      } else {
        releases[index].upper = min(releases[index].upper, new.place)
      }
    }
    releases.removeAll { $0.lower >= $0.upper }
    releases.insert(new, at: 0)
  }

  private mutating func add(
    _ timeline: Timeline<Pose>, delayFactor: Double, at now: MotionInstant
  ) throws(AnimatorError) {
    if case .stopped = machine.state { throw .isStopped }
    guard timeline.durationSeconds < .infinity, machine.durationSeconds < .infinity else {
      throw .isEndless
    }
    try countChange()
    let place = machine.place(at: now)
    let left = machine.remainingSeconds(at: now)
    let way = machine.isReversed ? -left : left
    let progress = AnimatorProgress(
      from: place + delayFactor * way, to: place + way, curve: .linear, rate: machine.rate)
    parts.append(
      AnimatorPart(
        .timeline(timeline), from: parts[parts.count - 1].end, timing: .fitted(progress)))
  }

  private mutating func countChange() throws(AnimatorError) {
    guard changes < Self.maxChanges else { throw .hasTooManyChanges }
    changes += 1
  }

  /// The parts that were added, for the cost of a frame.
  var addedParts: Int {
    var count = releases.count
    for index in 1..<max(1, parts.count) {
      if case .timeline(let timeline) = parts[index].content { count += timeline.maxRunningParts }
    }
    return count
  }
}

/// A straight way to the end of a run, from where it was let go. With a spring it begins with a velocity
/// and may overshoot.
private struct Release: Sendable {
  /// The places that it covers.
  var lower: Double
  var upper: Double
  /// The place where it begins.
  let place: Double
  let isReversed: Bool
  /// What the run adds to its layer at its begin and at its end.
  let from: Pose
  let to: Pose
  /// Per second.
  let velocity: Pose
  let curve: Curve
  let seconds: Double
  let secondsPerPlace: Double
  /// How many parts of the run it stands for.
  let partCount: Int

  init(
    place: Double, isReversed: Bool, from: Pose, to: Pose, velocity: Pose, curve: Curve,
    seconds: Double, rate: Double, partCount: Int
  ) {
    self.place = place
    self.isReversed = isReversed
    self.from = from
    self.to = to
    self.velocity = velocity
    self.curve = curve
    self.seconds = seconds
    secondsPerPlace = (isReversed ? -1 : 1) / rate
    self.partCount = partCount
    lower = isReversed ? -.infinity : place
    upper = isReversed ? place : .infinity
  }

  func difference(at place: Double) -> Pose {
    let passed = (place - self.place) * secondsPerPlace
    guard passed < seconds else { return to }
    guard case .spring(let spring) = curve else {
      let left = 1 - curve.value(at: passed / seconds, durationSeconds: seconds)
      return to + (from - to) * left
    }
    let transition = spring.transition(passed)
    return to
      + (from - to).combined(with: velocity) {
        transition.apply(distance: $0, velocity: $1).distance
      }
  }

  /// Returns the change per second on the run's axis.
  func slope(at place: Double) -> Pose {
    let passed = (place - self.place) * secondsPerPlace
    guard passed < seconds else { return .zero }
    guard case .spring(let spring) = curve else {
      let slope = curve.velocity(at: passed / seconds, durationSeconds: seconds)
      return (to - from) * (slope * secondsPerPlace)
    }
    let transition = spring.transition(passed)
    return (from - to).combined(with: velocity) {
      transition.apply(distance: $0, velocity: $1).velocity * secondsPerPlace
    }
  }
}
