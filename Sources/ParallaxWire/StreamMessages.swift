public import ParallaxMotion

/// What a subscriber of the stream socket receives, one JSON object a line.
public enum StreamMessage: Equatable, Sendable {
  case version(VersionMessage)
  case device(DeviceMessage)
  case gate(GateMessage)
  case offset(OffsetMessage)
  case animation(AnimationMessage)
  /// The daemon's echo of the WATCH it accepted.
  case watch(WatchMessage)
  case error(ErrorMessage)
}

/// The first line on every connection.
public struct VersionMessage: Equatable, Sendable {
  /// The release of parallaxd, as in `0.1.0`.
  public var release: String
  /// Raised when something is taken away or changes its meaning.
  public var protoMajor: Int
  /// Raised when something is added.
  public var protoMinor: Int

  public init(release: String, protoMajor: Int, protoMinor: Int) {
    self.release = release
    self.protoMajor = protoMajor
    self.protoMinor = protoMinor
  }
}

/// What the motion comes from and whether it flows.
public struct DeviceMessage: Equatable, Sendable {
  public enum State: String, CaseIterable, Equatable, Sendable {
    case streaming, idle, busy, denied, lost, none, ended
  }

  /// `iio`, `trace` or `synthetic`.
  public var driver: String
  /// The device's name, a trace's file name; nil where there is none.
  public var name: String?
  public var state: State
  /// Samples a second as granted by the device or found in the trace, Hz.
  public var rateHertz: Double?
  /// Why the state is what it is, for a person to read.
  public var reason: String?

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

/// Whether motion is let through to this receiver.
public struct GateMessage: Equatable, Sendable {
  /// `gain > 0`.
  public var open: Bool
  /// The gain at the end of the fade that this message announces, 0...1.
  public var gain: Double
  /// Why it is not wholly open, as `reduce-motion:portal`; empty where it is.
  public var reasons: [String]

  public init(open: Bool, gain: Double, reasons: [String]) {
    self.open = open
    self.gain = gain
    self.reasons = reasons
  }
}

/// One frame of motion.
public struct OffsetMessage: Equatable, Sendable {
  public struct LayerOffset: Equatable, Sendable {
    public var name: String
    /// px, depth times the motion.
    public var x: Double
    /// px, y down.
    public var y: Double

    public init(name: String, x: Double, y: Double) {
      self.name = name
      self.x = x
      self.y = y
    }
  }

  /// The daemon's frame number, the same for every subscriber.
  public var seq: UInt64
  /// The frame's instant, nanoseconds of CLOCK_MONOTONIC (`time` on the wire is in seconds).
  public var timeNanoseconds: Int64
  /// px to the right.
  public var x: Double
  /// px down.
  public var y: Double
  /// The share of the range, -1...1.
  public var nx: Double
  public var ny: Double
  public var layers: [LayerOffset]
  /// OFFSET lines that were due to this receiver since the last one and not sent; nil for none.
  public var dropped: UInt64?

  public init(
    seq: UInt64, timeNanoseconds: Int64, x: Double, y: Double, nx: Double, ny: Double,
    layers: [LayerOffset], dropped: UInt64?
  ) {
    self.seq = seq
    self.timeNanoseconds = timeNanoseconds
    self.x = x
    self.y = y
    self.nx = nx
    self.ny = ny
    self.layers = layers
    self.dropped = dropped
  }
}

/// A step in the life of an animation.
public struct AnimationMessage: Equatable, Sendable {
  public enum Event: String, CaseIterable, Equatable, Sendable {
    case started, step, completed, cancelled
  }
  public enum Position: String, CaseIterable, Equatable, Sendable {
    case start, current, end
  }

  public var id: String
  public var event: Event
  public var position: Position?

  public init(id: String, event: Event, position: Position?) {
    self.id = id
    self.event = event
    self.position = position
  }
}

public struct ErrorMessage: Equatable, Sendable {
  public var message: String

  public init(message: String) {
    self.message = message
  }
}

/// What a subscriber asks of its stream. Keys that are absent keep their value.
public struct WatchMessage: Equatable, Sendable {
  /// When a line is worth sending.
  public enum OnChange: Equatable, Sendable {
    /// Every frame that is due.
    case off
    /// Only if a printed value changed.
    case anyChange
    /// Only if x or y moved by that many px since the last line sent.
    case atLeastPixels(Double)
  }

  public var enable: Bool?
  /// Lines a second, in (0, 60].
  public var rateHertz: Double?
  /// Name and depth; replaces the configured set.
  public var layers: [(name: String, depth: Double)]?
  public var onChange: OnChange?
  /// How this receiver's own screen is turned.
  public var orientation: Orientation?

  public init(
    enable: Bool? = nil, rateHertz: Double? = nil,
    layers: [(name: String, depth: Double)]? = nil, onChange: OnChange? = nil,
    orientation: Orientation? = nil
  ) {
    self.enable = enable
    self.rateHertz = rateHertz
    self.layers = layers
    self.onChange = onChange
    self.orientation = orientation
  }

  public static func == (left: WatchMessage, right: WatchMessage) -> Bool {
    left.enable == right.enable && left.rateHertz == right.rateHertz
      && left.onChange == right.onChange && left.orientation == right.orientation
      && left.layers?.map(\.name) == right.layers?.map(\.name)
      && left.layers?.map(\.depth) == right.layers?.map(\.depth)
  }
}
