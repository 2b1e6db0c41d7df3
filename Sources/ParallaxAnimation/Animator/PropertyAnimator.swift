/// Animates a pose and can be paused, scrubbed, turned round, continued otherwise, stopped and added to
/// while it runs, as UIViewPropertyAnimator does.
///
///     let animator = PropertyAnimator(card, durationSeconds: 0.5, curve: .easeInOut)
///     try animator.add(.moveBy(PixelOffset(x: 12, y: 0)), .fadeTo(0.2))
///     animator.addCompletion { position in ... }
///     try animator.start(atNanoseconds: now)
///
/// Different from it: time is an argument; scrubbing goes along the curve (`scrubsLinearly` false), so
/// that nothing jumps; and no completion is ever dropped: what ends at all tells where.
///
/// A running animator lives on without whoever made it, in its pose.
package final class PropertyAnimator {
  package let animated: AnimatedPose
  /// s; nil: as long as the longest of what it has when it begins, each as long as it says itself.
  package let givenDurationSeconds: Double?
  /// nil: changes ease, animations go by their own curves alone.
  package let curve: Curve?

  private let run = AnimatorRun()
  /// Added before it began: what, and after which share of the time.
  private var pending: [(content: AnimatorContent, delayFactor: Double)] = []

  /// - Parameters:
  ///   - animated: what it moves.
  ///   - durationSeconds: of what is added before it begins. Default: as long as that lasts itself.
  ///   - curve: how all that is added is paced. Default: `ease` for changes, none for animations.
  package init(_ animated: AnimatedPose, durationSeconds: Double? = nil, curve: Curve? = nil) {
    self.animated = animated
    self.curve = curve
    givenDurationSeconds = durationSeconds.map { $0 > 0 ? $0 : 0 }
  }

  // -- What is asked of it

  package var phase: AnimatorMachine.Phase { run.machine.phase }
  package var state: AnimatorMachine.State { run.machine.state }
  /// Moves, or waits for the time when it does.
  package var isRunning: Bool { run.machine.isRunning }
  package var isReversed: Bool { run.machine.isReversed }
  /// s, once it has begun.
  package var durationSeconds: Double { run.machine.durationSeconds }

  /// At its end it pauses instead of ending, so that it can be turned round. Default: false.
  package var pausesOnCompletion: Bool {
    get { run.machine.pausesOnCompletion }
    set { run.machine.pausesOnCompletion = newValue }
  }

  /// The share of the way that is behind it, in the direction in which it goes.
  package var fractionComplete: Double {
    run.machine.fractionComplete(atNanoseconds: animated.nowNanoseconds)
  }

  // -- What it moves, and whom it tells

  /// Adds changes, one on top of the other. To a running animator: they take the time that is left.
  ///
  /// - Parameter delayFactor: the share of that time after which they begin, 0...1. Default: 0.
  package func add(
    _ changes: AnimationStep.Change..., delayFactor: Double = 0, atNanoseconds now: Int64? = nil
  ) throws(AnimatorError) {
    for change in changes { try add(.change(change), delayFactor, now) }
  }

  /// Adds an animation as a whole, stretched or shortened to the time that there is.
  package func add(
    _ animation: Animation, delayFactor: Double = 0, atNanoseconds now: Int64? = nil
  ) throws(AnimatorError) {
    let timeline = Timeline(animation)
    if timeline.durationSeconds == .infinity {
      let room = phase == .inactive ? givenDurationSeconds ?? .infinity : durationSeconds
      guard room == .infinity, !isReversed else { throw .isEndless }
    }
    try add(.timeline(timeline), delayFactor, now)
  }

  /// Called once, when it has ended, with where. Those added afterwards belong to its next run.
  package func addCompletion(_ completion: @escaping (AnimationPosition) -> Void) {
    run.addCompletion(completion)
  }

  // -- What is done with it

  /// Begins, or goes on from where it was paused, which is no beginning.
  package func start(
    afterSeconds delay: Double = 0, atNanoseconds now: Int64
  ) throws(AnimatorError) {
    animated.advance(toNanoseconds: now)
    if phase == .inactive { begin() }
    try run.machine.start(afterSeconds: delay, atNanoseconds: animated.nowNanoseconds)
    animated.advance(toNanoseconds: now)
  }

  /// Stands where it is; begins, standing, where it had not begun.
  package func pause(atNanoseconds now: Int64) throws(AnimatorError) {
    animated.advance(toNanoseconds: now)
    if phase == .inactive { begin() }
    try run.machine.pause(atNanoseconds: animated.nowNanoseconds)
    animated.advance(toNanoseconds: now)
  }

  /// Turns round, along the way that it came. Before it begins: it begins at its end.
  package func setReversed(_ isReversed: Bool, atNanoseconds now: Int64) throws(AnimatorError) {
    animated.advance(toNanoseconds: now)
    try run.machine.setReversed(isReversed, atNanoseconds: animated.nowNanoseconds)
    animated.advance(toNanoseconds: now)
  }

  /// Puts it to a share of its way, in the direction in which it goes; paused, or not begun.
  package func scrub(
    toFraction fraction: Double, atNanoseconds now: Int64
  ) throws(AnimatorError) {
    animated.advance(toNanoseconds: now)
    if phase == .inactive { begin() }
    try run.machine.scrub(to: fraction)
    animated.advance(toNanoseconds: now)
  }

  /// Goes on from a pause, in another time or by another curve.
  ///
  /// - Parameters:
  ///   - curve: from where it is to the end to which it goes. Default: goes on as it was.
  ///   - durationFactor: what is left takes so many of its durations. Default, 0: the time that is left.
  package func `continue`(
    curve: Curve? = nil, durationFactor: Double = 0, atNanoseconds now: Int64
  ) throws(AnimatorError) {
    animated.advance(toNanoseconds: now)
    let place = run.machine.place(atNanoseconds: animated.nowNanoseconds)
    try run.machine.continue(
      durationFactor: durationFactor, atNanoseconds: animated.nowNanoseconds)
    if let curve {
      for index in run.parts.indices {
        run.parts[index].pace(
          from: place, isReversed: isReversed, curve: curve, rate: run.machine.rate)
      }
    }
    animated.advance(toNanoseconds: now)
  }

  /// Stands where it is for good; `finish(at:)` says what becomes of it.
  package func stop(atNanoseconds now: Int64) throws(AnimatorError) {
    animated.advance(toNanoseconds: now)
    try run.machine.stop(atNanoseconds: animated.nowNanoseconds)
  }

  /// Ends what was stopped: as it was before, where it is, or where it was to go.
  package func finish(
    at position: AnimationPosition, atNanoseconds now: Int64
  ) throws(AnimatorError) {
    animated.advance(toNanoseconds: now)
    run.keepPlace(atNanoseconds: animated.nowNanoseconds)
    animated.settle(run, at: try run.machine.finish(at: position))
  }

  /// Ends it whatever it does, also where it has not begun: what a closed gate does (`end`), or
  /// whoever cancels it (`current`, `start`).
  package func end(at position: AnimationPosition, atNanoseconds now: Int64) {
    animated.advance(toNanoseconds: now)
    if phase == .inactive { begin() }
    run.keepPlace(atNanoseconds: animated.nowNanoseconds)
    animated.settle(run, at: run.machine.end(at: position))
  }

  // -- Fitting things into the time

  /// What was added begins: all of it stands at its beginning.
  private func begin() {
    let added = pending
    pending = []
    let natural = added.map { $0.content.naturalSeconds(curve) }
    let duration = givenDurationSeconds ?? natural.max() ?? 0
    run.machine.begin(durationSeconds: duration, isEmpty: added.isEmpty)
    animated.add(run)
    for (index, addition) in added.enumerated() {
      let room = givenDurationSeconds ?? natural[index]
      begin(
        addition.content, from: addition.delayFactor * duration,
        to: addition.delayFactor * duration + (1 - addition.delayFactor) * room)
    }
  }

  private func add(
    _ content: AnimatorContent, _ delayFactor: Double, _ now: Int64?
  ) throws(AnimatorError) {
    if let now { animated.advance(toNanoseconds: now) }
    let factor = delayFactor > 0 ? min(delayFactor, 1) : 0
    switch phase {
    case .stopped: throw .isStopped
    case .inactive: pending.append((content, factor))
    case .active:
      let place = run.machine.place(atNanoseconds: animated.nowNanoseconds)
      let left = run.machine.remainingSeconds(atNanoseconds: animated.nowNanoseconds)
      let way = isReversed ? -left : left
      run.machine.isEmpty = false
      begin(content, from: place + (factor > 0 ? factor * way : 0), to: place + way)
      animated.advance(toNanoseconds: animated.nowNanoseconds)
    }
  }

  private func begin(_ content: AnimatorContent, from begin: Double, to end: Double) {
    var content = content
    var timing = AnimatorPart.Timing.natural(begin: begin < .infinity ? begin : 0)
    if end.isFinite, begin.isFinite {
      timing = .paced(
        AnimatorPacing(
          from: begin, to: end, curve: content.curve(curve), rate: run.machine.rate))
    } else if case .change(let change) = content {
      // Beside something endless there is nothing to fit it into.
      content = .timeline(Timeline(.step(AnimationStep(change, curve: curve ?? .ease))))
    }
    run.parts.append(animated.begin(content, timing: timing))
  }
}
