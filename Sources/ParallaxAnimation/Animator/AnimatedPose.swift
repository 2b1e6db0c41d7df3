/// A pose that property animators move together: what UIKit has as a view's model and presentation.
///
/// Everything adds. The pose has a target, where it will stand when all that runs has come to its end;
/// what runs adds how far it is from its own end. So two animators in conflict blend, and an animator
/// that is turned round in the middle of another takes back its own part alone.
///
/// Confined to one thread. Times must not go back; one that does counts as the latest.
package final class AnimatedPose {
  /// Where it will stand when all that runs has come to its end.
  package private(set) var target: Pose
  /// What has begun and has not ended, oldest first.
  private var runs: [AnimatorRun] = []
  private(set) var nowNanoseconds = Int64.min
  private var isAdvancing = false

  package init(_ pose: Pose = .rest) {
    target = pose
  }

  /// Whether something moves, or waits to by itself.
  package var isMoving: Bool { runs.contains { $0.machine.isRunning } }

  /// Animators that have begun and have not ended.
  package var activeCount: Int { runs.count }

  /// When the next of them begins to move or ends; nil: nothing happens by itself.
  package var nextEventNanoseconds: Int64? {
    var next: Int64?
    for run in runs {
      guard let event = run.machine.nextEventNanoseconds else { continue }
      next = min(next ?? event, event)
    }
    return next
  }

  /// Where it stands at the time of the last call of `advance`, or of anything that takes a time.
  package var pose: Pose {
    var sum = target
    for index in runs.indices {
      sum = sum + runs[index].difference(atNanoseconds: nowNanoseconds)
    }
    return sum
  }

  /// The pose's change a second.
  package var velocity: Pose {
    var sum = Pose.zero
    for index in runs.indices {
      sum = sum + runs[index].velocity(atNanoseconds: nowNanoseconds)
    }
    return sum
  }

  /// Moves everything to a time. Animators that come to their end by then call their completions, in
  /// the order of their ends; what a completion starts begins at this time.
  package func advance(toNanoseconds now: Int64) {
    nowNanoseconds = max(nowNanoseconds, now)
    // A completion that asks for the same finds the loop below going on behind it.
    if !isAdvancing {
      isAdvancing = true
      defer { isAdvancing = false }
      let limit = Self.anewLimit + 2 * runs.count
      var changes = 0
      while changes < limit, let run = firstToChange() {
        changes += 1
        let ending = run.machine.advance(toNanoseconds: nowNanoseconds)
        if let ending { settle(run, at: ending) }
      }
    }
  }

  /// Beyond what runs already. Whoever begins anew in its own completion, and takes no time, has the
  /// rest of it at the next call.
  private static let anewLimit = 1000

  /// The run that changes its state first, at the latest now.
  private func firstToChange() -> AnimatorRun? {
    var first: AnimatorRun?
    var earliest = Int64.max
    for index in runs.indices {
      guard let event = runs[index].machine.nextEventNanoseconds, event <= nowNanoseconds,
        first == nil || event < earliest
      else { continue }
      first = runs[index]
      earliest = event
    }
    return first
  }

  // -- For animators

  func add(_ run: AnimatorRun) { runs.append(run) }

  /// Begins an animation where all that runs will have gone.
  func begin(_ content: AnimatorContent, timing: AnimatorPart.Timing) -> AnimatorPart {
    let part = AnimatorPart(content, from: target, timing: timing)
    target = part.end
    return part
  }

  /// A run has ended: what it has moved stays where it is now, and it is told.
  func settle(_ run: AnimatorRun, at position: AnimationPosition) {
    runs.removeAll { $0 === run }
    target = target + run.difference(whereEndedAt: position, atNanoseconds: nowNanoseconds)
    run.tell(position)
  }
}
