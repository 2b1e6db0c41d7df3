// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase

/// Animates a pose. It can be paused, scrubbed, reversed, continued with another curve, stopped and
/// extended while it runs, like UIViewPropertyAnimator.
///
///     let animator = PropertyAnimator(card, duration: .milliseconds(500), curve: .easeInOut)
///     try animator.add(.moveBy(PixelOffset(x: 12, y: 0)), .fadeTo(0.2))
///     animator.addCompletion { position in ... }
///     try animator.start(at: now)
///
/// Differences: time is an argument; ``scrubsLinearly`` is false unless it is set; and no completion is dropped
/// unless ``stop(withoutFinishing:at:)`` says so.
///
/// Its pose keeps a running animator alive.
public final class PropertyAnimator {
  /// The pose that it moves.
  public let animated: AnimatedPose
  /// In seconds; nil for the duration of the longest content at the start.
  package private(set) var givenDurationSeconds: Double?
  /// The curve for all content; nil: `ease` for changes, none for animations, which have their own curves.
  public let curve: Curve?

  private let run = AnimatorRun()
  /// The additions before the start, each with the share of the duration after which it begins.
  private var pending: [(content: AnimatorContent, delayFactor: Double)] = []

  /// Creates an animator that has not started.
  ///
  /// - Parameters:
  ///   - animated: The pose to move.
  ///   - duration: Duration of the content added before the start. Default: its own. A negative one
  ///     counts as 0.
  ///   - curve: Curve for all content. Default: `ease` for changes, none for animations.
  public convenience init(
    _ animated: AnimatedPose, duration: Duration? = nil, curve: Curve? = nil
  ) {
    self.init(animated, durationSeconds: duration?.inSeconds, curve: curve)
  }

  package init(_ animated: AnimatedPose, durationSeconds: Double?, curve: Curve? = nil) {
    self.animated = animated
    self.curve = curve
    givenDurationSeconds = durationSeconds.map { $0 > 0 ? $0 : 0 }
  }

  // MARK: - State

  /// Whether it is inactive, active or stopped.
  public var phase: AnimatorPhase { run.machine.phase }
  package var state: AnimatorStateMachine.State { run.machine.state }
  /// Whether it moves or waits for its start.
  public var isRunning: Bool { run.machine.isRunning }
  /// Whether it moves toward its start. Reset at its end.
  public var isReversed: Bool { run.machine.isReversed }
  /// The duration; 0 before the start, nil if a part repeats forever.
  public var duration: Duration? {
    durationSeconds < .infinity ? Duration(clampingSeconds: durationSeconds) : nil
  }

  /// In seconds; 0 before the start, `.infinity` if a part repeats forever.
  package var durationSeconds: Double { run.machine.durationSeconds }

  /// Whether it pauses at its end instead of ending, so that it can be reversed. Default: false.
  public var pausesOnCompletion: Bool {
    get { run.machine.pausesOnCompletion }
    set { run.machine.pausesOnCompletion = newValue }
  }

  /// Whether ``scrub(toFraction:at:)`` and ``fractionComplete`` are shares of the way instead of the time: at 0.3, the
  /// pose is at 0.3 of its way, whatever the curve, and goes on with the curve from there. That is UIKit's default.
  /// Content with a delay or with curves of its own keeps them. Default: false.
  public var scrubsLinearly = false

  /// The share of its path that it has completed in its current direction, 0...1; 0 before the start
  /// and if a part repeats forever. While it is paused, ``scrubsLinearly`` applies.
  public var fractionComplete: Double {
    let fraction = run.machine.fractionComplete(at: animated.now)
    guard scrubsLinearly, case .paused = state, let progress = run.progress else { return fraction }
    let share = progress.progress(at: run.machine.place(at: animated.now))
    return isReversed ? 1 - share : share
  }

  // MARK: - Content and completions

  /// Adds changes. In a running animator they take the remaining time.
  ///
  /// - Parameters:
  ///   - changes: Changes, timed by the animator's curve.
  ///   - delayFactor: Share of the time after which they begin, 0...1. Default: 0.
  ///   - now: The time of the call. Default: the latest time that any call has given.
  /// - Throws: `isStopped` if it is stopped.
  public func add(
    _ changes: PoseChange..., delayFactor: Double = 0, at now: MotionInstant? = nil
  ) throws(AnimatorError) {
    for change in changes { try add(.change(change), delayFactor, now) }
  }

  /// Adds an animation, stretched or shortened to the available time.
  ///
  /// - Parameters:
  ///   - animation: An animation with its own steps and curves.
  ///   - delayFactor: Share of the time after which it begins, 0...1. Default: 0.
  ///   - now: The time of the call. Default: the latest time that any call has given.
  /// - Throws: `isStopped` if it is stopped; `isEndless` if the animation repeats forever and has to
  ///   fit into a duration.
  public func add(
    _ animation: Animation, delayFactor: Double = 0, at now: MotionInstant? = nil
  ) throws(AnimatorError) {
    let timeline = Timeline(animation)
    if timeline.durationSeconds == .infinity {
      let available = phase == .inactive ? givenDurationSeconds ?? .infinity : durationSeconds
      guard available == .infinity, !isReversed else { throw .isEndless }
    }
    try add(.timeline(timeline), delayFactor, now)
  }

  /// Adds a completion, called once at the end of the run. One added after the end belongs to the
  /// next run.
  public func addCompletion(_ completion: @escaping (AnimationPosition) -> Void) {
    addCompletion(.removed, completion)
  }

  /// Adds a completion, called once. One added after the end belongs to the next run.
  ///
  /// - Parameters:
  ///   - criteria: When it is called: at the end of the run, or when that is logically complete.
  ///   - completion: Receives `end` at the logical end, otherwise where the run ended.
  public func addCompletion(
    _ criteria: AnimationCompletionCriteria, _ completion: @escaping (AnimationPosition) -> Void
  ) {
    run.addCompletion(criteria, completion)
    if run.number != nil { animated.schedule(run) }
  }

  // MARK: - Control

  /// Sets the duration: before the start, of the content that was added; then, of the whole path from now on.
  ///
  /// - Parameters:
  ///   - duration: A negative one counts as 0.
  ///   - now: The time of the call.
  /// - Throws: `isStopped` if it is stopped; `isEndless` if a part repeats forever.
  public func setDuration(_ duration: Duration, at now: MotionInstant) throws(AnimatorError) {
    let seconds = max(0, duration.inSeconds)
    guard phase != .inactive else {
      givenDurationSeconds = seconds
      return
    }
    try change(at: now) { () throws(AnimatorError) in
      try run.machine.setDuration(seconds: seconds, at: animated.now)
    }
  }

  /// Starts it, or resumes it after a pause.
  ///
  /// - Parameters:
  ///   - delay: Time until it moves. Default: 0.
  ///   - now: The time of the call.
  /// - Throws: `isStopped` if it is stopped.
  public func start(
    after delay: Duration = .zero, at now: MotionInstant
  ) throws(AnimatorError) {
    try change(at: now, beginning: true) { () throws(AnimatorError) in
      try run.machine.start(afterSeconds: delay.inSeconds, at: animated.now)
    }
  }

  /// Pauses it. One that has not started is paused at its start.
  ///
  /// - Throws: `isStopped` if it is stopped.
  public func pause(at now: MotionInstant) throws(AnimatorError) {
    try change(at: now, beginning: true) { () throws(AnimatorError) in
      try run.machine.pause(at: animated.now)
    }
  }

  /// Reverses it along its path. One that has not started will start at its end.
  ///
  /// - Throws: `isStopped` if it is stopped.
  public func setReversed(_ isReversed: Bool, at now: MotionInstant) throws(AnimatorError) {
    try change(at: now) { () throws(AnimatorError) in
      try run.machine.setReversed(isReversed, at: animated.now)
    }
  }

  /// Sets its speed from now on, until it ends.
  ///
  /// - Parameters:
  ///   - speed: 2 takes half the time. 1 unless positive and finite.
  ///   - now: The time of the call.
  /// - Throws: `isStopped` if it is stopped.
  public func setSpeed(_ speed: Double, at now: MotionInstant) throws(AnimatorError) {
    try change(at: now) { () throws(AnimatorError) in
      try run.machine.setSpeed(Animation.validSpeed(speed), at: animated.now)
    }
  }

  /// Moves it to a fraction of its path in its current direction. It must be paused or not started.
  ///
  /// - Parameters:
  ///   - fraction: Clamped to 0...1; a share of the time, unless ``scrubsLinearly`` is set.
  ///   - now: The time of the call.
  /// - Throws: `isStopped`, `isNotPaused` if it waits or runs, `isEndless` if it has no fraction.
  public func scrub(
    toFraction fraction: Double, at now: MotionInstant
  ) throws(AnimatorError) {
    try change(at: now, beginning: true) { () throws(AnimatorError) in
      try run.machine.scrub(to: scrubsLinearly ? timeFraction(ofWay: fraction) : fraction)
    }
  }

  /// Resumes it, optionally with another curve or duration.
  ///
  /// - Parameters:
  ///   - curve: Curve for the rest of the path. Default: unchanged.
  ///   - durationFactor: Time for the rest, as a multiple of the full duration. Default: 0, the
  ///     remaining time.
  ///   - now: The time of the call.
  /// - Throws: `isStopped`; `isNotPaused` unless it is paused.
  public func `continue`(
    curve: Curve? = nil, durationFactor: Double = 0, at now: MotionInstant
  ) throws(AnimatorError) {
    try change(at: now) { () throws(AnimatorError) in
      let place = run.machine.place(at: animated.now)
      try run.machine.continue(durationFactor: durationFactor, at: animated.now)
      guard let curve else { return }
      for index in run.parts.indices {
        run.parts[index].replaceCurve(
          from: place, isReversed: isReversed, curve: curve, rate: run.machine.rate)
      }
    }
  }

  /// Stops it where it is. ``finish(at:at:)`` then decides where it ends.
  ///
  /// - Parameters:
  ///   - withoutFinishing: Whether it ends here instead and forgets its completions, as in UIKit. Default: false.
  ///   - now: The time of the call.
  /// - Throws: `isInactive` if it has not started.
  public func stop(
    withoutFinishing: Bool = false, at now: MotionInstant
  ) throws(AnimatorError) {
    animated.advance(to: now)
    try run.machine.stop(at: animated.now)
    guard withoutFinishing else { return }
    run.savePlace(at: animated.now)
    run.discardCompletions()
    animated.settle(run, at: run.machine.end(at: .current))
  }

  /// Ends a stopped animator at its start, where it is, or at its target.
  ///
  /// - Throws: `isNotStopped` unless it is stopped.
  public func finish(
    at position: AnimationPosition, at now: MotionInstant
  ) throws(AnimatorError) {
    animated.advance(to: now)
    run.savePlace(at: animated.now)
    animated.settle(run, at: try run.machine.finish(at: position))
  }

  /// Ends it in any state, also before its start. A closed gate uses `end`, a cancellation
  /// `current` or `start`.
  public func end(at position: AnimationPosition, at now: MotionInstant) {
    animated.advance(to: now)
    if phase == .inactive { begin() }
    run.savePlace(at: animated.now)
    animated.settle(run, at: run.machine.end(at: position))
  }

  /// Moves to a time, makes a change and moves on, since the change may end it.
  private func change(
    at now: MotionInstant, beginning: Bool = false, _ change: () throws(AnimatorError) -> Void
  ) throws(AnimatorError) {
    animated.advance(to: now)
    if beginning, phase == .inactive { begin() }
    try change()
    animated.advance(to: now, after: run)
  }

  /// Returns the fraction of the time at which a fraction of the way is reached, both in the current direction.
  private func timeFraction(ofWay fraction: Double) -> Double {
    guard let progress = run.progress, durationSeconds > 0, durationSeconds < .infinity else {
      return fraction
    }
    let share = fraction > 0 ? min(fraction, 1) : 0
    let place = progress.place(
      ofProgress: isReversed ? 1 - share : share, in: 0...durationSeconds)
    return isReversed ? 1 - place / durationSeconds : place / durationSeconds
  }

  // MARK: - Fitting content into the duration

  /// Starts everything that was added, at its beginning.
  private func begin() {
    let added = pending
    pending = []
    let duration =
      givenDurationSeconds
      ?? added.reduce(0) { max($0, $1.content.naturalSeconds(curve)) }
    run.machine.begin(durationSeconds: duration, isEmpty: added.isEmpty)
    animated.add(run)
    for addition in added {
      let available = givenDurationSeconds ?? addition.content.naturalSeconds(curve)
      begin(
        addition.content, from: addition.delayFactor * duration,
        to: addition.delayFactor * duration + (1 - addition.delayFactor) * available)
    }
  }

  private func add(
    _ content: AnimatorContent, _ delayFactor: Double, _ now: MotionInstant?
  ) throws(AnimatorError) {
    if let now { animated.advance(to: now) }
    let factor = delayFactor > 0 ? min(delayFactor, 1) : 0
    switch phase {
    case .stopped: throw .isStopped
    case .inactive: pending.append((content, factor))
    case .active:
      let place = run.machine.place(at: animated.now)
      let left = run.machine.remainingSeconds(at: animated.now)
      let way = isReversed ? -left : left
      run.machine.isEmpty = false
      begin(content, from: place + (factor > 0 ? factor * way : 0), to: place + way)
      animated.advance(to: animated.now, after: run)
    }
  }

  private func begin(_ content: AnimatorContent, from begin: Double, to end: Double) {
    var content = content
    var timing = AnimatorPart.Timing.natural(begin: begin < .infinity ? begin : 0)
    if end.isFinite, begin.isFinite {
      timing = .fitted(
        AnimatorProgress(
          from: begin, to: end, curve: content.curve(curve), rate: run.machine.rate))
    } else if case .change(let change) = content {
      // An endless animator has no duration to fit it into.
      content = .timeline(Timeline(Animation.step(AnimationStep(change, curve: curve ?? .ease))))
    }
    run.parts.append(animated.begin(content, timing: timing))
  }
}
