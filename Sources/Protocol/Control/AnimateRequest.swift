// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

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

    /// All values of `action`.
    package static let names = Name.allCases.map(\.rawValue)

    /// The value of `action`.
    fileprivate var name: Name {
      switch self {
      case .pause: .pause
      case .resume: .resume
      case .reverse: .reverse
      case .seek: .seek
      case .speed: .speed
      case .continue: .continue
      case .stop: .stop
      case .finish: .finish
      case .add: .add
      case .append: .append
      }
    }
  }

  fileprivate enum Name: String, CaseIterable, Sendable {
    case pause, resume, reverse, seek, speed, `continue`, stop, finish, add, append
  }

  /// The timing of the rest.
  package struct Continuation: Equatable, Sendable {
    package var curve: JSONValue?
    package var durationFactor: Double?
    package var velocity: [Double]?

    package init(
      curve: JSONValue? = nil, durationFactor: Double? = nil, velocity: [Double]? = nil
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
  /// The velocities of a flick: x and y in px/s, the rotation in degrees/s, the scale per second.
  fileprivate static let velocities = -100_000.0...100_000.0
}

extension AnimateRequest: ProtocolMessage {
  package static let className = "ANIMATE"
  package static let description = "Changes an animation of the same user."
  package static let blank = AnimateRequest("", .pause)
  package static let rules: JSONObject = [
    "if": ["properties": ["action": ["const": "add"]]],
    "then": ["oneOf": [["required": ["document"]], ["required": ["text"]]]],
  ]

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required("id", &id, .text, "The id of the animation, as in ANIMATION lines.")
    try fields.optional(
      "layer", &layer, .text, "Only the animation on this layer. Default: all with that id.")
    var name = action.name
    try fields.required("action", &name, .action, "What to do.")
    var values = ActionFields(action)
    try values.visit(name, &fields)
    action = values.action(name)
  }
}

/// The fields of all actions.
private struct ActionFields {
  var delay = 0.0
  var isReversed: Bool?
  var fraction = 0.0
  var speed = 1.0
  var continuation = AnimateRequest.Continuation()
  var position: AnimationMessage.Position? = .end
  var added = DocumentFields()
  var delayFactor = 0.0
  var part = PlayRequest.blank

  init(_ action: AnimateRequest.Action) {
    switch action {
    case .pause, .stop: break
    case .resume(let seconds): delay = seconds
    case .reverse(let direction): isReversed = direction
    case .seek(let place): fraction = place
    case .speed(let factor): speed = factor
    case .continue(let way): continuation = way
    case .finish(let place): position = place
    case .add(let subject, let factor):
      delayFactor = factor
      added = DocumentFields(subject)
      // The field is either.
      if case .id(let id) = subject { added.document = .string(id) }
      added.id = nil
    case .append(let appended): part = appended
    }
  }

  func action(_ name: AnimateRequest.Name) -> AnimateRequest.Action {
    switch name {
    case .pause: .pause
    case .resume: .resume(delaySeconds: delay)
    case .reverse: .reverse(isReversed)
    case .seek: .seek(fraction: fraction)
    case .speed: .speed(speed)
    case .continue: .continue(continuation)
    case .stop: .stop
    case .finish: .finish(position ?? .end)
    case .add: .add(subject, delayFactor: delayFactor)
    case .append: .append(part)
    }
  }

  private var subject: PlayRequest.Subject {
    if case .string(let id)? = added.document { .id(id) } else { added.subject }
  }

  mutating func visit(
    _ name: AnimateRequest.Name, _ fields: inout some Fields
  ) throws(JSONShapeError) {
    if fields.applies(name, .resume) {
      try fields.optional(
        "delay", &delay, default: 0, .number(in: 0...86_400),
        "For `resume`: seconds to wait. Default 0.")
    }
    if fields.applies(name, .reverse) {
      try fields.optional(
        "reversed", &isReversed, .flag, "For `reverse`: the direction. Default: the other one.")
    }
    if fields.applies(name, .seek) {
      try fields.required(
        "fraction", &fraction, .number(in: 0...1),
        "For `seek`: the fraction of its path, in its direction.")
    }
    if fields.applies(name, .speed) {
      try fields.required(
        "speed", &speed, .number(in: AnimateRequest.speeds),
        "For `speed`: a factor of its own speed.")
    }
    if fields.applies(name, .continue) {
      try fields.optional(
        "curve", &continuation.curve, .json(rules: ["type": ["string", "object"]]),
        "For `continue`: the curve of the rest, as in documents. Default: unchanged; a spring "
          + "if there is a velocity."
      )
      try fields.optional(
        "duration_factor", &continuation.durationFactor, .number(in: 0...1000),
        "For `continue`: the time of the rest, as a factor of the duration. Default: what a "
          + "spring takes to settle, or else the time that is left."
      )
      try fields.optional(
        "velocity", &continuation.velocity, .velocity,
        "For `continue`: the velocity of x and y in px/s, then of the rotation in degrees/s and "
          + "of the scale per second."
      )
    }
    if fields.applies(name, .finish) {
      try fields.optional(
        "position", &position, .word, "For `finish`: where it ends. Default `end`.")
    }
    if fields.applies(name, .add) {
      try fields.optional(
        "delay_factor", &delayFactor, default: 0, .number(in: 0...1),
        "For `add`: the fraction of the time that is left to wait. Default 0.")
      try added.visit(
        &fields, .json(rules: ["type": ["string", "object"]]),
        "For `add`: the id of a document, or the document.")
      if added.document == nil, added.text == nil {
        try fields.fail(at: nil, "\"document\" is missing")
      }
    }
    if fields.applies(name, .append) {
      try fields.required("part", &part, .part, "For `append`: the part.")
    }
  }
}

extension FieldVisitor where Self: ~Copyable {
  fileprivate mutating func applies(
    _ name: AnimateRequest.Name, _ action: AnimateRequest.Name
  ) -> Bool {
    applies(name == action, when: ("action", action.rawValue))
  }
}

extension FieldFormat<AnimateRequest.Name> {
  fileprivate static let action = FieldFormat(
    .words(words),
    read: { (node, _) throws(JSONShapeError) in
      let text = try node.string()
      guard let name = AnimateRequest.Name(rawValue: text) else {
        throw node.error("unknown action '\(text)'; use \(words.joined(separator: ", "))")
      }
      return name
    },
    write: { $1.append(jsonString: $0.rawValue) })
}

extension FieldFormat<[Double]> {
  fileprivate static let velocity = FieldFormat(
    .list(
      of: FieldFormat<Double>.number(in: AnimateRequest.velocities).schema(),
      rules: ["minItems": 2, "maxItems": 4]),
    read: { (node, isStrict) throws(JSONShapeError) in
      guard (2...4).contains(try node.elements().count) else {
        throw node.error("expected 2 to 4 numbers: x and y in px/s, degrees/s, scale per second")
      }
      return try list(of: .number(in: AnimateRequest.velocities)).read(node, isStrict)
    },
    write: { list(of: .number()).write($0, &$1) })
}
