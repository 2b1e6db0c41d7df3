// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// One run of a property animator, as its pose sees it.
final class AnimatorRun {
  var machine = AnimatorStateMachine()
  var parts: [AnimatorPart] = []
  /// Its number among those that have started; nil unless it is active.
  var number: Int?
  private var completions = CompletionList()
  /// The place before the machine was ended, for a run that ends where it is.
  private var stoppedPlace = 0.0

  func addCompletion(
    _ criteria: AnimationCompletionCriteria, _ completion: @escaping (AnimationPosition) -> Void
  ) {
    completions.add(criteria, completion)
  }

  func discardCompletions() { completions = CompletionList() }

  /// The time at which it is logically complete; nil without a completion for that, or if it does not move to its end.
  var logicalEnd: MotionInstant? {
    guard completions.hasLogical, !parts.isEmpty else { return nil }
    return machine.arrival(at: parts.reduce(0) { max($0, $1.logicalEnd) })
  }

  /// The next start or end, or the logical end.
  var nextEvent: MotionInstant? { MotionInstant.earlier(machine.nextEvent, logicalEnd) }

  /// Calls the completions for the logical end.
  func reportLogicalEnd() { completions.takeLogical().call(.end) }

  /// The progress of its first animation that covers its whole duration; nil if there is none.
  var progress: AnimatorProgress? {
    for part in parts {
      if case .fitted(let progress) = part.timing, progress.hasBegun(at: 0) { return progress }
    }
    return nil
  }

  /// Returns the distance from the end.
  func difference(at now: MotionInstant) -> Pose {
    difference(at: machine.place(at: now))
  }

  /// Returns the distance from the end after the run has ended.
  func difference(whereEndedAt position: AnimationPosition, at now: MotionInstant) -> Pose {
    switch position {
    // Beyond its ends, so that a jump at the very end counts in full or not at all.
    case .start: difference(at: -.infinity)
    case .end: difference(at: .infinity)
    case .current: difference(at: stoppedPlace)
    }
  }

  func velocity(at now: MotionInstant) -> Pose {
    guard case .running = machine.state else { return .zero }
    let place = machine.place(at: now)
    var sum = Pose.zero
    for index in parts.indices { sum = sum + parts[index].slope(at: place) }
    return sum * (machine.isReversed ? -machine.pace : machine.pace)
  }

  private func difference(at place: Double) -> Pose {
    var sum = Pose.zero
    // Without a copy of the part, which is large.
    for index in parts.indices { sum = sum + parts[index].difference(at: place) }
    return sum
  }

  /// Saves the place. Call it before ending the machine where it is.
  func savePlace(at now: MotionInstant) { stoppedPlace = machine.place(at: now) }

  /// Resets the run after its end and calls each completion once. They may start it again.
  func reportEnd(at position: AnimationPosition) {
    let ended = completions.take()
    parts = []
    machine.isEmpty = true
    ended.call(position)
  }
}
