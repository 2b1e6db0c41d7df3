// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
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

extension StreamMessage: AnswerLine {
  package static let classes: [MessageClass<StreamMessage>] = [
    MessageClass(version), MessageClass(device), MessageClass(gate), MessageClass(offset),
    MessageClass(animation), MessageClass(watch), MessageClass(error),
  ]
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
  package static let current = VersionMessage(
    release: ParallaxRelease.version, protoMajor: ParallaxRelease.protocolMajor,
    protoMinor: ParallaxRelease.protocolMinor)

  /// Creates a VERSION.
  package init(release: String, protoMajor: Int, protoMinor: Int) {
    self.release = release
    self.protoMajor = protoMajor
    self.protoMinor = protoMinor
  }
}

extension VersionMessage: ProtocolMessage {
  package static let className = "VERSION"
  package static let description = "The first line on every connection."
  package static let tagPresence: FieldPresence? = nil
  package static let blank = VersionMessage(release: "", protoMajor: 0, protoMinor: 0)

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required("release", &release, .text, "The release of parallaxd.")
    try fields.required(
      "proto_major", &protoMajor, .integer(),
      "The major version of the protocol; increases when something is removed or changes its "
        + "meaning."
    )
    try fields.required(
      "proto_minor", &protoMinor, .integer(),
      "The minor version of the protocol; increases when something is added.")
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

  /// `driver`: `iio`, `evdev`, `feed` (a program sends the samples), `trace` or `synthetic`.
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

extension DeviceMessage: ProtocolMessage {
  package static let className = "DEVICE"
  package static let description =
    "The source of the motion, on connecting and whenever it changes."
  package static let tagPresence: FieldPresence? = nil
  package static let blank = DeviceMessage(
    driver: "", name: nil, state: .none, rateHertz: nil, reason: nil)

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required(
      "driver", &driver, .text(.words(["iio", "evdev", "feed", "trace", "synthetic"])),
      "What the motion comes from."
    )
    try fields.optional(
      "name", &name, .text,
      "The name of the device or of the trace's file; absent if there is none.")
    // A later release may have more states; in none of them samples arrive.
    var word = state.rawValue
    try fields.required(
      "state", &word, .text(.words(FieldFormat<State>.words)), "The state of the source.")
    try fields.optional(
      "rate", &rateHertz, .rate,
      "Samples per second, in Hz, as granted by the device or found in the trace; absent until "
        + "it is known."
    )
    try fields.optional(
      "reason", &reason, .text,
      "The reason for the state, as text; `shutdown` when the daemon ends.")
    if let known = State(rawValue: word) {
      state = known
    } else {
      state = .none
      reason = reason ?? "unknown state \(word)"
    }
    var ranges = (
      rangeX.map { [$0.lowerBound, $0.upperBound] }, rangeY.map { [$0.lowerBound, $0.upperBound] }
    )
    try fields.optional(
      "range_x", &ranges.0, .range,
      "The limits of the motion to the left and to the right, in logical px: at most 0, and at "
        + "least 0."
    )
    try fields.optional(
      "range_y", &ranges.1, .range,
      "The limits of the motion up and down, in logical px: at most 0, and at least 0.")
    (rangeX, rangeY) = (Self.range(ranges.0), Self.range(ranges.1))
  }

  /// nil also for a range without 0, which no daemon has.
  private static func range(_ ends: [Double]?) -> ClosedRange<Double>? {
    guard let ends, ends.count == 2, ends[0] <= 0, ends[1] >= 0, ends[1] - ends[0] < .infinity
    else { return nil }
    return ends[0]...ends[1]
  }
}

extension FieldFormat<[Double]> {
  fileprivate static let range = list(
    of: .number(),
    rules: [
      "minItems": 2, "maxItems": 2,
      "prefixItems": [["type": "number", "maximum": 0], ["type": "number", "minimum": 0]],
    ])
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

extension GateMessage: ProtocolMessage {
  package static let className = "GATE"
  package static let description =
    "Whether motion passes to this connection, on connecting and whenever it changes."
  package static let tagPresence: FieldPresence? = nil
  package static let blank = GateMessage(open: false, gain: 0, reasons: [])

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required("open", &open, .flag, "Whether the gain is above 0.")
    try fields.required(
      "gain", &gain, .number(decimals: 4, limit: FieldFormat<Double>.sumLimit, in: 0...1),
      "The gain at the end of the fade that starts now, a fraction: 1 open, 0 closed.")
    try fields.required(
      "reasons", &reasons, .list(of: .text(.vocabulary(.gateReasons))),
      "Why the gate is not fully open; empty if it is.")
  }
}
