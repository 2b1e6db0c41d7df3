/// One playing of an animation on a stage.
package struct StageRun: Hashable, Sendable {
  let number: UInt64
}

/// What became of a run.
package struct StageReport: Equatable, Sendable {
  package enum Event: Equatable, Sendable {
    case started
    /// One of the outermost steps ended; of several within one frame only the last is told.
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
