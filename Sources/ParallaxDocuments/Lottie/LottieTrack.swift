// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxMotion

/// The transform of a layer as a difference of poses: the path from its first position, its
/// rotation, its scale and its opacity.
final class LottieTrack: PoseTrack {
  let durationSeconds: Double
  let channels: PoseChannels

  private let transform: LottieTransform
  private let firstFrame: Double
  private let lastFrame: Double
  private let frameRate: Double
  private let origin: LottieVector
  /// False for a null object, which is never drawn.
  private let hasOpacity: Bool

  /// - Parameters:
  ///   - frameRate: Frames per second, above 0.
  ///   - lastFrame: At least `firstFrame`.
  init(_ layer: LottieLayer, frameRate: Double, from firstFrame: Double, to lastFrame: Double) {
    transform = layer.transform
    hasOpacity = layer.kind != .null
    self.frameRate = frameRate
    self.firstFrame = firstFrame
    self.lastFrame = lastFrame
    durationSeconds = (lastFrame - firstFrame) / frameRate
    origin = transform.position.value(at: firstFrame)
    var channels: PoseChannels = []
    if transform.position.moves { channels.formUnion(.offset) }
    if transform.rotation.differs(from: .zero) { channels.formUnion(.rotation) }
    if transform.scale.differs(from: .whole) { channels.formUnion(.scale) }
    if hasOpacity, transform.opacity.differs(from: LottieVector(x: 100, y: 0)) {
      channels.formUnion(.opacity)
    }
    self.channels = channels
  }

  func difference(at seconds: Double) -> Pose {
    let frame = frame(at: seconds)
    let delta = transform.position.value(at: frame) - origin
    let scale = transform.scale.value(at: frame)
    return Pose(
      offset: PixelOffset(x: delta.x, y: delta.y),
      rotationDegrees: transform.rotation.value(at: frame).x,
      // A pose has one scale: the mean of both axes. 100 % adds nothing.
      scale: (scale.x + scale.y) / 200 - 1,
      opacity: hasOpacity ? transform.opacity.value(at: frame).x / 100 - 1 : 0)
  }

  func velocity(at seconds: Double) -> Pose {
    let frame = frame(at: seconds)
    let delta = transform.position.slope(at: frame)
    let scale = transform.scale.slope(at: frame)
    return Pose(
      offset: PixelOffset(x: delta.x, y: delta.y),
      rotationDegrees: transform.rotation.slope(at: frame).x,
      scale: (scale.x + scale.y) / 200,
      opacity: hasOpacity ? transform.opacity.slope(at: frame).x / 100 : 0) * frameRate
  }

  private func frame(at seconds: Double) -> Double {
    // Exactly the last frame at the end, in spite of rounding.
    seconds < durationSeconds ? firstFrame + max(0, seconds) * frameRate : lastFrame
  }
}
