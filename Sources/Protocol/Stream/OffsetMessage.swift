// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase

/// OFFSET: one frame of motion.
public struct OffsetMessage: Equatable, Sendable {
  /// The position of one layer.
  public struct LayerOffset: Equatable, Sendable {
    /// The layer's name, the key in `layers`.
    public var name: String
    /// `x`: px to the right: depth times the motion, plus animations.
    public var x: Double
    /// `y`: px down: depth times the motion, plus animations.
    public var y: Double
    /// `vx`: px/s, depth times that of the motion; nil while an animation drives something.
    public var vx: Double?
    /// `vy`: px/s, depth times that of the motion; nil while an animation drives something.
    public var vy: Double?
    /// `rotation`: degrees clockwise; nil unless an animation of this layer drives it.
    public var rotation: Double?
    /// `scale`: 1 is unscaled; nil unless an animation of this layer drives it.
    public var scale: Double?
    /// `scale_y`: the scale downward; nil where it equals `scale`.
    public var scaleY: Double?
    /// `opacity`: 0...1; nil unless an animation of this layer drives it.
    public var opacity: Double?

    /// Creates a layer's offset.
    public init(
      name: String, x: Double, y: Double, vx: Double? = nil, vy: Double? = nil,
      rotation: Double? = nil, scale: Double? = nil, scaleY: Double? = nil, opacity: Double? = nil
    ) {
      self.name = name
      self.x = x
      self.y = y
      self.vx = vx
      self.vy = vy
      self.rotation = rotation
      self.scale = scale
      self.scaleY = scaleY
      self.opacity = opacity
    }
  }

  /// `seq`: the daemon's frame number, the same for every subscriber.
  public var seq: UInt64
  /// `time`: the frame's instant on CLOCK_MONOTONIC; on the wire, in seconds.
  public var time: MotionInstant
  /// `x`: px to the right, a multiple of 0.01.
  public var x: Double
  /// `y`: px down, a multiple of 0.01.
  public var y: Double
  /// `nx`: x without animations, as a fraction of its range, -1...1.
  public var nx: Double
  /// `ny`: y without animations, as a fraction of its range, -1...1.
  public var ny: Double
  /// `vx`: px/s to the right, a multiple of 0.1, as far as the gyroscope causes it; nil while an animation
  /// drives something. 0 at rest and where x and y are 0.
  public var vx: Double?
  /// `vy`: px/s down, a multiple of 0.1.
  public var vy: Double?
  /// `layers`: the requested or configured layers, in their order; empty if there are none.
  public var layers: [LayerOffset]
  /// `rotation`: degrees clockwise; nil unless an animation drives it.
  public var rotation: Double?
  /// `scale`: 1 is unscaled; nil unless an animation drives it.
  public var scale: Double?
  /// `scale_y`: the scale downward; nil where it equals `scale`.
  public var scaleY: Double?
  /// `opacity`: 0...1; nil unless an animation drives it.
  public var opacity: Double?
  /// `dropped`: the number of OFFSETs not sent to this subscriber since the last one; nil for none.
  public var dropped: UInt64?

  /// Creates an OFFSET.
  public init(
    seq: UInt64, time: MotionInstant, x: Double, y: Double, nx: Double, ny: Double,
    vx: Double? = nil, vy: Double? = nil, layers: [LayerOffset] = [], rotation: Double? = nil,
    scale: Double? = nil, scaleY: Double? = nil,
    opacity: Double? = nil, dropped: UInt64? = nil
  ) {
    self.seq = seq
    self.time = time
    self.x = x
    self.y = y
    self.nx = nx
    self.ny = ny
    self.vx = vx
    self.vy = vy
    self.layers = layers
    self.rotation = rotation
    self.scale = scale
    self.scaleY = scaleY
    self.opacity = opacity
    self.dropped = dropped
  }

  /// Creates an OFFSET from a time in nanoseconds of CLOCK_MONOTONIC.
  package init(
    seq: UInt64, timeNanoseconds: Int64, x: Double, y: Double, nx: Double, ny: Double,
    vx: Double? = nil, vy: Double? = nil, layers: [LayerOffset] = [], rotation: Double? = nil,
    scale: Double? = nil, scaleY: Double? = nil,
    opacity: Double? = nil, dropped: UInt64? = nil
  ) {
    self.init(
      seq: seq, time: MotionInstant(nanoseconds: timeNanoseconds), x: x, y: y, nx: nx, ny: ny,
      vx: vx, vy: vy, layers: layers, rotation: rotation, scale: scale, scaleY: scaleY,
      opacity: opacity,
      dropped: dropped)
  }

  /// `time` in nanoseconds of CLOCK_MONOTONIC.
  package var timeNanoseconds: Int64 {
    get { time.nanoseconds }
    set { time.nanoseconds = newValue }
  }
}

/// How OFFSET is read. `OffsetEncoder` writes it.
extension OffsetMessage: ProtocolMessage {
  package static let className = "OFFSET"
  package static let description = "One frame of the motion."
  package static let tagPresence: FieldPresence? = nil
  package static let blank = OffsetMessage(seq: 0, time: .zero, x: 0, y: 0, nx: 0, ny: 0)
  package static let rules: JSONObject = ["dependentRequired": ["vx": ["vy"], "vy": ["vx"]]]

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required(
      "seq", &seq, .frameNumber, "The daemon's frame number, the same for every connection.")
    try fields.required(
      "time", &time, .seconds, "The time of the frame, in seconds of CLOCK_MONOTONIC.")
    try fields.required(
      "x", &x, .hundredths,
      "The position of the picture, in logical px to the right, with animations.")
    try fields.required(
      "y", &y, .hundredths, "The position of the picture, in logical px down, with animations.")
    try fields.required(
      "nx", &nx, .rangeFraction, "The motion in x without animations, as a fraction of its range.")
    try fields.required(
      "ny", &ny, .rangeFraction, "The motion in y without animations, as a fraction of its range.")
    try fields.velocity(&vx, &vy)
    try fields.optional(
      "layers", &layers, default: [], .layers, "The layers by name; absent if there are none.")
    try fields.pose(&rotation, &scale, &scaleY, &opacity)
    try fields.optional(
      "dropped", &dropped, .droppedOffsets,
      "The number of OFFSETs not sent to this connection since the last one; only after a loss.")
  }
}

extension OffsetMessage.LayerOffset: FieldGroup {
  package static let blank = Self(name: "", x: 0, y: 0)
  package static let rules = OffsetMessage.rules

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required(
      "x", &x, .tenThousandths, "Logical px to the right: depth times the motion, plus animations.")
    try fields.required(
      "y", &y, .tenThousandths, "Logical px down: depth times the motion, plus animations.")
    try fields.velocity(&vx, &vy)
    try fields.pose(&rotation, &scale, &scaleY, &opacity)
  }
}

extension FieldVisitor where Self: ~Copyable {
  fileprivate mutating func velocity(_ vx: inout Double?, _ vy: inout Double?)
    throws(JSONShapeError)
  {
    try optional(
      "vx", &vx, .tenths, "The velocity in x, in px/s; absent while an animation drives something.")
    try optional(
      "vy", &vy, .tenths, "The velocity in y, in px/s; absent while an animation drives something.")
  }

  fileprivate mutating func pose(
    _ rotation: inout Double?, _ scale: inout Double?, _ scaleY: inout Double?,
    _ opacity: inout Double?
  ) throws(JSONShapeError) {
    try optional(
      "rotation", &rotation, .tenThousandths,
      "Degrees clockwise. Present only while an animation drives it; at rest 0.")
    try optional(
      "scale", &scale, .tenThousandths,
      "A factor. Present only while an animation drives it; at rest 1.")
    try optional(
      "scale_y", &scaleY, .tenThousandths,
      "The factor downward. Present only where it differs from `scale`.")
    try optional(
      "opacity", &opacity, .opacity,
      "A fraction from 0, invisible, to 1. Present only while an animation drives it; at rest 1.")
  }
}

// Constants, because OFFSET is read up to 60 times a second.
extension FieldFormat<UInt64> {
  fileprivate static let frameNumber: Self = integer()
  fileprivate static let droppedOffsets: Self = integer(in: 1...)
}

extension FieldFormat<Double> {
  fileprivate static let tenths = number(decimals: 1, limit: sumLimit)
  fileprivate static let hundredths = number(decimals: 2, limit: sumLimit)
  fileprivate static let tenThousandths = number(decimals: 4, limit: sumLimit)
  fileprivate static let rangeFraction = number(decimals: 4, limit: sumLimit, in: -1...1)
  fileprivate static let opacity = number(decimals: 4, limit: sumLimit, in: 0...1)
}

extension FieldFormat<[OffsetMessage.LayerOffset]> {
  /// In the order of their names.
  fileprivate static let layers = FieldFormat(
    .map(
      of: .group(OffsetMessage.LayerOffset.self), names: .rules([:]),
      description: "The position of a layer.",
      rules: ["type": "object", "maxProperties": 16]),
    read: { (node, isStrict) throws(JSONShapeError) in
      var layers: [OffsetMessage.LayerOffset] = []
      for (name, place) in try node.members() {
        var layer: OffsetMessage.LayerOffset = try FieldReader.read(place, isStrict: isStrict)
        layer.name = name
        layers.append(layer)
      }
      return layers.sorted { $0.name < $1.name }
    },
    write: { layers, buffer in
      buffer.append(byte: UInt8(ascii: "{"))
      for (index, layer) in layers.enumerated() {
        if index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
        buffer.append(jsonString: layer.name)
        buffer.append(byte: UInt8(ascii: ":"))
        buffer.append(group: layer)
      }
      buffer.append(byte: UInt8(ascii: "}"))
    })
}
