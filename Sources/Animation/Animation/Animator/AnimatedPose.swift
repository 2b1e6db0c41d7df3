// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase

/// A pose moved by several property animators, like the model and the presentation layer of a UIKit
/// view.
///
/// Animators add up. The pose has a target, which it reaches when all animators have ended; each
/// animator contributes its distance from its own end. Two conflicting animators therefore blend,
/// and one that is reversed while another runs takes back its own part only.
///
/// Confined to one thread. A time that goes back counts as the latest.
public final class AnimatedPose {
  /// The pose after the end of all animators.
  public private(set) var target: Pose
  /// The animators that have started and not ended, oldest first.
  private var runs: [AnimatorRun] = []
  private(set) var now = MotionInstant.distantPast
  private var isAdvancing = false

  /// Creates a pose without animators.
  public init(_ pose: Pose = .rest) {
    target = pose
  }

  /// Whether an animator moves or waits for its start.
  public var isMoving: Bool { runs.contains { $0.machine.isRunning } }

  /// The number of animators that have started and not ended.
  public var activeCount: Int { runs.count }

  /// The next start or end of an animator; nil if there is none.
  public var nextEvent: MotionInstant? {
    var next: MotionInstant?
    for run in runs { next = MotionInstant.earlier(next, run.machine.nextEvent) }
    return next
  }

  /// The pose at the latest time that any call has given. It allocates nothing.
  public var pose: Pose {
    var sum = target
    for index in runs.indices {
      sum = sum + runs[index].difference(at: now)
    }
    return sum
  }

  /// The change of the pose per second.
  public var velocity: Pose {
    var sum = Pose.zero
    for index in runs.indices {
      sum = sum + runs[index].velocity(at: now)
    }
    return sum
  }

  /// Moves all animators to a time. Those that end by then call their completions, in the order of
  /// their ends. An animator started by a completion starts at this time.
  public func advance(to time: MotionInstant) {
    now = max(now, time)
    // A completion that calls this again leaves the work to the loop below.
    if !isAdvancing {
      isAdvancing = true
      defer { isAdvancing = false }
      let limit = Self.maxRestarts + 2 * runs.count
      var changes = 0
      while changes < limit, let run = firstToChange() {
        changes += 1
        let ending = run.machine.advance(to: now)
        if let ending { settle(run, at: ending) }
      }
    }
  }

  /// The most state changes in one call beyond those of the current animators. An animator without
  /// a duration that restarts in its own completion continues at the next call.
  private static let maxRestarts = 1000

  /// Returns the run that changes its state first, if that is not after `now`.
  private func firstToChange() -> AnimatorRun? {
    var first: AnimatorRun?
    var earliest = MotionInstant.distantFuture
    for index in runs.indices {
      guard let event = runs[index].machine.nextEvent, event <= now,
        first == nil || event < earliest
      else { continue }
      first = runs[index]
      earliest = event
    }
    return first
  }

  // MARK: - For animators

  func add(_ run: AnimatorRun) { runs.append(run) }

  /// Starts an animation from the target of all current ones.
  func begin(_ content: AnimatorContent, timing: AnimatorPart.Timing) -> AnimatorPart {
    let part = AnimatorPart(content, from: target, timing: timing)
    target = part.end
    return part
  }

  /// Ends a run: adds what it leaves to the target and reports the end.
  func settle(_ run: AnimatorRun, at position: AnimationPosition) {
    runs.removeAll { $0 === run }
    target = target + run.difference(whereEndedAt: position, at: now)
    run.reportEnd(at: position)
  }
}
