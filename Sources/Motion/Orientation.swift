// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The screen's orientation, in the words of iio-sensor-proxy's `AccelerometerOrientation`
/// (net.hadess.SensorProxy). Each case is a quarter turn further; the matching `wl_output`
/// transform is 0, 90, 180 and 270.
public enum Orientation: String, CaseIterable, Equatable, Hashable, Sendable {
  /// As the device is built.
  case normal
  /// Its left edge is at the top.
  case leftUp = "left-up"
  /// Upside down.
  case bottomUp = "bottom-up"
  /// Its right edge is at the top.
  case rightUp = "right-up"

  /// Quarter turns from `normal`, 0...3.
  package var quarterTurns: Int {
    switch self {
    case .normal: 0
    case .leftUp: 1
    case .bottomUp: 2
    case .rightUp: 3
    }
  }

  /// Creates an orientation from any number of quarter turns.
  package init(quarterTurns: Int) {
    self =
      switch quarterTurns & 3 {
      case 0: .normal
      case 1: .leftUp
      case 2: .bottomUp
      default: .rightUp
      }
  }

  /// Returns the orientation of a screen whose panel is mounted turned by `panel` in a device with
  /// this orientation: the quarter turns add.
  package func composed(with panel: Orientation) -> Orientation {
    Orientation(quarterTurns: quarterTurns + panel.quarterTurns)
  }

  package init(parsing text: String) throws(SettingError) {
    guard let orientation = Orientation(rawValue: text) else {
      throw SettingError(
        "unknown orientation '\(text)'; use normal, left-up, bottom-up or right-up")
    }
    self = orientation
  }
}

/// The linear map from (a, b) to (x, y): one of the four rotations, or a blend of two while the
/// orientation changes.
package struct ScreenRemap: Equatable, Sendable {
  // Rows: x = xa a + xb b, y = ya a + yb b.
  @usableFromInline var xa, xb, ya, yb: Double

  @inlinable
  init(xa: Double, xb: Double, ya: Double, yb: Double) {
    self.xa = xa
    self.xb = xb
    self.ya = ya
    self.yb = yb
  }

  package init(_ orientation: Orientation) {
    switch orientation {
    case .normal: self.init(xa: 1, xb: 0, ya: 0, yb: 1)
    case .leftUp: self.init(xa: 0, xb: -1, ya: 1, yb: 0)
    case .bottomUp: self.init(xa: -1, xb: 0, ya: 0, yb: -1)
    case .rightUp: self.init(xa: 0, xb: 1, ya: -1, yb: 0)
    }
  }

  /// Returns `(1 - share) self + share other`, entry by entry.
  package func blended(with other: ScreenRemap, share: Double) -> ScreenRemap {
    let rest = 1 - share
    return ScreenRemap(
      xa: rest * xa + share * other.xa, xb: rest * xb + share * other.xb,
      ya: rest * ya + share * other.ya, yb: rest * yb + share * other.yb)
  }

  @inlinable
  package func apply(_ motion: DrivingMotion) -> PixelOffset {
    PixelOffset(x: xa * motion.a + xb * motion.b, y: ya * motion.a + yb * motion.b)
  }
}
