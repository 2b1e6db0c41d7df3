// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxProtocol

/// What a subscriber asked for by WATCH.
struct SubscriberSettings: Hashable {
  var isEnabled = true
  /// In (0, 60]; nil for every frame.
  var rateHertz: Double?
  var onChange = WatchMessage.OnChange.off
  /// nil: the configured layers.
  var layers: LayerSet?
  /// nil: the user's.
  var orientation: Orientation?

  /// Whether it also gets frames between the ones on the grid, where a display would otherwise be off by its
  /// tolerance.
  var isFine: Bool {
    guard isEnabled, case .atLeastPixels = onChange, let rateHertz else { return false }
    return rateHertz >= Cadence.capHertz
  }

  /// Applies a WATCH.
  mutating func apply(_ watch: WatchMessage) {
    if let enable = watch.enable { isEnabled = enable }
    if let rate = watch.rateHertz { rateHertz = min(rate, Cadence.capHertz) }
    if let onChange = watch.onChange { self.onChange = onChange }
    if let depths = watch.layers, let layers = try? LayerSet(depths: depths) {
      self.layers = layers
    } else if watch.resets.contains(.layers) {
      layers = nil
    }
    if watch.orientation != nil || watch.resets.contains(.orientation) {
      orientation = watch.orientation
    }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(isEnabled)
    hasher.combine(rateHertz)
    hasher.combine(orientation)
    if case .atLeastPixels(let px) = onChange { hasher.combine(px) }
    for layer in layers?.layers ?? [] {
      hasher.combine(layer.name)
      hasher.combine(layer.depth)
    }
  }
}
