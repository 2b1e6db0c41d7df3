// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase

/// A pose moved by several property animators, like the model and the presentation layer of a UIKit
/// view.
///
/// Animators add up. The pose has a target, which it reaches when all animators have ended; each
/// animator contributes its distance from its own end. Two conflicting animators therefore blend,
/// and one that is reversed while another runs takes back its own part only.
///
/// Confined to one thread. A time that goes back counts as the latest. Animators that run when the pose is released
/// end where they are.
public final class AnimatedPose {
  /// The pose after the end of all animators.
  public private(set) var target: Pose
  /// The animators that have started, oldest first. Those that have ended are removed in one go.
  private var entries: [Entry] = []
  private var endedCount = 0
  private var startedCount = 0
  private(set) var now = MotionInstant.distantPast
  /// No animator starts to move or ends before.
  private var quietUntil = MotionInstant.distantFuture
  private var isAdvancing = false

  private struct Entry {
    let run: AnimatorRun
    /// A run that has ended may start again, in another entry.
    let number: Int

    var isActive: Bool { run.number == number }
  }

  /// Creates a pose without animators.
  public init(_ pose: Pose = .rest) {
    target = pose
  }

  deinit {
    for entry in entries where entry.isActive { entry.run.reportEnd(at: .current) }
  }

  /// Whether an animator moves or waits for its start.
  public var isMoving: Bool { entries.contains { $0.isActive && $0.run.machine.isRunning } }

  /// The number of animators that have started and not ended.
  public var activeCount: Int { entries.count - endedCount }

  /// The next start or end of an animator; nil if there is none.
  public var nextEvent: MotionInstant? {
    var next: MotionInstant?
    for entry in entries where entry.isActive {
      next = MotionInstant.earlier(next, entry.run.nextEvent)
    }
    return next
  }

  /// The pose at the latest time that any call has given. It allocates nothing.
  public var pose: Pose {
    var sum = target
    for entry in entries where entry.isActive { sum = sum + entry.run.difference(at: now) }
    return sum
  }

  /// The change of the pose per second.
  public var velocity: Pose {
    var sum = Pose.zero
    for entry in entries where entry.isActive { sum = sum + entry.run.velocity(at: now) }
    return sum
  }

  /// Moves all animators to a time. Those that end by then call their completions, in the order of
  /// their ends. An animator started by a completion starts at this time.
  public func advance(to time: MotionInstant) {
    now = max(now, time)
    // A completion that calls this again leaves the work to the loop below.
    guard !isAdvancing, quietUntil <= now else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    let limit = Self.maxRestarts + 2 * activeCount
    var changes = 0
    while changes < limit {
      let events = eventsByNow()
      if events.isEmpty { break }
      for (_, run, isLogical) in events where changes < limit {
        // A completion may have changed it.
        let event = isLogical ? run.logicalEnd : run.machine.nextEvent
        guard let event, event <= now else { continue }
        changes += 1
        if isLogical {
          run.reportLogicalEnd()
          continue
        }
        if let position = run.machine.advance(to: now) { settle(run, at: position) }
      }
    }
    quietUntil = nextEvent ?? .distantFuture
  }

  /// Ends all animators where they are.
  public func endWhereItIs(at time: MotionInstant) {
    advance(to: time)
    for entry in entries where entry.isActive {
      entry.run.savePlace(at: now)
      settle(entry.run, at: entry.run.machine.end(at: .current))
    }
  }

  /// The most ends in one call beyond those of the current animators. An animator without a duration that
  /// restarts in its own completion continues at the next call.
  private static let maxRestarts = 1000

  /// Starts the animators whose delay is over, and returns their ends and logical ends by now, in the order of time.
  private func eventsByNow() -> [(time: MotionInstant, run: AnimatorRun, isLogical: Bool)] {
    var events: [(time: MotionInstant, run: AnimatorRun, isLogical: Bool)] = []
    for entry in entries where entry.isActive {
      let run = entry.run
      run.machine.endDelay(at: now)
      if let end = run.logicalEnd, end <= now { events.append((end, run, true)) }
      if let end = run.machine.nextEvent, end <= now { events.append((end, run, false)) }
    }
    // Of those that end at the same time, the oldest is first: the order is stable.
    return events.sorted { $0.time < $1.time }
  }

  // MARK: - For animators

  func add(_ run: AnimatorRun) {
    startedCount += 1
    run.number = startedCount
    entries.append(Entry(run: run, number: startedCount))
  }

  /// Moves to a time after a run has changed.
  func advance(to time: MotionInstant, after run: AnimatorRun) {
    schedule(run)
    advance(to: time)
  }

  /// Waits for the next event of a run, too.
  func schedule(_ run: AnimatorRun) {
    quietUntil = min(quietUntil, run.nextEvent ?? .distantFuture)
  }

  /// Starts an animation from the target of all current ones.
  func begin(_ content: AnimatorContent, timing: AnimatorPart.Timing) -> AnimatorPart {
    let part = AnimatorPart(content, from: target, timing: timing)
    target = part.end
    return part
  }

  /// Ends a run: adds what it leaves to the target and reports the end.
  func settle(_ run: AnimatorRun, at position: AnimationPosition) {
    run.number = nil
    endedCount += 1
    if endedCount > entries.count / 2 {
      entries.removeAll { !$0.isActive }
      endedCount = 0
    }
    target = target + run.difference(whereEndedAt: position, at: now)
    run.reportEnd(at: position)
  }
}
