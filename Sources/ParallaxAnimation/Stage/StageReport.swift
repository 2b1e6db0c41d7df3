// SPDX-License-Identifier: Apache-2.0

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
    case completed(AnimationPosition)
    case cancelled(AnimationPosition)
  }

  package var run: StageRun
  package var id: String
  package var event: Event

  package init(run: StageRun, id: String, event: Event) {
    self.run = run
    self.id = id
    self.event = event
  }
}
