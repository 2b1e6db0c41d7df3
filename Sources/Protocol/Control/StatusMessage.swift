// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase
public import ParallaxMotion

/// STATUS: the daemon's status, as seen by the user who asks.
public struct StatusMessage: Equatable, Sendable {
  /// `release`: the release of parallaxd.
  public var release: String
  /// `uptime`: the time since the daemon started.
  public var uptime: MotionDuration
  /// `device`: the source of the motion; `rateHertz` is the granted rate.
  public var device: DeviceMessage
  /// `measured_rate` of `device`: samples per second over the last seconds, in Hz; nil while none arrive.
  public var measuredRateHertz: Double?
  /// `gate`: whether motion passes, for the user who asks.
  public var gate: GateMessage
  /// `orientation`: how the screen is turned.
  public var orientation: Orientation
  /// Where the orientation comes from.
  public var orientationSource: OrientationSource
  /// `bias`: the bias of the gyroscope.
  public var bias: BiasStatus
  /// `subscribers`: the connections to the stream; for users who are not privileged, their own.
  public var subscribers: Int
  /// `frames`: the frames since the daemon started.
  public var frames: UInt64
  /// `drops`: samples and lines that were not used.
  public var drops: DropCounts
  /// `latency`: the time from a sample's timestamp to the end of the `send()` of its frame.
  public var latency: LatencyStatus
  /// `inhibitors`: who inhibits the motion; only for privileged users.
  public var inhibitors: [Inhibitor]
  /// `agents`: the connections that have sent AGENT; for users who are not privileged, their own.
  public var agents: [Agent]
  /// `animations`: those that play or have left a final pose.
  public var animations: [Animation]
  /// `settings`: the values in effect, in alphabetical order of their keys.
  public var settings: [SetRequest]
  /// `overrides`: the keys that SET has changed.
  public var overrides: [String]

  /// Where the orientation comes from, in order of precedence.
  public enum OrientationSource: String, CaseIterable, Equatable, Sendable {
    /// SET.
    case set
    /// The configuration.
    case configuration
    /// An agent in the user's session.
    case agent
    /// iio-sensor-proxy.
    case sensorProxy = "sensor-proxy"
    /// The accelerometer of the device.
    case accelerometer
    /// `normal`, because no other source knows it.
    case builtIn = "default"
    /// The header of the recording being played.
    case trace
  }

  /// The bias of the gyroscope.
  public struct BiasStatus: Equatable, Sendable {
    /// Whether it is estimated.
    public var isAuto: Bool
    package var estimate: AngularRate?

    package init(isAuto: Bool, estimate: AngularRate?) {
      self.isAuto = isAuto
      self.estimate = estimate
    }

    /// Creates a status with an estimate from the fields of a line, in rad/s.
    package init(isAuto: Bool, x: Double, y: Double, z: Double) {
      self.init(isAuto: isAuto, estimate: AngularRate(x: x, y: y, z: z))
    }

    /// The estimate about the axes of the sensor, in rad/s; nil before the first.
    public var estimateRadPerSec: (x: Double, y: Double, z: Double)? {
      estimate.map { ($0.x, $0.y, $0.z) }
    }
  }

  /// Samples that do not count or are too old to show, and lines not sent.
  public struct DropCounts: Equatable, Sendable {
    /// Samples with the time of the one before.
    public var duplicate: UInt64
    /// Samples earlier than the one before.
    public var backwards: UInt64
    /// Samples that are not numbers.
    public var nonfinite: UInt64
    /// Samples over 0.25 s old when their turn came; they are processed but not shown.
    public var stale: UInt64
    /// Frames more than two periods late, not sent because a newer one was due.
    public var skipped: UInt64
    /// OFFSETs not sent to slow subscribers.
    public var behind: UInt64
    /// Samples that the kernel dropped because the daemon did not read them in time.
    public var lost: UInt64

    package init(
      duplicate: UInt64 = 0, backwards: UInt64 = 0, nonfinite: UInt64 = 0, stale: UInt64 = 0,
      skipped: UInt64 = 0, behind: UInt64 = 0, lost: UInt64 = 0
    ) {
      self.duplicate = duplicate
      self.backwards = backwards
      self.nonfinite = nonfinite
      self.stale = stale
      self.skipped = skipped
      self.behind = behind
      self.lost = lost
    }
  }

  /// The latency, or why it is unknown.
  public enum LatencyStatus: Equatable, Sendable {
    /// `p50`, `p99`, `max`: the median, the 99th percentile and the maximum, in seconds.
    case measured(p50: Double, p99: Double, max: Double)
    /// `reason`: why it is unknown.
    case none(reason: String)
  }

  /// A connection that inhibits the motion.
  public struct Inhibitor: Equatable, Sendable {
    /// `uid`: the number of its user.
    public var uid: UInt32
    /// `reason`: the word that it gave.
    public var reason: String

    package init(uid: UInt32, reason: String) {
      self.uid = uid
      self.reason = reason
    }
  }

  /// A connection that reports the state of its user's session.
  public struct Agent: Equatable, Sendable {
    /// `uid`: the number of its user.
    public var uid: UInt32
    /// `reduce_motion`: nil if it is not reported.
    public var reduceMotion: Bool?
    /// `orientation`: nil if it is unknown.
    public var orientation: Orientation?

    package init(uid: UInt32, reduceMotion: Bool?, orientation: Orientation?) {
      self.uid = uid
      self.reduceMotion = reduceMotion
      self.orientation = orientation
    }
  }

  /// An animation that plays or has left its final pose.
  public struct Animation: Equatable, Sendable {
    /// The state of such an animation.
    public enum State: String, CaseIterable, Equatable, Sendable {
      /// It plays.
      case playing
      /// It is paused.
      case paused
      /// Stopped where it is.
      case stopped
      /// Ended; its final pose remains until STOP.
      case ended
    }

    /// `id`: as in ANIMATION lines.
    public var id: String
    /// `layer`: the layer that it moves; nil: all layers.
    public var layer: String?
    /// `state`: its state.
    public var state: State

    package init(id: String, layer: String?, state: State) {
      self.id = id
      self.layer = layer
      self.state = state
    }
  }

  package init(
    release: String = ParallaxRelease.version, uptime: MotionDuration, device: DeviceMessage,
    measuredRateHertz: Double?, gate: GateMessage, orientation: Orientation,
    orientationSource: OrientationSource, bias: BiasStatus, subscribers: Int, frames: UInt64,
    drops: DropCounts, latency: LatencyStatus, inhibitors: [Inhibitor] = [],
    agents: [Agent] = [], animations: [Animation] = [], settings: [SetRequest] = [],
    overrides: [String] = []
  ) {
    self.release = release
    self.uptime = uptime
    self.device = device
    self.measuredRateHertz = measuredRateHertz
    self.gate = gate
    self.orientation = orientation
    self.orientationSource = orientationSource
    self.bias = bias
    self.subscribers = subscribers
    self.frames = frames
    self.drops = drops
    self.latency = latency
    self.inhibitors = inhibitors
    self.agents = agents
    self.animations = animations
    self.settings = settings
    self.overrides = overrides
  }
}

extension StatusMessage: ProtocolMessage {
  package static let className = "STATUS"
  package static let description = "The daemon's status, as the user sees it who asks."
  package static let blank = StatusMessage(
    uptime: .zero, device: .blank, measuredRateHertz: nil, gate: .blank, orientation: .normal,
    orientationSource: .builtIn, bias: BiasStatus(isAuto: false, estimate: nil), subscribers: 0,
    frames: 0, drops: DropCounts(), latency: .none(reason: ""))

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required("release", &release, .text, "The release of parallaxd.")
    try fields.required("uptime", &uptime, .milliseconds, "Seconds since the daemon started.")
    var source = DeviceStatus(device: device, measuredRateHertz: measuredRateHertz)
    try fields.required("device", &source, .group, "As in DEVICE; `rate` is the granted one.")
    (device, measuredRateHertz) = (source.device, source.measuredRateHertz)
    try fields.required("gate", &gate, .group, "As in GATE, for the user who asks.")
    var screen = OrientationStatus(value: orientation, source: orientationSource)
    try fields.required("orientation", &screen, .group, "The orientation of the device.")
    (orientation, orientationSource) = (screen.value, screen.source)
    try fields.required("bias", &bias, .group, "The bias of the gyroscope.")
    try fields.required(
      "subscribers", &subscribers, .integer(),
      "The number of connections to the stream; for users who are not privileged, their own.")
    try fields.required(
      "frames", &frames, .integer(), "The number of frames since the daemon started.")
    try fields.required(
      "drops", &drops, .group, "Counts of samples and lines that were not used.")
    try fields.required(
      "latency", &latency, .group,
      "From the sensor's timestamp to the return of send(): the three times, or `reason`.")
    try fields.list(
      "inhibitors", &inhibitors,
      "Who inhibits the motion; only for privileged users, absent if there are none.")
    try fields.list(
      "agents", &agents, "The connections that have sent AGENT; absent if there are none.")
    try fields.list(
      "animations", &animations,
      "The animations that play or have left a final pose; absent if there are none.")
    try fields.optional(
      "settings", &settings, default: [], .settings,
      "The values in effect by the keys of SET, in the form in which SET takes them; the units "
        + "are those of the configuration."
    )
    try fields.optional(
      "overrides", &overrides, default: [], .list(of: .text, rules: ["minItems": 1]),
      "The keys that SET has changed; absent if there are none.")
  }
}

extension FieldVisitor where Self: ~Copyable {
  /// Visits a list that is absent if it is empty.
  fileprivate mutating func list<Group: FieldGroup & Equatable>(
    _ key: String, _ elements: inout [Group], _ description: String
  ) throws(JSONShapeError) {
    try optional(
      key, &elements, default: [], .list(of: .group, rules: ["minItems": 1]), description)
  }
}

private struct DeviceStatus: FieldGroup {
  static let blank = DeviceStatus(device: .blank, measuredRateHertz: nil)

  var device: DeviceMessage
  var measuredRateHertz: Double?

  mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try device.visit(&fields)
    try fields.optional(
      "measured_rate", &measuredRateHertz, .number(decimals: 3, rules: ["minimum": 0]),
      "Samples per second, in Hz, over the last seconds; absent while none arrive.")
  }
}

private struct OrientationStatus: FieldGroup {
  static let blank = OrientationStatus(value: .normal, source: .builtIn)

  var value: Orientation
  var source: StatusMessage.OrientationSource

  mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required("value", &value, .word, "How it is turned.")
    try fields.required("source", &source, .word, "Where the value comes from.")
  }
}

extension FieldFormat<MotionDuration> {
  /// Seconds, to the millisecond.
  fileprivate static let milliseconds = FieldFormat(
    .rules(["type": "number", "minimum": 0]),
    read: { (node, _) throws(JSONShapeError) in
      MotionDuration(nanoseconds: try node.nanoseconds())
    },
    write: { $1.append(scaled: $0.nanoseconds / 1_000_000, trimmedDecimals: 3) })
}

extension StatusMessage.BiasStatus: FieldGroup {
  package static let blank = Self(isAuto: false, estimate: nil)
  package static let rules: JSONObject = ["dependentRequired": ["x": ["y", "z"]]]

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    var mode = isAuto ? "auto" : "off"
    try fields.required("mode", &mode, .text(.words(["auto", "off"])), "Whether it is estimated.")
    isAuto = mode == "auto"
    var (x, y, z) = (estimate?.x, estimate?.y, estimate?.z)
    try fields.optional(
      "x", &x, .biasRate, "The estimate about x, in rad/s; absent before the first.")
    if fields.applies(x != nil) {
      try fields.optional("y", &y, .biasRate, "The estimate about y, in rad/s.")
      try fields.optional("z", &z, .biasRate, "The estimate about z, in rad/s.")
    }
    estimate = nil
    if let x, let y, let z { estimate = AngularRate(x: x, y: y, z: z) }
  }
}

extension FieldFormat<Double> {
  fileprivate static let biasRate = number(decimals: 6)
  fileprivate static let latency = number(decimals: 6)
}

extension StatusMessage.DropCounts: FieldGroup {
  package static let blank = Self()

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required(
      "duplicate", &duplicate, .integer(), "Samples with the time of the one before.", .expected)
    try fields.required(
      "backwards", &backwards, .integer(), "Samples earlier than the one before.", .expected)
    try fields.required(
      "nonfinite", &nonfinite, .integer(), "Samples that are not numbers.", .expected)
    try fields.required(
      "stale", &stale, .integer(),
      "Samples over 0.25 s old when their turn came, which are not shown.", .expected)
    try fields.required(
      "skipped", &skipped, .integer(),
      "Frames more than two periods late, not sent because a newer one was due.", .expected)
    try fields.required(
      "behind", &behind, .integer(), "OFFSETs not sent to slow subscribers.", .expected)
    try fields.required(
      "lost", &lost, .integer(),
      "Samples that the kernel dropped because the daemon did not read them in time.", .expected)
  }
}

extension StatusMessage.LatencyStatus: FieldGroup {
  package static let blank = Self.none(reason: "")
  package static let rules: JSONObject = [
    "oneOf": [["required": ["p50", "p99", "max"]], ["required": ["reason"]]]
  ]

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    var (p50, p99, max, reason): (Double?, Double?, Double?, String?)
    switch self {
    case .measured(let middle, let late, let latest): (p50, p99, max) = (middle, late, latest)
    case .none(let why): reason = why
    }
    try fields.optional("p50", &p50, .latency, "The median, in seconds.")
    try fields.optional("p99", &p99, .latency, "The 99th percentile, in seconds.")
    try fields.optional("max", &max, .latency, "The maximum, in seconds.")
    try fields.optional("reason", &reason, .text, "Why it is unknown.")
    if let reason {
      self = .none(reason: reason)
    } else if let p50, let p99, let max {
      self = .measured(p50: p50, p99: p99, max: max)
    } else {
      try fields.fail(at: nil, "\"p50\", \"p99\" and \"max\", or \"reason\" is missing")
    }
  }
}

extension StatusMessage.Inhibitor: FieldGroup {
  package static let blank = Self(uid: 0, reason: "")

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required("uid", &uid, .integer(), "The user's number.")
    try fields.required("reason", &reason, .text(rules: InhibitReason.rules), "Its reason.")
  }
}

extension StatusMessage.Agent: FieldGroup {
  package static let blank = Self(uid: 0, reduceMotion: nil, orientation: nil)

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required("uid", &uid, .integer(), "The user's number.")
    try fields.optional(
      "reduce_motion", &reduceMotion, .flag, "What it has reported; absent if it has not.")
    try fields.optional(
      "orientation", &orientation, .word, "What it has reported; absent if it has not.")
  }
}

extension StatusMessage.Animation: FieldGroup {
  package static let blank = Self(id: "", layer: nil, state: .playing)

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required("id", &id, .text, "The id of its document.")
    try fields.optional("layer", &layer, .text, "The layer that it moves; absent: all.")
    try fields.required("state", &state, .word, "`ended`: its final pose remains until STOP.")
  }
}
