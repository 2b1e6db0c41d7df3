// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
public import enum ParallaxMotion.Orientation

/// WATCH: changes a subscriber's stream. Absent fields keep their values. The daemon's answer has the state
/// that is then in effect.
public struct WatchMessage: Equatable, Sendable {
  /// Which of the due frames are sent.
  public enum OnChange: Equatable, Sendable {
    /// `false`: every frame.
    case off
    /// `true`: only if a printed value has changed.
    case anyChange
    /// A number: only if x or y is at least that many px from where a display is that follows the last line's
    /// velocity.
    case atLeastPixels(Double)
  }

  /// A requested layer.
  public struct LayerDepth: Equatable, Sendable {
    /// 1 to 64 bytes without spaces, quotes, backslash, comma or `=`.
    public var name: String
    /// The layer moves `depth` times as far as the motion, -10...10.
    public var depth: Double

    /// Creates a layer.
    public init(name: String, depth: Double) {
      self.name = name
      self.depth = depth
    }
  }

  /// What a WATCH gives back to the daemon.
  public struct Resets: OptionSet, Equatable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `layers` null: the configured layers again.
    public static let layers = Resets(rawValue: 1)
    /// `orientation` `auto`: the daemon's orientation again.
    public static let orientation = Resets(rawValue: 2)
  }

  /// The request of a program that draws: up to 60 OFFSETs per second, as many as it takes to show the picture
  /// within 0.01 px of where it is.
  public static let drawing = WatchMessage(rateHertz: 60, onChange: .atLeastPixels(0.01))

  /// `version`: the major version of the protocol that this client speaks. Default: 1.
  public var version: Int?
  /// `enable`: false pauses this subscriber's OFFSETs, and the sensor is not kept on for it. Default:
  /// true.
  public var enable: Bool?
  /// `rate`: OFFSETs per second, above 0; values above 60 count as 60. Default: every frame.
  public var rateHertz: Double?
  /// `layers`: replaces the configured layers; at most 16.
  public var layers: [LayerDepth]?
  /// `on_change`: which of the due frames are sent. Default: off, all of them.
  public var onChange: OnChange?
  /// `orientation`: the orientation of this subscriber's own screen. Default: the daemon's.
  public var orientation: Orientation?
  /// The fields that are no longer this subscriber's own. A value for the same field comes first.
  public var resets: Resets
  /// `ignored`: in an answer, the fields of the request that the daemon does not know.
  public var ignored: [String]

  /// Creates a WATCH that changes the given fields.
  public init(
    enable: Bool? = nil, rateHertz: Double? = nil, layers: [LayerDepth]? = nil,
    onChange: OnChange? = nil, orientation: Orientation? = nil, resets: Resets = [],
    version: Int? = nil, ignored: [String] = []
  ) {
    self.resets = resets
    self.version = version
    self.ignored = ignored
    self.enable = enable
    self.rateHertz = rateHertz
    self.layers = layers
    self.onChange = onChange
    self.orientation = orientation
  }
}

extension WatchMessage: ProtocolMessage {
  package static let className = "WATCH"
  package static let description =
    "Changes the fields that are given and keeps the others. The answer has the state in effect."
  package static let blank = WatchMessage()

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.field(
      "version", &version, .version, .answered,
      "The major version of the protocol that the client speaks. Default 1.")
    // Another version may give the other fields another meaning.
    if fields.isStrict, let version, version != ParallaxRelease.protocolMajor { return }
    try fields.field(
      "enable", &enable, .flag, .answered,
      "false: no OFFSETs, and the sensor is not kept on for this connection.")
    try fields.field(
      "rate", &rateHertz, .watchRate, .answered,
      "OFFSETs per second, in Hz; values above 60 count as 60.")
    var own = layers.map(Choice.own) ?? (resets.contains(.layers) ? .reset : nil)
    try fields.field(
      "layers", &own, .depths, .answered,
      "Names and depths of the layers; they replace the configured layers. null: the configured "
        + "layers again."
    )
    layers = own?.value
    try fields.field(
      "on_change", &onChange, .onChange, .answered,
      "true: an OFFSET only if a printed value has changed. A number: only if x or y is at "
        + "least that many px from where a display is that follows the last velocity. false: "
        + "every OFFSET."
    )
    var screen = orientation.map(Choice.own) ?? (resets.contains(.orientation) ? .reset : nil)
    try fields.field(
      "orientation", &screen, .orientation, .answered,
      "The orientation of this connection's own screen; `auto`: the daemon's.")
    orientation = screen?.value
    resets = []
    if case .reset? = own { resets.insert(.layers) }
    if case .reset? = screen { resets.insert(.orientation) }
    try fields.ignored(&ignored)
  }

  /// Merges a request with a later one.
  ///
  /// - Returns: One request with the effect of both.
  package func merging(_ later: WatchMessage) -> WatchMessage {
    var merged = WatchMessage(
      enable: later.enable ?? enable, rateHertz: later.rateHertz ?? rateHertz,
      layers: later.layers, onChange: later.onChange ?? onChange,
      orientation: later.orientation, resets: later.resets, version: later.version ?? version)
    if later.layers == nil, !later.resets.contains(.layers) {
      merged.layers = layers
      merged.resets.formUnion(resets.intersection(.layers))
    }
    if later.orientation == nil, !later.resets.contains(.orientation) {
      merged.orientation = orientation
      merged.resets.formUnion(resets.intersection(.orientation))
    }
    return merged
  }
}

/// A value of a subscriber's own, or the daemon's again.
enum Choice<Value: Sendable>: Sendable {
  case own(Value)
  case reset

  var value: Value? { if case .own(let value) = self { value } else { nil } }
}

extension FieldVisitor where Self: ~Copyable {
  /// Visits the fields of a request that its answer names as unknown.
  mutating func ignored(_ names: inout [String]) throws(JSONShapeError) {
    try optional(
      "ignored", &names, default: [], .list(of: .text, rules: ["maxItems": 16]),
      "The fields of the request that the daemon does not know; absent if there are none.",
      .answerOnly)
  }
}

extension FieldFormat<Int> {
  fileprivate static let version = FieldFormat(
    .rules(["type": "integer", "minimum": 1]),
    read: { (node, isStrict) throws(JSONShapeError) in
      if isStrict {
        guard case .integer(let version) = node.value, version > 0 else {
          throw node.error("expected a major version of the protocol, an integer from 1")
        }
      }
      return Int(try node.integer())
    },
    write: { $1.append(integer: Int64($0)) })
}

extension FieldFormat<Double> {
  fileprivate static let watchRate = FieldFormat(
    .either(
      request: .rules(["type": "number", "exclusiveMinimum": 0]),
      answer: .rules(["type": "number", "exclusiveMinimum": 0, "maximum": 60])),
    read: { (node, isStrict) throws(JSONShapeError) in
      let hertz = try (isStrict ? number() : number(limit: sumLimit)).read(node, isStrict)
      guard hertz > 0 || !isStrict else { throw node.error("expected a rate above 0 Hz") }
      return hertz
    },
    write: { $1.append(jsonNumber: $0) })
}

extension FieldFormat<WatchMessage.OnChange> {
  fileprivate static let onChange = FieldFormat(
    .rules(["type": ["boolean", "number"]]),
    read: { (node, isStrict) throws(JSONShapeError) in
      let expected = "expected true, false or a number of pixels, at least 0"
      if case .bool(let any) = node.value { return any ? .anyChange : .off }
      guard let px = try? node.number(), isStrict ? px >= 0 : px.magnitude <= 1e9 else {
        throw node.error(expected)
      }
      return .atLeastPixels(px)
    },
    write: { change, buffer in
      switch change {
      case .off: buffer.append(jsonBool: false)
      case .anyChange: buffer.append(jsonBool: true)
      case .atLeastPixels(let px): buffer.append(jsonNumber: px)
      }
    })
}

extension FieldFormat<Choice<Orientation>> {
  /// An orientation, or `auto`.
  static let orientation = FieldFormat(
    .either(
      request: .rules(["enum": .array((Self.words + ["auto"]).map(JSONValue.string))]),
      answer: .rules(["enum": .array(Self.words.map(JSONValue.string))])),
    read: { (node, _) throws(JSONShapeError) in
      node.value == .string("auto") ? .reset : .own(try node.choice())
    },
    write: { $1.append(jsonString: $0.value?.rawValue ?? "auto") })

  private static var words: [String] { FieldFormat<Orientation>.words }
}
