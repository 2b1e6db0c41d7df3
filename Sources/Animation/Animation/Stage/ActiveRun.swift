// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// A run that has started and not ended.
struct ActiveRun: Sendable {
  let run: StageRun
  let id: String
  /// nil: all layers.
  let layer: String?
  let timeline: Timeline<Pose>
  let start: MotionInstant
  /// The pose of the layer at the start, from which animations to a target start.
  let base: Pose
  /// The motion taken over from the previous run of the same animation.
  var carry: CarriedMotion?
  var reportedSteps = 0
  /// nil until a hand takes hold of it.
  private(set) var control: RunControl?

  init(
    run: StageRun, id: String, layer: String?, timeline: Timeline<Pose>, start: MotionInstant,
    base: Pose,
    carry: CarriedMotion?
  ) {
    self.run = run
    self.id = id
    self.layer = layer
    self.timeline = timeline
    self.start = start
    self.base = base
    self.carry = carry
  }

  /// A spring that was taken over in motion may rest later than the steps of the run that took it over.
  private var durationSeconds: Double {
    max(timeline.durationSeconds, carry?.restSeconds ?? 0)
  }

  /// Returns its place on its own axis: the seconds since its start, unless a hand has moved it.
  private func seconds(_ now: MotionInstant) -> Double {
    control?.place(at: now) ?? max(.zero, now - start).seconds
  }

  /// The state that was reported last.
  private var reportedState: RunState?

  /// Returns the state if its phase, direction or speed has changed since the last call.
  mutating func changedState(at now: MotionInstant) -> RunState? {
    guard let control else { return nil }
    let state = RunState(control.machine, at: now)
    let isNew = !state.hasSameCourse(as: reportedState ?? RunState.untouched)
    reportedState = state
    return isNew ? state : nil
  }

  /// Whether its pose changes with time, or will.
  var isMoving: Bool { control?.machine.isRunning ?? true }

  func state(at now: MotionInstant) -> RunState {
    RunState((control ?? held(at: now)).machine, at: now)
  }

  private func held(at now: MotionInstant) -> RunControl {
    RunControl(timeline, from: base, place: seconds(now), at: now)
  }

  /// Performs an action.
  ///
  /// - Returns: Where the run has ended, if the action ends it.
  mutating func perform(
    _ action: RunAction, at now: MotionInstant
  ) throws(AnimatorError) -> AnimationPosition? {
    var changed = control ?? held(at: now)
    placeAtEnd = changed.place(at: now)
    let ending = try changed.perform(action, at: now)
    control = changed
    return ending
  }

  /// Moves to a time.
  ///
  /// - Returns: Where the run has ended, if it has.
  mutating func advance(to now: MotionInstant) -> AnimationPosition? {
    if control != nil { return control?.advance(to: now) }
    guard let end = start.adding(seconds: durationSeconds), end <= now else { return nil }
    return .end
  }

  /// Where it was when an action ended it.
  private var placeAtEnd = 0.0

  /// Returns what it leaves on its layer.
  func difference(endedAt position: AnimationPosition) -> Pose {
    guard let control else { return endDifference }
    let own = control.difference(endedAt: position, place: placeAtEnd)
    guard position == .current, let carry else { return own }
    return own + carry.difference(at: placeAtEnd)
  }

  /// The most parts that run at the same time.
  var maxRunningParts: Int { timeline.maxRunningParts + (control?.addedParts ?? 0) }

  /// Returns what the run adds to the pose of its layer.
  func difference(at now: MotionInstant) -> Pose {
    let own =
      control?.difference(at: now) ?? timeline.pose(at: seconds(now), from: base) - base
    guard let carry else { return own }
    return own + carry.difference(at: seconds(now))
  }

  /// Returns the change of `difference` per second.
  func velocity(at now: MotionInstant) -> Pose {
    let own = control?.velocity(at: now) ?? timeline.velocity(at: seconds(now), from: base)
    // A run that is held does not carry anything on.
    guard let carry, control == nil else { return own }
    return own + carry.velocity(at: seconds(now))
  }

  var endDifference: Pose { control?.endDifference ?? timeline.end(from: base) - base }

  /// When it ends if nothing else happens; nil: never.
  var end: MotionInstant? {
    guard let control else { return start.adding(seconds: durationSeconds) }
    if case .running = control.machine.state { return control.machine.nextEvent }
    return nil
  }

  /// Returns the time of the next step or end; nil if there is none.
  func nextEvent(after now: MotionInstant) -> MotionInstant? {
    if let control { return nextEvent(of: control, after: now) }
    let end = start.adding(seconds: durationSeconds)
    let step = timeline.nextStepEnd(after: seconds(now) + Self.halfNanosecond)
      .flatMap(start.adding(seconds:))
    guard let end else { return step }
    return min(end, step ?? end)
  }

  private func nextEvent(of control: RunControl, after now: MotionInstant) -> MotionInstant? {
    let event = control.machine.nextEvent
    guard case .running(let place, let since) = control.machine.state, !control.machine.isReversed,
      let step = timeline.nextStepEnd(after: seconds(now) + Self.halfNanosecond)
    else { return event }
    return .earlier(event, since.adding(seconds: (step - place) / control.machine.pace))
  }

  /// Returns the number of steps that have ended.
  func stepsEnded(at now: MotionInstant) -> Int {
    timeline.stepsEnded(at: seconds(now) + Self.halfNanosecond)
  }

  /// Times in seconds come from whole nanoseconds; a step that ends on one has ended there.
  private static let halfNanosecond = 0.5e-9
}

/// The displacement and the velocity of a run at the moment when its animation was started again.
///
/// The new run moves to its targets as if there had been no previous run; this is the difference,
/// which comes to rest like the first step of the new run. So a spring keeps its position and
/// velocity exactly (its equation is linear: the sum of two motions is a motion), and a curve
/// continues from where it is.
struct CarriedMotion: Sendable {
  let difference: Pose
  /// In px, degrees and factors per second.
  let velocity: Pose
  let curve: Curve
  let durationSeconds: Double
  /// The time after which nothing is left of it, in seconds.
  let restSeconds: Double

  init(difference: Pose, velocity: Pose, curve: Curve, durationSeconds: Double) {
    self.difference = difference
    self.velocity = velocity
    self.curve = curve
    self.durationSeconds = durationSeconds
    if case .spring(let spring) = curve {
      restSeconds = spring.restSeconds(distance: difference, velocity: velocity)
    } else {
      restSeconds = durationSeconds
    }
  }

  func difference(at seconds: Double) -> Pose {
    guard case .spring(let spring) = curve else {
      guard durationSeconds > 0, seconds < durationSeconds else { return .zero }
      let progress = curve.value(at: seconds / durationSeconds, durationSeconds: durationSeconds)
      return difference * (1 - progress)
    }
    let transition = spring.transition(seconds)
    return difference.combined(with: velocity) {
      transition.apply(distance: $0, velocity: $1).distance
    }
  }

  func velocity(at seconds: Double) -> Pose {
    guard case .spring(let spring) = curve else {
      guard durationSeconds > 0, seconds < durationSeconds else { return .zero }
      return difference
        * -curve.velocity(at: seconds / durationSeconds, durationSeconds: durationSeconds)
    }
    let transition = spring.transition(seconds)
    return difference.combined(with: velocity) {
      transition.apply(distance: $0, velocity: $1).velocity
    }
  }
}

extension Timeline where Value == Pose {
  /// The first step with a duration. Motion from before comes to rest with its curve.
  var firstStep: (curve: Curve, durationSeconds: Double)? {
    for node in nodes where node.durationSeconds > 0 {
      switch node.kind {
      case .step(let index): return (steps[index].curve, node.durationSeconds)
      case .keyframes, .track: return (.easeInOut, min(node.durationSeconds, 0.25))
      case .delay, .sequence, .parallel, .repeated, .reversed, .autoreversed, .speed: continue
      }
    }
    return nil
  }
}
