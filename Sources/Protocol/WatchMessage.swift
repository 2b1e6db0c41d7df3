// SPDX-License-Identifier: Apache-2.0

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
