// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

// Keyframes become segments. Each keyframe has a value `s` and the easing to the next one. In old
// files it also has the value `e` of the next one, and the last keyframe has no value.

extension LottieReader {
  private struct Keyframe {
    var node: JSONNode
    var frame: Double
    var start: LottieVector?
    var end: LottieVector?
    var isHold: Bool
    var easingX: LottieEasing
    var easingY: LottieEasing
    /// The control points of the path to the next keyframe, in px; nil for a straight line.
    var tangents: (out: LottieVector, into: LottieVector)?
  }

  mutating func keyframes(
    _ list: JSONNode, _ shape: Shape
  ) throws(JSONShapeError) -> LottieMotionTrack {
    var segments: [LottieMotionTrack.Segment] = []
    var paths: [SpatialPath] = []
    var first = LottieVector.zero
    var before: Keyframe?
    // The value at the previous keyframe.
    var value = LottieVector.zero
    for node in try list.elements() {
      try count(node)
      let keyframe = try Self.keyframe(node, shape)
      if let before {
        guard keyframe.frame >= before.frame else {
          throw try node.required("t").error(
            "expected at least \(SettingText.text(before.frame)), the frame of the previous keyframe"
          )
        }
        guard let end = before.end ?? keyframe.start ?? (before.isHold ? value : nil) else {
          throw node.error("\"s\" is missing")
        }
        if keyframe.frame > before.frame {
          segments.append(Self.segment(from: before, value, to: end, keyframe.frame, &paths))
        }
        value = keyframe.start ?? end
      } else {
        guard let start = keyframe.start else { throw node.error("\"s\" is missing") }
        first = start
        value = start
      }
      before = keyframe
    }
    return LottieMotionTrack(segments, paths: paths, first: first, last: value)
  }

  private static func segment(
    from keyframe: Keyframe, _ from: LottieVector, to: LottieVector, _ lastFrame: Double,
    _ paths: inout [SpatialPath]
  ) -> LottieMotionTrack.Segment {
    var segment = LottieMotionTrack.Segment(
      firstFrame: keyframe.frame, lastFrame: lastFrame, from: from, to: to,
      easingX: keyframe.easingX, easingY: keyframe.easingY, path: nil)
    guard let tangents = keyframe.tangents else { return segment }
    // Both dimensions share one progress along a path.
    segment.easingY = segment.easingX
    if let path = SpatialPath(from: from, to: to, out: tangents.out, into: tangents.into) {
      segment.path = paths.count
      paths.append(path)
    }
    return segment
  }

  private static func keyframe(_ node: JSONNode, _ shape: Shape) throws(JSONShapeError) -> Keyframe
  {
    let isHold = try flag(node.member("h"))
    var easings = (x: LottieEasing.hold, y: LottieEasing.hold)
    if !isHold { easings = try easing(node) }
    return Keyframe(
      node: node, frame: try Self.frame(node.required("t")), start: try value(node, "s", shape),
      end: try value(node, "e", shape), isHold: isHold, easingX: easings.x, easingY: easings.y,
      tangents: shape != .number && !isHold ? try tangents(node) : nil)
  }

  private static func value(
    _ node: JSONNode, _ key: String, _ shape: Shape
  ) throws(JSONShapeError) -> LottieVector? {
    guard let value = try node.member(key) else { return nil }
    return try vector(value, shape)
  }

  private static func tangents(
    _ node: JSONNode
  ) throws(JSONShapeError) -> (out: LottieVector, into: LottieVector)? {
    let out = try value(node, "to", .pair)
    let into = try value(node, "ti", .pair)
    return out == nil && into == nil ? nil : (out ?? .zero, into ?? .zero)
  }

  /// Without handles, as on a last keyframe, the easing is linear.
  private static func easing(
    _ node: JSONNode
  ) throws(JSONShapeError) -> (x: LottieEasing, y: LottieEasing) {
    guard let out = try node.member("o"), let into = try node.member("i") else {
      return (.linear, .linear)
    }
    let (outX, outY) = (try handle(out, "x"), try handle(out, "y"))
    let (inX, inY) = (try handle(into, "x"), try handle(into, "y"))
    return (
      LottieEasing(outX: outX.x, outY: outY.x, inX: inX.x, inY: inY.x),
      LottieEasing(outX: outX.y, outY: outY.y, inX: inX.y, inY: inY.y)
    )
  }

  /// A handle has one number for all dimensions or one for each.
  private static func handle(
    _ node: JSONNode, _ key: String
  ) throws(JSONShapeError) -> LottieVector {
    let handle = try node.required(key)
    guard case .array(let numbers) = handle.value, numbers.count > 1 else {
      let both = try vector(handle, .number, in: handles).x
      return LottieVector(x: both, y: both)
    }
    return try vector(handle, .pair, in: handles)
  }
}
