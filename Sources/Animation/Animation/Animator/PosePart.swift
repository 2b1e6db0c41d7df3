// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase

/// An animation of one of several poses, for ``animate(_:at:completion:)``.
public struct PosePart {
  let animated: AnimatedPose
  let animation: Animation
}

extension AnimatedPose {
  /// Returns animations of this pose, which play one after the other.
  public func animation(_ animations: Animation...) -> PosePart {
    PosePart(animated: self, animation: .sequence(animations))
  }

  /// Returns animations of this pose, which play at once.
  public func animation(inParallel animations: Animation...) -> PosePart {
    PosePart(animated: self, animation: .parallel(animations))
  }
}

/// Animates several poses, one after the other.
///
///     try animate(
///       title.animation(.fade(to: 1), .move(by: PixelOffset(x: 0, y: -12))),
///       button.animation(.fade(to: 1)), at: now)
///
/// - Parameters:
///   - parts: What plays, in this order.
///   - now: The time of the call. Each pose needs `advance(to:)` on every frame.
///   - completion: Called once, when all have ended; with `end` if each has reached its end. Default: none.
/// - Throws: `isEndless` if a part before the last one repeats forever. Nothing has started.
public func animate(
  _ parts: PosePart..., at now: MotionInstant,
  completion: @escaping (AnimationPosition) -> Void = { _ in }
) throws(AnimatorError) {
  var starts: [Double] = []
  var seconds = 0.0
  for part in parts {
    guard seconds < .infinity else { throw .isEndless }
    starts.append(seconds)
    seconds += part.animation.durationSeconds
  }
  try start(parts, after: starts, at: now, completion)
}

/// Animates several poses at once.
///
/// - Parameters:
///   - parts: What plays.
///   - now: The time of the call. Each pose needs `advance(to:)` on every frame.
///   - completion: Called once, when all have ended; with `end` if each has reached its end. Default: none.
public func animate(
  inParallel parts: PosePart..., at now: MotionInstant,
  completion: @escaping (AnimationPosition) -> Void = { _ in }
) throws(AnimatorError) {
  try start(parts, after: parts.map { _ in 0 }, at: now, completion)
}

private func start(
  _ parts: [PosePart], after delays: [Double], at now: MotionInstant,
  _ completion: @escaping (AnimationPosition) -> Void
) throws(AnimatorError) {
  guard !parts.isEmpty else { return completion(.end) }
  var left = parts.count
  var ending = AnimationPosition.end
  for (part, delay) in zip(parts, delays) {
    let animator = PropertyAnimator(part.animated)
    try animator.add(part.animation)
    animator.addCompletion { position in
      if position != .end { ending = position }
      left -= 1
      if left == 0 { completion(ending) }
    }
    try animator.start(after: Duration(clampingSeconds: delay), at: now)
  }
}
