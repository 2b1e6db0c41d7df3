/// A run that is under way.
struct StageRunning: Sendable {
  let run: StageRun
  let id: String
  /// nil: all layers.
  let layer: String?
  let timeline: Timeline
  let startNanoseconds: Int64
  /// The layer's pose where it began; what has a target reckons from here.
  let base: Pose
  /// What is left of the run that this one took over from.
  var carry: StageCarry?
  var stepsTold = 0

  private func seconds(_ now: Int64) -> Double {
    Double(max(0, now - startNanoseconds)) * 1e-9
  }

  /// What it adds to the layer's pose.
  func difference(atNanoseconds now: Int64) -> Pose {
    let own = timeline.pose(at: seconds(now), from: base) - base
    guard let carry else { return own }
    return own + carry.difference(at: seconds(now))
  }

  /// The change of that a second.
  func velocity(atNanoseconds now: Int64) -> Pose {
    let own = timeline.velocity(at: seconds(now), from: base)
    guard let carry else { return own }
    return own + carry.velocity(at: seconds(now))
  }

  var endDifference: Pose { timeline.end(from: base) - base }

  /// nil: it has no end.
  var endNanoseconds: Int64? { instant(timeline.durationSeconds) }

  /// When it has something to tell next; nil: never.
  func nextEventNanoseconds(after now: Int64) -> Int64? {
    let step = timeline.nextStepEnd(after: seconds(now) + Self.halfNanosecond).flatMap(instant)
    guard let end = endNanoseconds else { return step }
    return min(end, step ?? end)
  }

  /// How many steps are over.
  func stepsEnded(atNanoseconds now: Int64) -> Int {
    timeline.stepsEnded(at: seconds(now) + Self.halfNanosecond)
  }

  /// Times in seconds are told by whole nanoseconds; a step that ends on one has ended there.
  private static let halfNanosecond = 0.5e-9

  private func instant(_ seconds: Double) -> Int64? {
    let nanoseconds = (seconds * 1e9).rounded()
    guard nanoseconds < 9e18 else { return nil }
    let (sum, overflow) = startNanoseconds.addingReportingOverflow(Int64(nanoseconds))
    return overflow ? nil : sum
  }
}

/// The way and the speed that a run had when the same animation was started anew.
///
/// The new run goes to the same targets as if nothing had been before; this is the difference, which
/// comes to rest as the new run's first step does. So a spring keeps position and velocity exactly (its
/// equation is linear: the sum of two of its motions is one), and a curve goes from where it is.
struct StageCarry: Sendable {
  var difference: Pose
  /// The change a second.
  var velocity: Pose
  var curve: Curve
  var durationSeconds: Double

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

extension Timeline {
  /// The first step that takes time, by which what was before comes to rest.
  var firstStep: (curve: Curve, durationSeconds: Double)? {
    for node in nodes where node.durationSeconds > 0 {
      switch node.kind {
      case .leaf(.step(_, let curve)): return (curve, node.durationSeconds)
      case .leaf(.keyframes), .leaf(.track): return (.easeInOut, min(node.durationSeconds, 0.25))
      case .leaf(.delay), .sequence, .parallel, .repeated, .reversed, .autoreversed, .speed:
        continue
      }
    }
    return nil
  }
}
