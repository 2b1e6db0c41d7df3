// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
package import ParallaxBase
package import ParallaxProtocol

/// The client that started an animation and receives its events. Implemented by `ControlSession`.
package protocol AnimationOwner: AnyObject {
  var userID: UInt32 { get }
  /// Receives an event.
  ///
  /// - Parameter isOver: Whether it is the last event of that animation.
  func animationChanged(
    _ message: AnimationMessage, tag: RequestTag?, isOver: Bool, at now: MotionInstant)
}

/// How an animation starts.
struct PlayStart {
  /// Whether it, or its alternative, also plays for users under reduced motion.
  var playsReduced = true
  var isDetached = false
  /// The user who may change it; nil: none.
  var uid: UInt32?
  /// Whether it waits at its start.
  var isPaused = false
  var pausesAtEnd = false
}

extension PlayStart {
  init(_ request: PlayRequest, uid: UInt32) {
    self.init(
      isDetached: request.isDetached, uid: uid, isPaused: request.isPaused,
      pausesAtEnd: request.pausesAtEnd)
  }
}

/// A playing animation: its runs on the full stage, and those of its alternative on the stage for reduced
/// motion. The first run is that of its own layer; those on further layers last as long and do as it does, and
/// their events are not reported.
struct Play {
  let number: UInt64
  /// Which part of a chain it is.
  let part: ChainPlace?
  let id: String
  let layer: String?
  let full: [StageRun]
  /// Empty: no alternative plays. Under reduced motion its end is reported only to users who received its
  /// start before.
  let reduced: [StageRun]
  /// nil: detached, it ends with no connection.
  weak var owner: (any AnimationOwner)?
  let tag: RequestTag?
  /// The user who began it; nil: the daemon itself.
  let uid: UInt32?
  /// Whether its start was reported to the owner, but not yet its end.
  var isOwed = false
  /// Its end on each stage; nil while it plays.
  var fullEnd: AnimationMessage?
  var reducedEnd: AnimationMessage?

  var isOver: Bool { fullEnd != nil && reducedEnd != nil }

  func end(isReduced: Bool) -> AnimationMessage? { isReduced ? reducedEnd : fullEnd }
}

extension AnimationMessage {
  /// Returns an event of a part as that of its chain; nil if it has none.
  func ofPart(_ part: AnimationPart, chain id: String) -> AnimationMessage? {
    switch event {
    case .started:
      AnimationMessage(id: id, event: .partStarted, position: nil, part: part, time: time)
    case .completed, .cancelled:
      AnimationMessage(id: id, event: .partCompleted, position: position, part: part, time: time)
    case .step: nil
    case .changed, .partStarted, .partCompleted, .failed:
      AnimationMessage(
        id: id, event: event, position: position, progress: progress, part: part, time: time)
    }
  }

  init(_ report: StageReport) {
    let (id, time) = (report.id, report.time)
    switch report.event {
    case .started: self.init(id: id, event: .started, position: nil, time: time)
    case .step: self.init(id: id, event: .step, position: nil, time: time)
    case .changed(let state):
      self.init(
        id: id, event: .changed, position: nil, progress: AnimationProgress(state), time: time)
    case .completed(let position):
      self.init(id: id, event: .completed, position: Position(position), time: time)
    case .cancelled(let position):
      self.init(id: id, event: .cancelled, position: Position(position), time: time)
    }
  }

  var isEnd: Bool {
    switch event {
    case .started, .step, .changed, .partStarted, .partCompleted: false
    case .completed, .cancelled, .failed: true
    }
  }
}

extension AnimationProgress {
  init(_ state: RunState) {
    let word: State =
      switch state.phase {
      case .waiting: .waiting
      case .running: .running
      case .paused: .paused
      case .stopped: .stopped
      }
    self.init(
      state: word, fraction: state.fraction, isReversed: state.isReversed, speed: state.speed)
  }
}

extension StatusMessage.Animation.State {
  /// - Parameter state: nil after the end.
  init(_ state: RunState?) {
    self =
      switch state?.phase {
      case .waiting, .running: .playing
      case .paused: .paused
      case .stopped: .stopped
      case nil: .ended
      }
  }
}

extension AnimationMessage.Position {
  fileprivate init(_ position: AnimationPosition) {
    switch position {
    case .start: self = .start
    case .current: self = .current
    case .end: self = .end
    }
  }
}
