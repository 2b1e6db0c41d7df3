/// OFFSET: one frame of motion.
public struct OffsetMessage: Equatable, Sendable {
  /// Where one layer belongs.
  public struct LayerOffset: Equatable, Sendable {
    /// The layer's name, the key in `layers`.
    public var name: String
    /// `x`: px to the right, depth times the motion, and what animations add.
    public var x: Double
    /// `y`: px down.
    public var y: Double
    /// `rotation`: degrees clockwise; nil unless an animation of this layer drives it.
    public var rotation: Double?
    /// `scale`: 1 is unscaled; nil unless an animation of this layer drives it.
    public var scale: Double?
    /// `opacity`: 0...1; nil unless an animation of this layer drives it.
    public var opacity: Double?

    /// Creates a layer's offset.
    public init(
      name: String, x: Double, y: Double, rotation: Double? = nil, scale: Double? = nil,
      opacity: Double? = nil
    ) {
      self.name = name
      self.x = x
      self.y = y
      self.rotation = rotation
      self.scale = scale
      self.opacity = opacity
    }
  }

  /// `seq`: the daemon's frame number, the same for every subscriber.
  public var seq: UInt64
  /// `time`: the frame's instant, nanoseconds of CLOCK_MONOTONIC (on the wire in seconds).
  public var timeNanoseconds: Int64
  /// `x`: px to the right, in hundredths.
  public var x: Double
  /// `y`: px down, in hundredths.
  public var y: Double
  /// `nx`: x as a share of its range before animations, -1...1.
  public var nx: Double
  /// `ny`: y as a share of its range before animations, -1...1.
  public var ny: Double
  /// `layers`: the layers asked for (or configured), in their order; empty where there are none.
  public var layers: [LayerOffset]
  /// `rotation`: degrees clockwise; nil unless an animation drives it.
  public var rotation: Double?
  /// `scale`: 1 is unscaled; nil unless an animation drives it.
  public var scale: Double?
  /// `opacity`: 0...1; nil unless an animation drives it.
  public var opacity: Double?
  /// `dropped`: OFFSET lines that were due to this receiver since the last one and not sent; nil
  /// for none.
  public var dropped: UInt64?

  /// Creates an OFFSET.
  public init(
    seq: UInt64, timeNanoseconds: Int64, x: Double, y: Double, nx: Double, ny: Double,
    layers: [LayerOffset] = [], rotation: Double? = nil, scale: Double? = nil,
    opacity: Double? = nil, dropped: UInt64? = nil
  ) {
    self.seq = seq
    self.timeNanoseconds = timeNanoseconds
    self.x = x
    self.y = y
    self.nx = nx
    self.ny = ny
    self.layers = layers
    self.rotation = rotation
    self.scale = scale
    self.opacity = opacity
    self.dropped = dropped
  }
}
