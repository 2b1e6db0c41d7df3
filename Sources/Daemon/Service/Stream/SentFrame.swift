// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxProtocol

/// The values that a subscriber was sent last, as printed. Before the first frame everything is at
/// rest.
struct SentFrame: Equatable {
  /// What animations add, in 1/10000, as printed.
  private struct Added: Equatable {
    var x: Int64 = 0
    var y: Int64 = 0
    /// nil: not printed.
    var rotation: Int64?
    var scale: Int64?
    /// Downward; as `scale` unless it is printed.
    var scaleY: Int64?
    var opacity: Int64?

    init() {}

    init(_ overlay: OffsetOverlay) {
      x = DecimalText.scaled(overlay.offset.x, decimals: 4)
      y = DecimalText.scaled(overlay.offset.y, decimals: 4)
      rotation = overlay.rotationDegrees.map { DecimalText.scaled($0, decimals: 4) }
      scale = overlay.scale.map { DecimalText.scaled($0, decimals: 4) }
      scaleY = overlay.scaleY.map { DecimalText.scaled($0, decimals: 4) } ?? scale
      opacity = overlay.opacity.map { DecimalText.scaled($0, decimals: 4) }
    }

    /// Whether a value other than the position differs; values that are not printed are at rest.
    func turns(from other: Added) -> Bool {
      (rotation ?? 0) != (other.rotation ?? 0) || (scale ?? 10_000) != (other.scale ?? 10_000)
        || (scaleY ?? 10_000) != (other.scaleY ?? 10_000)
        || (opacity ?? 10_000) != (other.opacity ?? 10_000)
    }
  }

  private(set) var line = DisplayLine()
  private var all = Added()
  private var layers: [Added?] = []

  /// Whether an animation moved a single layer.
  private(set) var hasLayers = false

  mutating func record(_ frame: OffsetFrame) {
    line = DisplayLine(frame)
    all = frame.overlay.map { Added($0) } ?? Added()
    hasLayers = false
    if layers.count != frame.layerOverlays.count {
      layers = [Added?](repeating: nil, count: frame.layerOverlays.count)
    }
    for (index, overlay) in frame.layerOverlays.enumerated() {
      layers[index] = overlay.map { Added($0) }
      if overlay != nil { hasLayers = true }
    }
  }

  /// Returns how far the offset that animations add to a layer has moved since, in px.
  func layerDistance(to frame: OffsetFrame) -> Double {
    var distance = 0.0
    for index in 0..<max(layers.count, frame.layerOverlays.count) {
      let (old, new) = (before(index), Self.layer(index, frame))
      let (dx, dy) = ((new?.x ?? 0) - (old?.x ?? 0), (new?.y ?? 0) - (old?.y ?? 0))
      distance = max(distance, Double(max(dx.magnitude, dy.magnitude)) / 10_000)
    }
    return distance
  }

  /// Returns whether a rotation, a scale or an opacity has changed.
  func turns(to frame: OffsetFrame) -> Bool {
    if (frame.overlay.map { Added($0) } ?? Added()).turns(from: all) { return true }
    for index in 0..<max(layers.count, frame.layerOverlays.count) {
      let (old, new) = (before(index) ?? Added(), Self.layer(index, frame) ?? Added())
      if new.turns(from: old) { return true }
    }
    return false
  }

  /// Returns whether a printed value has changed.
  ///
  /// - Parameter printsLayers: Whether the line has layers. Their four decimals show smaller changes
  ///   than the two of x and y.
  func differs(from frame: OffsetFrame, printsLayers: Bool) -> Bool {
    let next = DisplayLine(frame)
    if line.distance(to: next) > 0 || layerDistance(to: frame) > 0 || turns(to: frame)
      || line.changesVelocity(to: next)
    {
      return true
    }
    guard printsLayers else { return false }
    let added = frame.overlay.map { Added($0) } ?? Added()
    return added.x != all.x || added.y != all.y
  }

  /// Returns the overlay to print. A value that animations no longer drive is printed once, at rest, for
  /// subscribers that keep the last value.
  func closing(_ overlay: OffsetOverlay?, layer: Int? = nil) -> OffsetOverlay? {
    guard let old = layer.map({ before($0) }) ?? all else { return overlay }
    var result = overlay ?? OffsetOverlay()
    if result.rotationDegrees == nil, (old.rotation ?? 0) != 0 { result.rotationDegrees = 0 }
    if result.scale == nil, (old.scale ?? 10_000) != 10_000 || (old.scaleY ?? 10_000) != 10_000 {
      result.scale = 1
    }
    if result.opacity == nil, (old.opacity ?? 10_000) != 10_000 { result.opacity = 1 }
    let isNeeded =
      result.rotationDegrees != nil || result.scale != nil || result.opacity != nil
    return overlay != nil || isNeeded ? result : nil
  }

  private func before(_ index: Int) -> Added? { index < layers.count ? layers[index] : nil }

  private static func layer(_ index: Int, _ frame: OffsetFrame) -> Added? {
    index < frame.layerOverlays.count ? frame.layerOverlays[index].map { Added($0) } : nil
  }
}
