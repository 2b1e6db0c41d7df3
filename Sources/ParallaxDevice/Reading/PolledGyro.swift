import Glibc
import ParallaxMotion

/// A gyroscope whose values are asked for: it has no usable trigger, or its buffer may not be used.
///
/// The three values are three readings, one after the other, of a device that goes on meanwhile.
package final class PolledGyro {
  private let axes: [IIOChannel]
  private let scale: RawScale

  init?(_ device: IIODevice, scale: RawScale) {
    axes = GyroAttributes.axes.compactMap { device.channel($0) }
    self.scale = scale
    guard axes.count == GyroAttributes.axes.count else { return nil }
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
