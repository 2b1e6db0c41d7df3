@_exported public import enum ParallaxMotion.Orientation

/// What a subscriber of the stream socket receives: one JSON object a line, told apart by its first
/// key, `class`.
public enum StreamMessage: Equatable, Sendable {
  /// VERSION, the first line on every connection.
  case version(VersionMessage)
  /// DEVICE: what the motion comes from, once on connecting and at every change.
  case device(DeviceMessage)
  /// GATE: whether motion is let through, once on connecting and at every change.
  case gate(GateMessage)
  /// OFFSET: a frame of motion.
  case offset(OffsetMessage)
  /// ANIMATION: a step in the life of an animation.
  case animation(AnimationMessage)
  /// WATCH: the daemon's echo of the WATCH it accepted.
  case watch(WatchMessage)
  /// ERROR: what the daemon could not do.
  case error(ErrorMessage)
}

/// VERSION, the first line on every connection.
public struct VersionMessage: Equatable, Sendable {
  /// `release`: the release of parallaxd, as in `0.1.0`.
  public var release: String
  /// `proto_major`: raised when something is taken away or changes its meaning.
  public var protoMajor: Int
  /// `proto_minor`: raised when something is added.
  public var protoMinor: Int

  /// What this build of the daemon says.
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

/// DEVICE: what the motion comes from and whether it flows.
public struct DeviceMessage: Equatable, Sendable {
  /// How the source is.
  public enum State: String, CaseIterable, Equatable, Sendable {
    /// Samples flow.
    case streaming
    /// Switched off, for nobody is subscribed or every gate is closed.
    case idle
    /// Another program holds it.
    case busy
    /// The daemon may not open it.
    case denied
    /// It was there and has gone.
    case lost
    /// There is no such device.
    case none
    /// A trace has come to its end, or the daemon ends (`reason` is then `shutdown`).
    case ended
  }

  /// `driver`: `iio`, `trace` or `synthetic`.
  public var driver: String
  /// `name`: the device's name, a trace's file name; nil where there is none.
  public var name: String?
  /// `state`: how it is.
  public var state: State
  /// `rate`: samples a second as granted by the device or found in the trace, Hz; nil until known.
  public var rateHertz: Double?
  /// `reason`: why the state is what it is, for a person to read; `shutdown` where the daemon ends.
  public var reason: String?

  /// Creates a DEVICE.
  public init(
    driver: String, name: String?, state: State, rateHertz: Double?, reason: String?
  ) {
    self.driver = driver
    self.name = name
    self.state = state
    self.rateHertz = rateHertz
    self.reason = reason
  }
}

/// GATE: whether motion is let through to this receiver.
public struct GateMessage: Equatable, Sendable {
  /// `open`: the gain is above 0.
  public var open: Bool
  /// `gain`: the gain at the end of the fade that this message announces, 0...1.
  public var gain: Double
  /// `reasons`: why it is not wholly open, as `reduce-motion:portal`; empty where it is.
  public var reasons: [String]

  /// Creates a GATE.
  public init(open: Bool, gain: Double, reasons: [String]) {
    self.open = open
    self.gain = gain
    self.reasons = reasons
  }
}

/// ANIMATION: a step in the life of an animation.
public struct AnimationMessage: Equatable, Sendable {
  /// What happened.
  public enum Event: String, CaseIterable, Equatable, Sendable {
    /// It began.
    case started
    /// One of its steps ended.
    case step
    /// It came to its end.
    case completed
    /// It was stopped before.
    case cancelled
  }
  /// Where the animated values are left.
  public enum Position: String, CaseIterable, Equatable, Sendable {
    /// As before the animation.
    case start
    /// As they were when it stopped.
    case current
    /// As after the animation.
    case end
  }

  /// `id`: the animation's document.
  public var id: String
  /// `event`: what happened.
  public var event: Event
  /// `position`: where it was left; nil for `started` and `step`.
  public var position: Position?

  /// Creates an ANIMATION.
  public init(id: String, event: Event, position: Position?) {
    self.id = id
    self.event = event
    self.position = position
  }
}

/// ERROR: what the daemon could not do, on both sockets.
public struct ErrorMessage: Equatable, Sendable {
  /// What kind of error it is, for programs.
  public enum Code: String, CaseIterable, Equatable, Sendable {
    /// The line is no request, or its values cannot be.
    case badRequest = "bad-request"
    /// The line is longer than is allowed; the connection ends.
    case tooLong = "too-long"
    /// This user may not connect, or may not ask for this.
    case denied
    /// There are as many connections as are allowed.
    case tooMany = "too-many"
    /// The receiver fell too far behind; the connection ends.
    case behind
    /// The configuration is wrong; nothing changed.
    case badConfiguration = "bad-configuration"
    /// No animation has this id.
    case noSuchAnimation = "no-such-animation"
    /// The animation is there and cannot be played.
    case badDocument = "bad-document"
    /// It cannot be done now, as a recording without a source.
    case unavailable
  }

  /// `message`: what, where and what to do, for a person to read.
  public var message: String
  /// `code`: what kind of error it is; nil where it is of none of these.
  public var code: Code?
  /// `details`: one text for each of several errors, as a configuration has them; mostly empty.
  public var details: [String]

  /// Creates an ERROR.
  public init(message: String, code: Code? = nil, details: [String] = []) {
    self.message = message
    self.code = code
    self.details = details
  }
}
