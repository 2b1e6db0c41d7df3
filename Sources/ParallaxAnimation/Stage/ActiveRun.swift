// SPDX-License-Identifier: Apache-2.0

import ParallaxTime

/// A run that has started and not ended.
struct ActiveRun: Sendable {
  let run: StageRun
  let id: String
  /// nil: all layers.
  let layer: String?
  let timeline: Timeline
  let start: MotionInstant
  /// The pose of the layer at the start, from which animations to a target start.
  let base: Pose
  /// The motion taken over from the previous run of the same animation.
  var carry: CarriedMotion?
  var reportedSteps = 0

  private func seconds(_ now: MotionInstant) -> Double {
    max(.zero, now - start).seconds
  }

  /// Returns what the run adds to the pose of its layer.
  func difference(at now: MotionInstant) -> Pose {
    let own = timeline.pose(at: seconds(now), from: base) - base
    guard let carry else { return own }
    return own + carry.difference(at: seconds(now))
  }

  /// Returns the change of `difference` per second.
  func velocity(at now: MotionInstant) -> Pose {
    let own = timeline.velocity(at: seconds(now), from: base)
    guard let carry else { return own }
    return own + carry.velocity(at: seconds(now))
  }

  var endDifference: Pose { timeline.end(from: base) - base }

  /// nil: the run has no end.
  var end: MotionInstant? { start.adding(seconds: timeline.durationSeconds) }

  /// Returns the time of the next step or end; nil if there is none.
  func nextEvent(after now: MotionInstant) -> MotionInstant? {
    let step = timeline.nextStepEnd(after: seconds(now) + Self.halfNanosecond)
      .flatMap(start.adding(seconds:))
    guard let end else { return step }
    return min(end, step ?? end)
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
  var difference: Pose
  /// In px, degrees and factors per second.
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
  /// The first step with a duration. Motion from before comes to rest with its curve.
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
