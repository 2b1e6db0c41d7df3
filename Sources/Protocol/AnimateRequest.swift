// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// ANIMATE: changes an animation that plays, or is paused. The daemon answers with ACK and the state,
/// or with ERROR if the state does not allow the action; then nothing has changed.
///
///     {"class":"ANIMATE","id":"drawer","action":"seek","fraction":0.3}
///     {"class":"ANIMATE","id":"drawer","action":"continue","curve":"smooth","velocity":[900,0]}
package struct AnimateRequest: Equatable, Sendable {
  package enum Action: Equatable, Sendable {
    /// Allowed in every state but stopped.
    case pause
    /// Plays on, or begins to play. `delay`: seconds to wait.
    case resume(delaySeconds: Double = 0)
    /// `reversed`: the direction; nil turns it around.
    case reverse(Bool? = nil)
    /// `fraction`: the share of its path in its direction, 0...1. It must be paused.
    case seek(fraction: Double)
    /// `speed`: a multiple of its own, 0.01...100.
    case speed(Double)
    /// Plays on after a pause with another timing.
    case `continue`(Continuation)
    /// Stops it where it is; `finish` then ends it.
    case stop
    /// `position`: where it ends, at once.
    case finish(AnimationMessage.Position)
    /// Adds the motion of another document for the time that is left. `delay_factor`: the share of
    /// that time to wait, 0...1.
    case add(PlayRequest.Subject, delayFactor: Double = 0)
    /// Adds a part to the end of a chain.
    case append(PlayRequest)

    /// The value of `action`.
    package var name: String {
      switch self {
      case .pause: "pause"
      case .resume: "resume"
      case .reverse: "reverse"
      case .seek: "seek"
      case .speed: "speed"
      case .continue: "continue"
      case .stop: "stop"
      case .finish: "finish"
      case .add: "add"
      case .append: "append"
      }
    }

    /// All values of `action`.
    package static let names = [
      "pause", "resume", "reverse", "seek", "speed", "continue", "stop", "finish", "add",
      "append",
    ]
  }

  /// The timing of the rest.
  package struct Continuation: Equatable, Sendable {
    /// `curve`: as JSON text, in the grammar of documents; nil keeps the curve.
    package var curve: String?
    /// `duration_factor`: the time of the rest as a multiple of the duration, 0...1000; nil: what a
    /// spring takes to settle, or else the time that is left.
    package var durationFactor: Double?
    /// `velocity`: of x and y in px/s, then of the rotation in degrees/s and of the scale per second;
    /// needs a spring. nil: that of the curve.
    package var velocity: [Double]?

    package init(
      curve: String? = nil, durationFactor: Double? = nil, velocity: [Double]? = nil
    ) {
      self.curve = curve
      self.durationFactor = durationFactor
      self.velocity = velocity
    }
  }

  /// `id`: as in ANIMATION lines.
  package var id: String
  /// `layer`: nil for those on every layer with that id.
  package var layer: String?
  package var action: Action

  package init(_ id: String, layer: String? = nil, _ action: Action) {
    self.id = id
    self.layer = layer
    self.action = action
  }

  /// The allowed speeds.
  package static let speeds = 0.01...100.0
}

extension OutputBuffer {
  /// Appends the fields of an ANIMATE after its class and tag.
  mutating func appendFields(of animate: AnimateRequest) {
    append(field: "id", text: animate.id)
    append(field: "layer", text: animate.layer)
    append(field: "action", text: animate.action.name)
    switch animate.action {
    case .pause, .stop, .reverse(nil): break
    case .resume(let delay):
      if delay != 0 { append(field: "delay", number: delay) }
    case .reverse(let isReversed?):
      append(field: "reversed")
      append(jsonBool: isReversed)
    case .seek(let fraction): append(field: "fraction", number: fraction)
    case .speed(let speed): append(field: "speed", number: speed)
    case .continue(let way):
      if let curve = way.curve {
        append(field: "curve")
        append(jsonLine: Array(curve.utf8))
      }
      if let factor = way.durationFactor { append(field: "duration_factor", number: factor) }
      if let velocity = way.velocity {
        append(field: "velocity")
        append(byte: UInt8(ascii: "["))
        for (index, value) in velocity.enumerated() {
          if index > 0 { append(byte: UInt8(ascii: ",")) }
          append(jsonNumber: value)
        }
        append(byte: UInt8(ascii: "]"))
      }
    case .finish(let position): append(field: "position", text: position.rawValue)
    case .add(let subject, let factor):
      if factor != 0 { append(field: "delay_factor", number: factor) }
      switch subject {
      case .id(let id): append(field: "document", text: id)
      case .document(let text, _):
        append(field: "document")
        append(jsonLine: text)
      case .text(let text, let file): appendFields(ofText: text, file: file)
      case .chain: break
      }
    case .append(let part):
      append(field: "part")
      appendPart(part)
    }
  }

  private mutating func append(field: StaticString, number: Double) {
    append(field: field)
    append(jsonNumber: number)
  }
}
