// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase

/// How far an animation is, and where it goes.
public struct AnimationProgress: Equatable, Sendable {
  /// The states of an animation.
  public enum State: String, CaseIterable, Equatable, Sendable {
    /// It begins to move after a delay.
    case waiting
    /// It moves.
    case running
    /// It does not move, and can be moved by hand.
    case paused
    /// It is stopped where it is, and waits for its end.
    case stopped
    /// It has ended.
    case ended
  }

  /// `state`.
  public var state: State
  /// `fraction`: the share of its path that it has completed in its direction, 0...1; 0 if it is
  /// endless.
  public var fraction: Double
  /// `reversed`: whether it moves toward its start.
  public var isReversed: Bool
  /// `speed`: a multiple of its own speed.
  public var speed: Double

  package init(state: State, fraction: Double, isReversed: Bool = false, speed: Double = 1) {
    self.state = state
    self.fraction = fraction
    self.isReversed = isReversed
    self.speed = speed
  }
}

extension AnimationProgress: FieldGroup {
  package static let blank = AnimationProgress(state: .waiting, fraction: 0)

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required("state", &state, .word, "The state of an animation that is changed.")
    try fields.required(
      "fraction", &fraction, .number(decimals: 6, in: 0...1),
      "The fraction of its path that is completed in its direction; 0 if it is endless.")
    try fields.required("reversed", &isReversed, .flag, "Whether it moves toward its start.")
    try fields.required(
      "speed", &speed, .number(decimals: 4, rules: ["exclusiveMinimum": 0]),
      "A factor of its own speed.")
  }
}

/// A part of a chain.
public struct AnimationPart: Equatable, Sendable {
  /// `part`: its number, from 0, over all passes of the chain.
  public var number: Int
  /// `document`: the id of its document.
  public var document: String

  package init(number: Int, document: String) {
    self.number = number
    self.document = document
  }
}

extension AnimationPart: FieldGroup {
  package static let blank = AnimationPart(number: 0, document: "")

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required(
      "part", &number, .integer(), "The number of a part of a chain, from 0, over all passes.")
    try fields.required("document", &document, .text, "The id of that part's document.")
  }
}

/// ANIMATION: the start, a step, a change or the end of an animation.
public struct AnimationMessage: Equatable, Sendable {
  /// The events of an animation.
  public enum Event: String, CaseIterable, Equatable, Sendable {
    /// It has started.
    case started
    /// One of its parts has ended.
    case step
    /// It has been paused, resumed, reversed or stopped, or its speed has changed. Not sent for each
    /// step of a hand that scrubs.
    case changed
    /// A part of a chain has started.
    case partStarted = "part-started"
    /// A part of a chain has ended.
    case partCompleted = "part-completed"
    /// A part of a chain could not be found or read; what was done stands.
    case failed
    /// It has reached its end.
    case completed
    /// It was stopped before its end.
    case cancelled
  }
  /// Where an animation ended.
  public enum Position: String, CaseIterable, Equatable, Sendable {
    /// At the values before the animation.
    case start
    /// At the values of the moment when it stopped.
    case current
    /// At its final values.
    case end
  }

  /// `id`: the id of the animation's document.
  public var id: String
  /// `event`: what happened.
  public var event: Event
  /// `position`: where the animation ended; nil for `started`, `step` and `changed`.
  public var position: Position?
  /// `state`, `fraction`, `reversed` and `speed`; nil unless `event` is `changed`.
  public var progress: AnimationProgress?
  /// `part` and `document`: the part of a chain, counted from 0 over all passes, and the id of its
  /// document; nil unless the event is one of a part.
  public var part: AnimationPart?
  /// `message`: why a chain has failed, as text.
  public var message: String?
  /// `time`: when it happened, on CLOCK_MONOTONIC, as the time of an OFFSET; it may be between two frames. nil: the
  /// daemon is older than protocol 1.7.
  public var time: MotionInstant?

  package init(
    id: String, event: Event, position: Position?, progress: AnimationProgress? = nil,
    part: AnimationPart? = nil, message: String? = nil, time: MotionInstant? = nil
  ) {
    self.time = time
    self.part = part
    self.message = message
    self.id = id
    self.event = event
    self.position = position
    self.progress = progress
  }
}

extension AnimationMessage: ProtocolMessage {
  package static let className = "ANIMATION"
  package static let description =
    "The start, a step, a change or the end of an animation or a chain. On the control socket "
    + "it has the tag of its PLAY."
  package static let blank = AnimationMessage(id: "", event: .started, position: nil)
  package static let rules: JSONObject = [
    "if": [
      "required": ["event"],
      "properties": ["event": ["enum": ["completed", "cancelled", "failed", "part-completed"]]],
    ], "then": ["required": ["position"]],
  ]

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required("id", &id, .text, "The id of the animation's document.")
    try fields.required("event", &event, .word, "What has happened.")
    try fields.optional(
      "position", &position, .word,
      "Where the animation ended, for `completed`, `cancelled` and `failed`.")
    try fields.group(&part, if: "part")
    try fields.group(&progress, if: "state")
    try fields.optional("message", &message, .text, "Why a chain has failed.")
    try fields.optional(
      "time", &time, .seconds,
      "When it happened, in seconds of CLOCK_MONOTONIC; it may be between two frames.")
  }
}
