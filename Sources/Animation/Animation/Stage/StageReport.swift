// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// Identifies one run of an animation on a stage.
package struct StageRun: Hashable, Sendable {
  let number: UInt64
}

/// An event in a run.
package struct StageReport: Equatable, Sendable {
  package enum Event: Equatable, Sendable {
    case started
    /// At least one of the outermost steps has ended. Several within one frame make one event.
    case step
    /// Its phase, direction or speed has changed.
    case changed(RunState)
    case completed(AnimationPosition)
    case cancelled(AnimationPosition)
  }

  package var run: StageRun
  package var id: String
  package var event: Event
  /// When it happened: for an end, the instant itself, which may lie between two frames.
  package var time: MotionInstant

  package init(run: StageRun, id: String, event: Event, time: MotionInstant) {
    self.run = run
    self.id = id
    self.event = event
    self.time = time
  }

  /// The id of an animation without the number of a run that plays beside others of it, `tour` for
  /// `tour#2`.
  package static func publicID(_ id: String) -> String {
    guard let mark = id.lastIndex(of: "#") else { return id }
    return String(id[..<mark])
  }
}
