// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxMotion

/// A gyroscope whose values are read one by one: it has no usable trigger, or its buffer is not
/// available.
///
/// The device measures on between the three readings of a sample.
package final class PolledGyro {
  private let axes: [IIOChannel]
  private let scale: RawScale
  private let accelAxes: [IIOChannel]
  private let accelScale: RawScale?

  /// - Parameter accelScale: For the accelerometer in the same device; nil: it is not read.
  /// - Returns: nil if an axis is missing.
  init?(_ device: IIODevice, scale: RawScale, accelScale: RawScale?) {
    axes = GyroAttributes.axes.compactMap { device.channel($0) }
    self.scale = scale
    accelAxes = accelScale == nil ? [] : AccelDescription.axes.compactMap { device.channel($0) }
    self.accelScale = accelScale
    guard axes.count == GyroAttributes.axes.count else { return nil }
  }

  /// The time between readings of the accelerometer: a hand does not turn a device faster.
  static let accelPeriod: MotionDuration = .milliseconds(200)

  /// Reads the accelerometer; nil if there is none, or reading it fails.
  func readAcceleration() -> Acceleration? {
    guard let accelScale, accelAxes.count == AccelDescription.axes.count,
      let x = try? raw(accelAxes[0]), let y = try? raw(accelAxes[1]),
      let z = try? raw(accelAxes[2])
    else { return nil }
    return Acceleration(
      x: accelScale.value(x), y: accelScale.value(y), z: accelScale.value(z))
  }

  /// Reads the three axes. May take any time: 30 s have been seen.
  ///
  /// - Throws: ENOENT or ENODEV if the device is gone, EBUSY while another program streams, EACCES.
  func read() throws(DriverError) -> AngularRate {
    let (x, y, z) = (try raw(axes[0]), try raw(axes[1]), try raw(axes[2]))
    return AngularRate(x: scale.value(x), y: scale.value(y), z: scale.value(z))
  }

  private func raw(_ axis: IIOChannel) throws(DriverError) -> Double {
    let text = try axis.read("raw")
    guard let value = SettingText.number(text) else {
      throw DriverError(
        number: EINVAL, action: "understanding the raw value '\(text)' of \(axis.id)")
    }
    return value
  }
}
