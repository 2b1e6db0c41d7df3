import ParallaxAnimation
package import ParallaxWire

/// Who began an animation and wants to hear of it. `ControlClient` is the one there is.
package protocol AnimationOwner: AnyObject {
  var userID: UInt32 { get }
  /// - Parameter isOver: it was the last word on that animation.
  func animationChanged(
    _ message: AnimationMessage, tag: RequestTag?, isOver: Bool, atNanoseconds now: Int64)
}

/// An animation that plays: on the stage for everybody, and what plays in its place on the one for who
/// wants less motion.
struct Play {
  let number: UInt64
  let id: String
  let layer: String?
  let full: StageRun
  /// nil: nothing plays in its place, and nobody there hears of it but who heard its start before.
  let reduced: StageRun?
  /// nil: nobody; it plays on by itself.
  weak var owner: (any AnimationOwner)?
  let tag: RequestTag?
  /// Whether the owner has been told the start and not the end.
  var isOwed = false
  /// How it ended on either stage; nil: it has not.
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
