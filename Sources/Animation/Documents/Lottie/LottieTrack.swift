// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxMotion

/// The transform that plays for a layer as a difference of poses: the path from its first position in px of
/// the file's composition, and its rotation, scale and opacity, measured from its layout.
final class LottieTrack: PoseTrack {
  let durationSeconds: Double
  let channels: PoseChannels

  private let transform: LottieTransform
  private let layout: LottieLayout
  /// From differences of its position to those in the file's composition.
  private let surroundings: LottieMatrix
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
  /// - Throws: See `LottieFile.surroundings`.
  init(
    _ file: LottieFile, _ place: Int, from firstFrame: Double, to lastFrame: Double
  ) throws(JSONShapeError) {
    frameRate = file.frameRate
    clocks = file.clocks(of: place)
    transform = file.transform(of: place)
    hasOpacity = file.layers[place].kind != .null
    self.firstFrame = firstFrame
    self.lastFrame = lastFrame
    durationSeconds = (lastFrame - firstFrame) / frameRate
    let start = clocks.frame(at: firstFrame).frame
    // Also of a part, the layout is that in the whole file.
    let frames = file.frames(
      of: place, in: min(firstFrame, file.inFrame)...max(lastFrame, file.outFrame))
    layout = transform.layout(in: frames, from: start)
    surroundings = try file.surroundings(of: place)
    origin = transform.position.value(at: start)
    var channels: PoseChannels = []
    if transform.position.moves(in: frames) { channels.formUnion(.offset) }
    if transform.rotation.plays(in: frames, from: .zero) { channels.formUnion(.rotation) }
    if transform.scale.plays(in: frames, from: .whole) {
      channels.formUnion(.scale)
      if !transform.scale.isUniform(layout.scale) { channels.formUnion(PoseChannels(.scaleY)) }
    }
    if hasOpacity, transform.opacity.plays(in: frames, from: LottieVector(x: 100, y: 0)) {
      channels.formUnion(.opacity)
    }
    self.channels = channels
  }

  func difference(at seconds: Double) -> Pose {
    let frame = frame(at: seconds).frame
    let delta = surroundings.applied(
      toDifference: transform.position.value(at: frame) - origin)
    let scale = transform.scale.value(at: frame)
    return Pose(
      offset: PixelOffset(x: delta.x, y: delta.y),
      rotationDegrees: transform.rotation.value(at: frame).x - layout.rotationDegrees,
      scale: Self.growth(scale.x, layout.scale.x), scaleY: Self.growth(scale.y, layout.scale.y),
      opacity: hasOpacity ? Self.growth(transform.opacity.value(at: frame).x, layout.opacity) : 0)
  }

  func velocity(at seconds: Double) -> Pose {
    let (frame, pace) = frame(at: seconds)
    let delta = surroundings.applied(toDifference: transform.position.slope(at: frame))
    let scale = transform.scale.slope(at: frame)
    return Pose(
      offset: PixelOffset(x: delta.x, y: delta.y),
      rotationDegrees: transform.rotation.slope(at: frame).x,
      scale: Self.share(scale.x, layout.scale.x), scaleY: Self.share(scale.y, layout.scale.y),
      opacity: hasOpacity ? Self.share(transform.opacity.slope(at: frame).x, layout.opacity) : 0)
      * (pace * frameRate)
  }

  /// Returns the difference of a factor from 1: 0 at rest, and if it is too small to be seen at rest.
  private static func growth(_ value: Double, _ rest: Double) -> Double {
    rest.magnitude < minRest ? 0 : value / rest - 1
  }

  private static func share(_ value: Double, _ rest: Double) -> Double {
    rest.magnitude < minRest ? 0 : value / rest
  }

  /// In %.
  private static let minRest = 1e-6

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

extension LottieMotionTrack {
  /// Returns whether it changes in a range of frames, or is a parameter that is not neutral.
  fileprivate func plays(in frames: ClosedRange<Double>, from neutral: LottieVector) -> Bool {
    moves(in: frames) || isSlotted && value(at: frames.lowerBound) != neutral
  }
}
