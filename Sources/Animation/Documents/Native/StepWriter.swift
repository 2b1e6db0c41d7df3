// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxMotion

/// Writes steps and keyframes as `StepReader` reads them.
enum StepWriter {
  static func value(of step: AnimationStep) -> JSONValue {
    let (key, change) = members(of: step.change)
    var object: JSONObject = [key: change]
    object.add("duration", step.durationSeconds.map { .number($0) })
    if step.curve != .ease { object.add("curve", CurveWriter.value(of: step.curve)) }
    return .object(object)
  }

  private static func members(of change: PoseChange) -> (key: String, value: JSONValue) {
    switch change {
    case .moveBy(let px): ("move", ["by": value(of: px)])
    case .moveTo(let px): ("move", ["to": value(of: px)])
    case .rotateBy(let degrees): ("rotate", ["by": .number(degrees)])
    case .rotateTo(let degrees): ("rotate", ["to": .number(degrees)])
    case .pivotBy(let degrees, let anchor):
      ("rotate", ["by": .number(degrees), "anchor": value(of: anchor)])
    case .pivotTo(let degrees, let anchor):
      ("rotate", ["to": .number(degrees), "anchor": value(of: anchor)])
    case .scaleBy(let factor): ("scale", ["by": .number(factor)])
    case .scaleTo(let scale): ("scale", ["to": .number(scale)])
    case .stretchBy(let x, let y): ("scale", ["by": [.number(x), .number(y)]])
    case .stretchTo(let x, let y): ("scale", ["to": [.number(x), .number(y)]])
    case .fadeTo(let opacity): ("fade", ["to": .number(opacity)])
    }
  }

  static func value(of keyframes: Keyframes) throws(JSONShapeError) -> JSONValue {
    var frames: [JSONValue] = []
    for (index, frame) in keyframes.frames.enumerated() {
      frames.append(
        try JSONShapeError.locating(".keyframes[\(index)]") { () throws(JSONShapeError) in
          try value(of: frame)
        })
    }
    return ["keyframes": .array(frames), "duration": .number(keyframes.durationSeconds)]
  }

  private static func value(of frame: Keyframes.Frame) throws(JSONShapeError) -> JSONValue {
    let (pose, channels) = (frame.pose, frame.channels)
    var object: JSONObject = ["at": .number(frame.share)]
    if channels.isSuperset(of: .offset) {
      object.add("move", value(of: pose.offset))
    } else if !channels.isDisjoint(with: .offset) {
      throw JSONShapeError(
        path: "", message: "sets one axis of the offset; a keyframe of a document sets both")
    }
    if channels.contains(.rotation) { object.add("rotate", .number(pose.rotationDegrees)) }
    // `scaleY` alone has no effect.
    if channels.contains(.scale) {
      object.add(
        "scale",
        pose.scale == pose.scaleY
          ? .number(pose.scale) : [.number(pose.scale), .number(pose.scaleY)])
    }
    if channels.contains(.opacity) { object.add("fade", .number(pose.opacity)) }
    if frame.curve != .linear { object.add("curve", CurveWriter.value(of: frame.curve)) }
    return .object(object)
  }

  private static func value(of px: PixelOffset) -> JSONValue { [.number(px.x), .number(px.y)] }
}
