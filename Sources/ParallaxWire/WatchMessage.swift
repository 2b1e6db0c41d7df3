// SPDX-License-Identifier: Apache-2.0

public import enum ParallaxMotion.Orientation

/// WATCH: changes a subscriber's stream. Absent fields keep their values.
public struct WatchMessage: Equatable, Sendable {
  /// Which of the due frames are sent.
  public enum OnChange: Equatable, Sendable {
    /// `false`: every frame.
    case off
    /// `true`: only if a printed value has changed.
    case anyChange
    /// A number: only if x or y has moved by at least that many px since the last line sent.
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

  /// Creates a WATCH that changes the given fields.
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
