import Glibc
import ParallaxMotion

/// A gyroscope whose values are asked for: it has no usable trigger, or its buffer may not be used.
///
/// The three values are three readings, one after the other, of a device that goes on meanwhile.
package final class PolledGyro {
  private let axes: [IIOChannel]
  private let scale: RawScale
  private let accelAxes: [IIOChannel]
  private let accelScale: RawScale?

  /// - Parameter accelScale: of the accelerometer in the same device; nil: it is not read along.
  init?(_ device: IIODevice, scale: RawScale, accelScale: RawScale?) {
    axes = GyroAttributes.axes.compactMap { device.channel($0) }
    self.scale = scale
    accelAxes = accelScale == nil ? [] : AccelDescription.axes.compactMap { device.channel($0) }
    self.accelScale = accelScale
    guard axes.count == GyroAttributes.axes.count else { return nil }
  }

  /// How often the accelerometer is asked: a hand does not turn a device more quickly.
  static let accelPeriodNanoseconds: Int64 = 200_000_000

  /// As `read`; nil where there is none, or it has no answer now.
  func readAcceleration() -> Acceleration? {
    guard let accelScale, accelAxes.count == 3, let x = try? value(accelAxes[0]),
      let y = try? value(accelAxes[1]), let z = try? value(accelAxes[2])
    else { return nil }
    return Acceleration(
      x: accelScale.value(x), y: accelScale.value(y), z: accelScale.value(z))
  }

  /// Takes as long as the driver likes: 30 s have been seen.
  ///
  /// - Throws: ENOENT or ENODEV where the device is gone, EBUSY while somebody else streams, EACCES.
  func read() throws(IIOError) -> AngularRate {
    scale.rate(try value(axes[0]), try value(axes[1]), try value(axes[2]))
  }

  private func value(_ axis: IIOChannel) throws(IIOError) -> Double {
    let text = try axis.read("raw")
    guard let value = SettingText.number(text) else {
      throw IIOError(number: EINVAL, action: "understanding the raw value '\(text)' of \(axis.id)")
    }
    return value
  }
}
