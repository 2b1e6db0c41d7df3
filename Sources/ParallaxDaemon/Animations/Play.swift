// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
package import ParallaxTime
package import ParallaxWire

/// The client that started an animation and receives its events. Implemented by `ControlSession`.
package protocol AnimationOwner: AnyObject {
  var userID: UInt32 { get }
  /// Receives an event.
  ///
  /// - Parameter isOver: Whether it is the last event of that animation.
  func animationChanged(
    _ message: AnimationMessage, tag: RequestTag?, isOver: Bool, at now: MotionInstant)
}

/// A playing animation: its run on the full stage, and that of its alternative on the stage for reduced
/// motion.
struct Play {
  let number: UInt64
  let id: String
  let layer: String?
  let full: StageRun
  /// nil: no alternative plays. Under reduced motion its end is reported only to users who received its
  /// start before.
  let reduced: StageRun?
  /// nil: detached, it ends with no connection.
  weak var owner: (any AnimationOwner)?
  let tag: RequestTag?
  /// Whether its start was reported to the owner, but not yet its end.
  var isOwed = false
  /// Its end on each stage; nil while it plays.
  var fullEnd: AnimationMessage?
  var reducedEnd: AnimationMessage?

  var isOver: Bool { fullEnd != nil && reducedEnd != nil }

  func end(isReduced: Bool) -> AnimationMessage? { isReduced ? reducedEnd : fullEnd }
}

extension AnimationMessage {
  init(_ report: StageReport) {
    switch report.event {
    case .started: self.init(id: report.id, event: .started, position: nil)
    case .step: self.init(id: report.id, event: .step, position: nil)
    case .completed(let position):
      self.init(id: report.id, event: .completed, position: Position(position))
    case .cancelled(let position):
      self.init(id: report.id, event: .cancelled, position: Position(position))
    }
  }

  var isEnd: Bool {
    switch event {
    case .started, .step: false
    case .completed, .cancelled: true
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
