import ParallaxAnimation
import ParallaxMotion

/// A layer's transform as what it adds to the pose of whatever it plays on: the way from its first
/// position, its rotation, its scale and its opacity.
final class LottieTrack: PoseTrack {
  let durationSeconds: Double
  let channels: PoseChannels

  private let transform: LottieTransform
  private let firstFrame: Double
  private let lastFrame: Double
  private let frameRate: Double
  private let origin: LottieVector
  /// A null object is never drawn: its opacity says nothing.
  private let hasOpacity: Bool

  /// - Parameters:
  ///   - frameRate: frames a second, above 0.
  ///   - lastFrame: not before `firstFrame`.
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
    let way = transform.position.value(at: frame) - origin
    let scale = transform.scale.value(at: frame)
    return Pose(
      offset: PixelOffset(x: way.x, y: way.y),
      rotationDegrees: transform.rotation.value(at: frame).x,
      // A pose has one scale: the mean of the two axes'. 100 % adds nothing.
      scale: (scale.x + scale.y) / 200 - 1,
      opacity: hasOpacity ? transform.opacity.value(at: frame).x / 100 - 1 : 0)
  }

  func velocity(at seconds: Double) -> Pose {
    let frame = frame(at: seconds)
    let way = transform.position.slope(at: frame)
    let scale = transform.scale.slope(at: frame)
    return Pose(
      offset: PixelOffset(x: way.x, y: way.y),
      rotationDegrees: transform.rotation.slope(at: frame).x,
      scale: (scale.x + scale.y) / 200,
      opacity: hasOpacity ? transform.opacity.slope(at: frame).x / 100 : 0) * frameRate
  }

  private func frame(at seconds: Double) -> Double {
    // The end exactly, whatever the division has rounded.
    seconds < durationSeconds ? firstFrame + max(0, seconds) * frameRate : lastFrame
  }
}
