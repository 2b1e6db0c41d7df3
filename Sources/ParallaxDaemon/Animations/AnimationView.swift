import ParallaxAnimation
import ParallaxMotion
import ParallaxWire

/// What one user sees of the animations: how much, and of which stage. The receivers of a uid share it.
struct AnimationView {
  /// 1, or 0 where the gate hides animations; fades between them as the gate's gain does.
  private(set) var gain: GainFade
  /// 0 for the animations themselves, 1 for what plays in place of them under reduce motion; a change
  /// of it is a blend of both.
  private(set) var reduction: GainFade
  /// Raised with everything that changes the picture; a receiver that has seen this one is up to date.
  private(set) var version: UInt64 = 0
  /// Whether the picture will change without anything happening.
  private(set) var isMoving = false
  /// What animations of all layers add; nil: none is there.
  private(set) var overlay: OffsetOverlay?
  /// The plays that this user has been told the start of and not the end.
  var owed: [UInt64] = []

  private var gainNow: Double
  private var reductionNow: Double

  init(isHidden: Bool, isReduced: Bool, fadeSeconds: Double) {
    gainNow = isHidden ? 0 : 1
    reductionNow = isReduced ? 1 : 0
    gain = GainFade(gain: gainNow, fadeSeconds: fadeSeconds)
    reduction = GainFade(gain: reductionNow, fadeSeconds: fadeSeconds)
  }

  /// Whether it is under reduce motion, as its ANIMATION lines have it.
  var isReduced: Bool { reduction.target == 1 }

  mutating func setFade(seconds: Double) {
    gain.setFade(seconds: seconds)
    reduction.setFade(seconds: seconds)
  }

  /// - Parameter atOnce: whether hiding needs no fade.
  mutating func turn(
    isHidden: Bool, atOnce: Bool, isReduced: Bool, atNanoseconds now: Int64
  ) {
    let target = isHidden ? 0.0 : 1
    if atOnce, isHidden { gain.jump(to: 0) } else { gain.aim(at: target, atNanoseconds: now) }
    reduction.aim(at: isReduced ? 1 : 0, atNanoseconds: now)
  }

  /// Something else than time changed the picture.
  mutating func touch() {
    version += 1
  }

  /// Takes the stages as they stand at a time.
  mutating func update(
    _ full: AnimationStage, _ reduced: AnimationStage,
    atNanoseconds time: Int64
  ) {
    let wasMoving = isMoving
    gainNow = gain.gain(atNanoseconds: time)
    reductionNow = reduction.gain(atNanoseconds: time)
    isMoving =
      (full.isPresent || reduced.isPresent)
      && (gain.isMoving || reduction.isMoving
        || (gainNow > 0
          && ((reductionNow < 1 && full.isMoving) || (reductionNow > 0 && reduced.isMoving))))
    if wasMoving || isMoving { version += 1 }
    overlay = overlay(ofLayer: nil, full, reduced).map { OffsetOverlay($0.pose, $0.channels) }
  }

  /// What is added to a layer in place of `overlay`; nil where no animation of its own moves it.
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
  /// Whether it has anything on it.
  var isPresent: Bool { isMoving || !layers.isEmpty }

  /// Whether a layer is moved by something of its own.
  var movesLayers: Bool {
    var index = 0
    while index < layers.count {
      if layers[index].name != nil { return true }
      index += 1
    }
    return false
  }
}

extension OffsetOverlay {
  init(_ pose: Pose, _ channels: PoseChannels) {
    self.init(
      offset: pose.offset,
      rotationDegrees: channels.isDisjoint(with: .rotation) ? nil : pose.rotationDegrees,
      scale: channels.isDisjoint(with: .scale) ? nil : pose.scale,
      opacity: channels.isDisjoint(with: .opacity) ? nil : min(max(pose.opacity, 0), 1))
  }
}
