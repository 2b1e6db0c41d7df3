// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion

/// The motion settings of SET, which override the configuration's.
package struct MotionOverrides: Equatable, Sendable {
  package var scale: PixelScale?
  package var smoothing: Smoothing?

  package init() {}

  package func applied(to settings: MotionSettings) -> MotionSettings {
    var result = settings
    if let scale { result.scale = scale }
    if let smoothing { result.smoothing = smoothing }
    return result
  }
}

extension MotionSettings {
  /// Whether the same samples give the same frames before the screens, so that a change of settings
  /// does not need the source to start again.
  func sharesSensor(with other: MotionSettings) -> Bool {
    sensorSettings == other.sensorSettings
  }

  /// These settings without the ones that act on the screens.
  private var sensorSettings: MotionSettings {
    var settings = self
    settings.scale = nil
    settings.rangeX = .standard
    settings.rangeY = .standard
    settings.smoothing = .auto(.normal)
    // Recentering is the only fade before the screens.
    if mode == .rate { settings.fadeSeconds = 0 }
    return settings
  }
}
