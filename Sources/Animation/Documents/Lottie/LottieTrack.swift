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
  /// From the frames of the file to those of the layer.
  private let clocks: [LottieClock]
  private let origin: LottieVector
  /// False for a null object, which is never drawn.
  private let hasOpacity: Bool

  /// - Parameters:
  ///   - place: The index of the layer.
  ///   - lastFrame: At least `firstFrame`.
  init(_ file: LottieFile, _ place: Int, from firstFrame: Double, to lastFrame: Double) {
    let layer = file.layers[place]
    frameRate = file.frameRate
    clocks = file.clocks(of: place)
    transform = layer.transform
    hasOpacity = layer.kind != .null
    self.firstFrame = firstFrame
    self.lastFrame = lastFrame
    durationSeconds = (lastFrame - firstFrame) / frameRate
    origin = transform.position.value(at: clocks.frame(at: firstFrame).frame)
    var channels: PoseChannels = []
    if transform.position.moves { channels.formUnion(.offset) }
    if transform.rotation.differs(from: .zero) { channels.formUnion(.rotation) }
    if transform.scale.differs(from: .whole) {
      channels.formUnion(.scale)
      if !transform.scale.isUniform { channels.formUnion(PoseChannels(.scaleY)) }
    }
    if hasOpacity, transform.opacity.differs(from: LottieVector(x: 100, y: 0)) {
      channels.formUnion(.opacity)
    }
    self.channels = channels
  }

  func difference(at seconds: Double) -> Pose {
    let frame = frame(at: seconds).frame
    let delta = transform.position.value(at: frame) - origin
    let scale = transform.scale.value(at: frame)
    return Pose(
      offset: PixelOffset(x: delta.x, y: delta.y),
      rotationDegrees: transform.rotation.value(at: frame).x,
      // 100 % adds nothing.
      scale: scale.x / 100 - 1, scaleY: scale.y / 100 - 1,
      opacity: hasOpacity ? transform.opacity.value(at: frame).x / 100 - 1 : 0)
  }

  func velocity(at seconds: Double) -> Pose {
    let (frame, pace) = frame(at: seconds)
    let delta = transform.position.slope(at: frame)
    let scale = transform.scale.slope(at: frame)
    return Pose(
      offset: PixelOffset(x: delta.x, y: delta.y),
      rotationDegrees: transform.rotation.slope(at: frame).x,
      scale: scale.x / 100, scaleY: scale.y / 100,
      opacity: hasOpacity ? transform.opacity.slope(at: frame).x / 100 : 0) * (pace * frameRate)
  }

  private func frame(at seconds: Double) -> (frame: Double, pace: Double) {
    // Exactly the last frame at the end, in spite of rounding.
    clocks.frame(
      at: seconds < durationSeconds ? firstFrame + max(0, seconds) * frameRate : lastFrame)
  }
}

extension [LottieClock] {
  /// Returns the frame of the innermost composition, and its frames per frame of the file.
  func frame(at outer: Double) -> (frame: Double, pace: Double) {
    var (frame, pace) = (outer, 1.0)
    for clock in self {
      pace *= clock.slope(at: frame)
      frame = clock.frame(at: frame)
    }
    return (frame, pace)
  }
}
