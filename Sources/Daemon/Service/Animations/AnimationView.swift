// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxGates
import ParallaxMotion
import ParallaxProtocol

/// How one user sees the animations: their gain, and the share of each stage.
struct AnimationView {
  /// 1, or 0 while the gate hides animations; fades like the gate's gain.
  private(set) var gain: GainFade
  /// 0 for the animations themselves, 1 for their alternatives under reduced motion; blends in between.
  private(set) var reduction: GainFade
  /// Increases with every change of the picture; a subscriber that has this version is up to date.
  private(set) var version: UInt64 = 0
  /// Whether the picture changes as time passes.
  private(set) var isMoving = false
  /// What the animations of all layers add; nil if there are none.
  private(set) var overlay: OffsetOverlay?
  /// The plays whose start was reported to this user, but not yet their end.
  var owed: [UInt64] = []

  private var gainNow: Double
  private var reductionNow: Double

  init(isHidden: Bool, isReduced: Bool, fadeSeconds: Double) {
    gainNow = isHidden ? 0 : 1
    reductionNow = isReduced ? 1 : 0
    gain = GainFade(gain: gainNow, fadeSeconds: fadeSeconds)
    reduction = GainFade(gain: reductionNow, fadeSeconds: fadeSeconds)
  }

  /// Whether reduced motion applies, as in the user's ANIMATION lines.
  var isReduced: Bool { reduction.target == 1 }

  mutating func setFade(seconds: Double) {
    gain.setFade(seconds: seconds)
    reduction.setFade(seconds: seconds)
  }

  /// Follows the gate.
  ///
  /// - Parameter atOnce: Whether to hide without a fade.
  mutating func turn(
    isHidden: Bool, atOnce: Bool, isReduced: Bool, at now: MotionInstant
  ) {
    let target = isHidden ? 0.0 : 1
    if atOnce, isHidden { gain.jump(to: 0) } else { gain.aim(at: target, at: now) }
    reduction.aim(at: isReduced ? 1 : 0, at: now)
  }

  /// Takes note that something other than time has changed the picture.
  mutating func touch() {
    version += 1
  }

  /// Updates the view from the stages at a time.
  mutating func update(
    _ full: AnimationStage, _ reduced: AnimationStage,
    at time: MotionInstant
  ) {
    let wasMoving = isMoving
    gainNow = gain.gain(at: time)
    reductionNow = reduction.gain(at: time)
    isMoving =
      (full.isPresent || reduced.isPresent)
      && (gain.isMoving || reduction.isMoving
        || (gainNow > 0
          && ((reductionNow < 1 && full.isMoving) || (reductionNow > 0 && reduced.isMoving))))
    if wasMoving || isMoving { version += 1 }
    overlay = overlay(ofLayer: nil, full, reduced).map { OffsetOverlay($0.pose, $0.channels) }
  }

  /// Returns what is added to a layer in place of `overlay`; nil if no animation moves that layer alone.
  func overlay(
    ofLayer name: String, _ full: AnimationStage, _ reduced: AnimationStage
  ) -> OffsetOverlay? {
    guard let own = overlay(ofLayer: .some(name), full, reduced) else { return nil }
    guard let all = overlay(ofLayer: nil, full, reduced) else {
      return OffsetOverlay(own.pose, own.channels)
    }
    return OffsetOverlay(own.pose + all.pose - .rest, own.channels)
  }

  private func overlay(
    ofLayer name: String?, _ full: AnimationStage, _ reduced: AnimationStage
  ) -> (pose: Pose, channels: PoseChannels)? {
    let first = reductionNow < 1 ? full.layer(name) : nil
    let second = reductionNow > 0 ? reduced.layer(name) : nil
    guard first != nil || second != nil else { return nil }
    var pose = Pose.rest
    var channels: PoseChannels = []
    if let first {
      pose = pose + (first.pose - .rest) * (gainNow * (1 - reductionNow))
      channels.formUnion(first.channels)
    }
    if let second {
      pose = pose + (second.pose - .rest) * (gainNow * reductionNow)
      channels.formUnion(second.channels)
    }
    return (pose, channels)
  }
}

extension AnimationStage {
  /// Whether it contains any animation.
  var isPresent: Bool { isMoving || !layers.isEmpty }

  /// Whether an animation moves a single layer.
  var movesLayers: Bool {
    layers.contains { $0.name != nil }
  }
}

extension OffsetOverlay {
  init(_ pose: Pose, _ channels: PoseChannels) {
    self.init(
      offset: pose.offset,
      rotationDegrees: channels.isDisjoint(with: .rotation) ? nil : pose.rotationDegrees,
      scale: channels.isDisjoint(with: .scale) ? nil : pose.scale,
      scaleY: channels.isDisjoint(with: .scale) || pose.scaleY == pose.scale ? nil : pose.scaleY,
      opacity: channels.isDisjoint(with: .opacity) ? nil : min(max(pose.opacity, 0), 1))
  }
}
