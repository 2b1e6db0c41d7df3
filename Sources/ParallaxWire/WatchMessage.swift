public import enum ParallaxMotion.Orientation

/// WATCH: what a subscriber asks of its stream. Keys that are absent keep their value.
public struct WatchMessage: Equatable, Sendable {
  /// When a line is worth sending.
  public enum OnChange: Equatable, Sendable {
    /// `false`: every frame that is due.
    case off
    /// `true`: only if a printed value changed.
    case anyChange
    /// A number: only if x or y moved by that many px since the last line sent.
    case atLeastPixels(Double)
  }

  /// A layer that is asked for.
  public struct LayerDepth: Equatable, Sendable {
    /// 1 to 64 bytes without spaces, quotes, backslash, comma or `=`.
    public var name: String
    /// How many times as far as the motion the layer moves, -10...10.
    public var depth: Double

    /// Creates a layer.
    public init(name: String, depth: Double) {
      self.name = name
      self.depth = depth
    }
  }

  /// `enable`: false pauses this subscriber's OFFSETs and does not hold the sensor on. Default true.
  public var enable: Bool?
  /// `rate`: lines a second, in (0, 60]; more is lowered to 60. Default: every frame.
  public var rateHertz: Double?
  /// `layers`: replaces the configured set; at most 16.
  public var layers: [LayerDepth]?
  /// `on_change`: when a line is worth sending. Default: off.
  public var onChange: OnChange?
  /// `orientation`: how this receiver's own screen is turned. Default: as the daemon knows it.
  public var orientation: Orientation?

  /// Creates a WATCH that changes what is given.
  public init(
    enable: Bool? = nil, rateHertz: Double? = nil, layers: [LayerDepth]? = nil,
    onChange: OnChange? = nil, orientation: Orientation? = nil
  ) {
    self.enable = enable
    self.rateHertz = rateHertz
    self.layers = layers
    self.onChange = onChange
    self.orientation = orientation
  }
}
