// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxDocuments
import ParallaxMotion
import ParallaxProtocol

/// ANIMATE as the daemon reads it.
package struct ParsedAnimateRequest: Sendable {
  enum Action: Sendable {
    case ready(RunAction)
    /// The motion of a document, to be found and read, for the time that is left.
    case add(ParsedPlayRequest, delayFactor: Double)
    /// Another part for the end of a chain.
    case append(ParsedPlayRequest)
  }

  let id: String
  let layer: String?
  let action: Action

  /// Reads an ANIMATE.
  init(_ request: JSONNode) throws(JSONShapeError) {
    id = try request.required("id").string()
    layer = try request.member("layer")?.string()
    let name = try request.required("action")
    switch try name.string() {
    case "pause": action = .ready(.pause)
    case "resume":
      let delay = try request.member("delay")?.number(in: 0...86_400) ?? 0
      action = .ready(.resume(afterSeconds: delay))
    case "reverse": action = .ready(.reverse(try request.member("reversed")?.bool()))
    case "seek": action = .ready(.seek(try request.required("fraction").number(in: 0...1)))
    case "speed":
      action = .ready(.speed(try request.required("speed").number(in: AnimateRequest.speeds)))
    case "continue": action = .ready(.proceed(try Self.proceeding(request)))
    case "stop": action = .ready(.stop)
    case "finish":
      let position: AnimationMessage.Position = try request.member("position")?.choice() ?? .end
      action = .ready(.finish(AnimationPosition(position)))
    case "add":
      action = .add(
        try ParsedPlayRequest(addedBy: request, layer: layer),
        delayFactor: try request.member("delay_factor")?.number(in: 0...1) ?? 0)
    case "append": action = .append(try ParsedPlayRequest(part: request.required("part")))
    case let other:
      throw name.error(
        "unknown action '\(other)'; use \(AnimateRequest.Action.names.joined(separator: ", "))")
    }
  }

  /// The velocities of a flick: x and y in px/s, the rotation in degrees/s, the scale per second.
  private static let velocityRange = -100_000.0...100_000.0

  private static func proceeding(
    _ request: JSONNode
  ) throws(JSONShapeError) -> RunAction.Proceeding {
    var way = RunAction.Proceeding(
      curve: try DocumentReader.curve(of: request),
      durationFactor: try request.member("duration_factor")?.number(in: 0...1000))
    guard let member = try request.member("velocity") else { return way }
    let values = try member.elements()
    guard (2...4).contains(values.count) else {
      throw member.error("expected 2 to 4 numbers: x and y in px/s, degrees/s, scale per second")
    }
    var velocity = Pose.zero
    velocity.offset = PixelOffset(
      x: try values[0].number(in: velocityRange), y: try values[1].number(in: velocityRange))
    if values.count > 2 { velocity.rotationDegrees = try values[2].number(in: velocityRange) }
    if values.count > 3 { velocity.scale = try values[3].number(in: velocityRange) }
    switch way.curve {
    case nil: way.curve = .spring(response: .seconds(0.5), damping: 1)
    case .spring: break
    default: throw member.error("only a spring goes on with a velocity; use one as \"curve\"")
    }
    way.velocity = velocity
    return way
  }
}

extension JSONNode {
  fileprivate func number(in range: ClosedRange<Double>) throws(JSONShapeError) -> Double {
    let value = try number()
    guard range.contains(value) else {
      throw error("\(value) is out of range; use \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }
}

extension AnimationPosition {
  fileprivate init(_ position: AnimationMessage.Position) {
    switch position {
    case .start: self = .start
    case .current: self = .current
    case .end: self = .end
    }
  }
}
