// SPDX-License-Identifier: Apache-2.0

public import ParallaxProtocol

/// The offset at some instant, computed by `OffsetTimeline`.
public struct ParallaxOffset: Equatable, Sendable {
  /// The position of one layer.
  public typealias Layer = OffsetMessage.LayerOffset

  /// px to the right.
  public var x: Double
  /// px down.
  public var y: Double
  /// Motion on the x axis as a fraction of its range, -1...1.
  public var nx: Double
  /// Motion on the y axis as a fraction of its range, -1...1.
  public var ny: Double
  /// The requested or configured layers, sorted by name; empty if there are none.
  public var layers: [Layer]
  /// Degrees clockwise; nil unless an animation drives it.
  public var rotation: Double?
  /// 1 is unscaled; nil unless an animation drives it.
  public var scale: Double?
  /// The scale downward; nil where it equals `scale`.
  public var scaleY: Double?
  /// 0...1; nil unless an animation drives it.
  public var opacity: Double?

  /// Creates an offset.
  public init(
    x: Double, y: Double, nx: Double = 0, ny: Double = 0, layers: [Layer] = [],
    rotation: Double? = nil, scale: Double? = nil, scaleY: Double? = nil, opacity: Double? = nil
  ) {
    self.x = x
    self.y = y
    self.nx = nx
    self.ny = ny
    self.layers = layers
    self.rotation = rotation
    self.scale = scale
    self.scaleY = scaleY
    self.opacity = opacity
  }

  /// Creates the offset of a frame.
  public init(_ message: OffsetMessage) {
    self.init(
      x: message.x, y: message.y, nx: message.nx, ny: message.ny, layers: message.layers,
      rotation: message.rotation, scale: message.scale, scaleY: message.scaleY,
      opacity: message.opacity)
  }

  /// Returns the layer with that name; nil if the stream has no such layer.
  public func layer(_ name: String) -> Layer? {
    layers.first { $0.name == name }
  }

  /// Whether nothing is displaced, as when a gate has closed.
  var isZero: Bool {
    x == 0 && y == 0 && layers.allSatisfy { $0.x == 0 && $0.y == 0 }
  }

  /// Returns the offset on the line through `self` (fraction 0) and `later` (fraction 1), per screen
  /// axis. A layer that only `later` has is taken from there; a value that only one of them has is at
  /// rest in the other.
  func interpolated(
    to later: ParallaxOffset, fractionX: Double, fractionY: Double
  ) -> ParallaxOffset {
    func mix(_ from: Double, _ to: Double, _ fraction: Double) -> Double {
      from + (to - from) * fraction
    }
    func mix(_ from: Double?, _ to: Double?, rest: Double) -> Double? {
      from == nil && to == nil
        ? nil : mix(from ?? rest, to ?? rest, min(fractionX, fractionY))
    }
    // Without a scale downward, the one to the right holds.
    func mixScaleY(
      _ from: (x: Double?, y: Double?), _ to: (x: Double?, y: Double?)
    ) -> Double? {
      from.y == nil && to.y == nil ? nil : mix(from.y ?? from.x, to.y ?? to.x, rest: 1)
    }
    return ParallaxOffset(
      x: mix(x, later.x, fractionX), y: mix(y, later.y, fractionY),
      nx: mix(nx, later.nx, fractionX), ny: mix(ny, later.ny, fractionY),
      layers: later.layers.map { place in
        guard let before = layer(place.name) else { return place }
        return Layer(
          name: place.name, x: mix(before.x, place.x, fractionX),
          y: mix(before.y, place.y, fractionY),
          rotation: mix(before.rotation, place.rotation, rest: 0),
          scale: mix(before.scale, place.scale, rest: 1),
          scaleY: mixScaleY((before.scale, before.scaleY), (place.scale, place.scaleY)),
          opacity: mix(before.opacity, place.opacity, rest: 1).map { min(max($0, 0), 1) })
      },
      rotation: mix(rotation, later.rotation, rest: 0),
      scale: mix(scale, later.scale, rest: 1),
      scaleY: mixScaleY((scale, scaleY), (later.scale, later.scaleY)),
      opacity: mix(opacity, later.opacity, rest: 1).map { min(max($0, 0), 1) })
  }
}
