// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// What can be done to a run on a stage. The states are those of `AnimatorStateMachine`; an action
/// that its state does not allow throws an `AnimatorError` and changes nothing.
package enum RunAction: Sendable {
  /// How a paused run goes on.
  package struct Proceeding: Sendable {
    /// The curve of the rest; nil: unchanged.
    package var curve: Curve?
    /// The time of the rest, as a multiple of the duration; nil: what a spring takes to settle, or
    /// else the time that is left.
    package var durationFactor: Double?
    /// The velocity at which it is let go, per second; nil: that of the curve. Needs a spring.
    package var velocity: Pose?

    package init(
      curve: Curve? = nil, durationFactor: Double? = nil, velocity: Pose? = nil
    ) {
      self.curve = curve
      self.durationFactor = durationFactor
      self.velocity = velocity
    }
  }

  case pause
  /// Starts it, or goes on after a pause. The delay is in seconds.
  case resume(afterSeconds: Double)
  /// Reverses it, or sets its direction.
  case reverse(Bool?)
  /// Moves a paused run to a fraction of its path in its direction, 0...1.
  case seek(Double)
  /// Plays it at a multiple of its speed, above 0.
  case speed(Double)
  /// Goes on after a pause, with another curve, duration or velocity.
  case proceed(Proceeding)
  /// Whether it pauses at its end instead of ending.
  case pausesAtEnd(Bool)
  /// Stops it where it is. Only `finish` follows.
  case stop
  /// Ends it. A run that is not stopped is stopped first.
  case finish(AnimationPosition)
  /// Adds a motion for the time that is left, or its last part: 0...1 is the share to wait.
  case add(Timeline<Pose>, delayFactor: Double)
}

/// The state of a run.
package struct RunState: Equatable, Sendable {
  package enum Phase: String, Equatable, Sendable {
    case waiting, running, paused, stopped
  }

  package var phase: Phase
  /// The share of its path that it has completed in its direction; 0 if it is endless.
  package var fraction: Double
  package var isReversed: Bool
  package var speed: Double

  /// That of a run that no hand has changed.
  static let untouched = RunState(phase: .running, fraction: 0, isReversed: false, speed: 1)

  /// Whether only the fraction differs.
  func hasSameCourse(as other: RunState) -> Bool {
    phase == other.phase && isReversed == other.isReversed && speed == other.speed
  }

  private init(phase: Phase, fraction: Double, isReversed: Bool, speed: Double) {
    self.phase = phase
    self.fraction = fraction
    self.isReversed = isReversed
    self.speed = speed
  }

  init(_ machine: AnimatorStateMachine, at now: MotionInstant) {
    phase =
      switch machine.state {
      case .waiting: .waiting
      case .running: .running
      // A machine that has ended leaves the stage at once.
      case .paused, .inactive: .paused
      case .stopped: .stopped
      }
    fraction = machine.fractionComplete(at: now)
    isReversed = machine.isReversed
    speed = machine.speed
  }
}
