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
    case completed(Position)
    case cancelled(Position)
  }

  /// Where the run leaves what it moved.
  package enum Position: Equatable, Sendable {
    /// As it was before.
    case start
    /// Where it is.
    case current
    /// At its end.
    case end
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
