public import ParallaxWire

/// Where things belong at some instant: what `OffsetTimeline` makes of the frames it knows.
public struct ParallaxOffset: Equatable, Sendable {
  /// Where one layer belongs.
  public typealias Layer = OffsetMessage.LayerOffset

  /// px to the right.
  public var x: Double
  /// px down.
  public var y: Double
  /// The share of the range on the x axis, -1...1.
  public var nx: Double
  /// The share of the range on the y axis, -1...1.
  public var ny: Double
  /// The layers that were asked for, sorted by name; empty where there are none.
  public var layers: [Layer]
  /// Degrees clockwise; nil unless an animation drives it.
  public var rotation: Double?
  /// 1 is unscaled; nil unless an animation drives it.
  public var scale: Double?
  /// 0...1; nil unless an animation drives it.
  public var opacity: Double?

  /// Creates an offset.
  public init(
    x: Double, y: Double, nx: Double = 0, ny: Double = 0, layers: [Layer] = [],
    rotation: Double? = nil, scale: Double? = nil, opacity: Double? = nil
  ) {
    self.x = x
    self.y = y
    self.nx = nx
    self.ny = ny
    self.layers = layers
    self.rotation = rotation
    self.scale = scale
    self.opacity = opacity
  }

  /// What an OFFSET says.
  public init(_ message: OffsetMessage) {
    self.init(
      x: message.x, y: message.y, nx: message.nx, ny: message.ny, layers: message.layers,
      rotation: message.rotation, scale: message.scale, opacity: message.opacity)
  }

  /// The layer of that name; nil where it was not asked for.
  public func layer(_ name: String) -> Layer? {
    layers.first { $0.name == name }
  }

  /// Whether nothing is displaced, as at the end of a closing gate.
  var isZero: Bool {
    x == 0 && y == 0 && layers.allSatisfy { $0.x == 0 && $0.y == 0 }
  }

  /// On the line through `self` (share 0) and `later` (share 1), per screen axis. What only `later`
  /// has comes from there; an animation that begins or ends starts from or goes to rest.
  func interpolated(to later: ParallaxOffset, shareX: Double, shareY: Double) -> ParallaxOffset {
    func mix(_ from: Double, _ to: Double, _ share: Double) -> Double { from + (to - from) * share }
    func mix(_ from: Double?, _ to: Double?, rest: Double) -> Double? {
      from == nil && to == nil
        ? nil : mix(from ?? rest, to ?? rest, min(shareX, shareY))
    }
    return ParallaxOffset(
      x: mix(x, later.x, shareX), y: mix(y, later.y, shareY),
      nx: mix(nx, later.nx, shareX), ny: mix(ny, later.ny, shareY),
      layers: later.layers.map { place in
        guard let before = layer(place.name) else { return place }
        return Layer(
          name: place.name, x: mix(before.x, place.x, shareX), y: mix(before.y, place.y, shareY),
          rotation: mix(before.rotation, place.rotation, rest: 0),
          scale: mix(before.scale, place.scale, rest: 1),
          opacity: mix(before.opacity, place.opacity, rest: 1).map { min(max($0, 0), 1) })
      },
      rotation: mix(rotation, later.rotation, rest: 0),
      scale: mix(scale, later.scale, rest: 1),
      opacity: mix(opacity, later.opacity, rest: 1).map { min(max($0, 0), 1) })
  }
}
