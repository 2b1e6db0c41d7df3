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
  public init(
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
  public var timeNanoseconds: Int64 {
    get { time.nanoseconds }
    set { time.nanoseconds = newValue }
  }
}
