import ParallaxMotion

/// What runs that are over have left on a layer.
struct StageLeft: Sendable {
  /// nil: of several animations, when there came to be too many.
  let id: String?
  let layer: String?
  var difference: Pose
  var channels: PoseChannels
}

/// A difference that is on its way to nothing.
struct StageFading: Sendable {
  let layer: String?
  let difference: Pose
  let channels: PoseChannels
  /// Until then it stands; then it eases to nothing.
  let sinceNanoseconds: Int64
  let durationNanoseconds: Int64

  var endNanoseconds: Int64 { sinceNanoseconds + durationNanoseconds }

  func difference(atNanoseconds now: Int64) -> Pose {
    if now <= sinceNanoseconds { return difference }
    if now >= endNanoseconds { return .zero }
    let share = Double(now - sinceNanoseconds) / Double(durationNanoseconds)
    return difference * (1 - CubicBezier.easeInOut.value(at: share))
  }
}

/// How a layer stands.
package struct StageLayer: Equatable, Sendable {
  /// nil: what moves all layers alike.
  package let name: String?
  package internal(set) var pose: Pose
  /// What something drives or has left; the other numbers of the pose are at rest.
  package internal(set) var channels: PoseChannels
}
