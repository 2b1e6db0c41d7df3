// SPDX-License-Identifier: Apache-2.0

@_exported public import enum ParallaxMotion.Orientation

/// A message on the stream socket: one JSON object per line, whose first field, `class`, gives its
/// type.
public enum StreamMessage: Equatable, Sendable {
  /// VERSION, the first line on every connection.
  case version(VersionMessage)
  /// DEVICE: the state of the source, on connecting and on every change.
  case device(DeviceMessage)
  /// GATE: whether motion passes, on connecting and on every change.
  case gate(GateMessage)
  /// OFFSET: one frame of motion.
  case offset(OffsetMessage)
  /// ANIMATION: the start, a step, a change or the end of an animation.
  case animation(AnimationMessage)
  /// WATCH: the state in effect after an accepted WATCH.
  case watch(WatchMessage)
  /// ERROR: a request that failed, or the reason why the connection ends.
  case error(ErrorMessage)
}

/// VERSION, the first line on every connection.
public struct VersionMessage: Equatable, Sendable {
  /// `release`: the release of parallaxd, such as `0.1.0`.
  public var release: String
  /// `proto_major`: increases when something is removed or changes its meaning.
  public var protoMajor: Int
  /// `proto_minor`: increases when something is added.
  public var protoMinor: Int

  /// The VERSION of this build.
  public static let current = VersionMessage(
    release: ParallaxRelease.version, protoMajor: ParallaxRelease.protocolMajor,
    protoMinor: ParallaxRelease.protocolMinor)

  /// Creates a VERSION.
  public init(release: String, protoMajor: Int, protoMinor: Int) {
    self.release = release
    self.protoMajor = protoMajor
    self.protoMinor = protoMinor
  }
}

/// DEVICE: the source of the motion and its state.
public struct DeviceMessage: Equatable, Sendable {
  /// The state of a source.
  public enum State: String, CaseIterable, Equatable, Sendable {
    /// Samples arrive.
    case streaming
    /// Switched off, because no subscriber needs it: there is none, or every gate is closed.
    case idle
    /// Another program uses it.
    case busy
    /// The daemon lacks permission to open it.
    case denied
    /// It was present and has disappeared.
    case lost
    /// No device was found.
    case none
    /// The end of a trace, or of the daemon (`reason` is then `shutdown`).
    case ended
  }

  /// `driver`: `iio`, `trace` or `synthetic`.
  public var driver: String
  /// `name`: the name of the device or of the trace's file; nil if there is none.
  public var name: String?
  /// `state`: the state of the source. A client reads one that it does not know as `none`, with the word in
  /// `reason`.
  public var state: State
  /// `rate`: samples per second, as granted by the device or found in the trace; nil until known.
  public var rateHertz: Double?
  /// `reason`: the reason for the state, as text; `shutdown` when the daemon ends.
  public var reason: String?
  /// `range_x`: the limits of the motion to the left and to the right, in logical px. A picture needs a
  /// hidden margin of that width, times the depth of its nearest layer. nil from daemons before
  /// protocol 1.3.
  public var rangeX: ClosedRange<Double>?
  /// `range_y`: the limits of the motion up and down, in logical px.
  public var rangeY: ClosedRange<Double>?

  /// Creates a DEVICE.
  public init(
    driver: String, name: String?, state: State, rateHertz: Double?, reason: String?,
    rangeX: ClosedRange<Double>? = nil, rangeY: ClosedRange<Double>? = nil
  ) {
    self.driver = driver
    self.name = name
    self.state = state
    self.rateHertz = rateHertz
    self.reason = reason
    self.rangeX = rangeX
    self.rangeY = rangeY
  }
}

/// GATE: whether motion passes to this subscriber.
public struct GateMessage: Equatable, Sendable {
  /// `open`: the gain is above 0.
  public var open: Bool
  /// `gain`: the gain at the end of the fade that starts now, 0...1.
  public var gain: Double
  /// `reasons`: why the gate is not fully open, such as `reduce-motion:portal`; empty if it is.
  public var reasons: [String]

  /// Creates a GATE.
  public init(open: Bool, gain: Double, reasons: [String]) {
    self.open = open
    self.gain = gain
    self.reasons = reasons
  }
}

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

  /// Creates a progress.
  public init(state: State, fraction: Double, isReversed: Bool = false, speed: Double = 1) {
    self.state = state
    self.fraction = fraction
    self.isReversed = isReversed
    self.speed = speed
  }
}

/// A part of a chain.
public struct AnimationPart: Equatable, Sendable {
  /// `part`: its number, from 0, over all passes of the chain.
  public var number: Int
  /// `document`: the id of its document.
  public var document: String

  /// Creates a part.
  public init(number: Int, document: String) {
    self.number = number
    self.document = document
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

  /// Creates an ANIMATION.
  public init(
    id: String, event: Event, position: Position?, progress: AnimationProgress? = nil,
    part: AnimationPart? = nil, message: String? = nil
  ) {
    self.part = part
    self.message = message
    self.id = id
    self.event = event
    self.position = position
    self.progress = progress
  }
}

/// ERROR: a failure, on both sockets.
public struct ErrorMessage: Equatable, Sendable {
  /// The type of an error, for programs.
  public enum Code: String, CaseIterable, Equatable, Sendable {
    /// A malformed request or an invalid value.
    case badRequest = "bad-request"
    /// The line is too long; the connection ends.
    case tooLong = "too-long"
    /// This user lacks permission to connect or to send this request.
    case denied
    /// A limit on connections or requests is reached; the connection ends.
    case tooMany = "too-many"
    /// Too much is waiting for this client; the connection ends.
    case behind
    /// The configuration is invalid; nothing was changed.
    case badConfiguration = "bad-configuration"
    /// No animation has this id.
    case noSuchAnimation = "no-such-animation"
    /// The animation exists but cannot be played.
    case badDocument = "bad-document"
    /// The daemon does not speak the major version of the protocol that a WATCH states.
    case unsupportedVersion = "unsupported-version"
    /// Not possible at present, such as a recording without a source.
    case unavailable
  }

  /// `message`: what is wrong, where, and what to do, as text.
  public var message: String
  /// `code`: the type of the error; nil if it has none.
  public var code: Code?
  /// `details`: one text per error of a configuration or a setting, without the place in the request;
  /// usually empty.
  public var details: [String]
  /// `key`: the setting that a SET names, if it is refused.
  public var key: String?
  /// `allowed`: the values of that setting, as text; nil if there is no such setting.
  public var allowed: String?

  /// Creates an ERROR.
  public init(
    message: String, code: Code? = nil, details: [String] = [], key: String? = nil,
    allowed: String? = nil
  ) {
    self.message = message
    self.code = code
    self.details = details
    self.key = key
    self.allowed = allowed
  }
}
