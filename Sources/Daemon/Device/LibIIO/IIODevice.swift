// SPDX-License-Identifier: Apache-2.0

import CLibIIO
import Glibc

/// A device or a trigger of a context.
package struct IIODevice {
  package let context: IIOContext
  let raw: OpaquePointer

  /// The kernel's id, as in `iio:device0` or `trigger0`. It changes with a replug.
  package var id: String { String(cString: parallax_iio_device_get_id(raw)) }

  /// The driver's name for it, as in `gyro_3d`; nil: none.
  package var name: String? { parallax_iio_device_get_name(raw).map { String(cString: $0) } }

  /// Its location by the firmware: `label` in Documentation/ABI/testing/sysfs-bus-iio.
  package var label: String? { parallax_iio_device_get_label(raw).map { String(cString: $0) } }

  package var isTrigger: Bool { parallax_iio_device_is_trigger(raw) }

  /// Returns an input channel by its id, as in `anglvel_x` or `timestamp`.
  package func channel(_ id: String) -> IIOChannel? {
    parallax_iio_device_find_input(raw, id).map { IIOChannel(device: self, raw: $0) }
  }

  var channels: [IIOChannel] {
    (0..<parallax_iio_device_get_channels_count(raw)).compactMap { index in
      parallax_iio_device_get_channel(raw, index).map { IIOChannel(device: self, raw: $0) }
    }
  }

  // MARK: - Attributes

  package func hasAttribute(_ name: String) -> Bool { parallax_iio_device_has_attr(raw, name) }

  /// - Throws: ENOENT if there is none of that name, else the driver's error.
  package func read(_ name: String) throws(DriverError) -> String {
    try IIOText.read("reading \(name)") { text, size in
      parallax_iio_device_attr_read(raw, name, text, size)
    }
  }

  package func write(_ name: String, _ text: String) throws(DriverError) {
    try DriverError.check(
      parallax_iio_device_attr_write(raw, name, text), "writing \(text) to \(name)")
  }

  // MARK: - Trigger

  /// The trigger that makes it measure into its buffer; nil: none is set.
  package var trigger: IIODevice? {
    var trigger: OpaquePointer?
    guard parallax_iio_device_get_trigger(raw, &trigger) == 0 else { return nil }
    return trigger.map { IIODevice(context: context, raw: $0) }
  }

  /// Whether it uses a trigger. Chips with their own queue do not.
  package var takesTrigger: Bool {
    var trigger: OpaquePointer?
    return parallax_iio_device_get_trigger(raw, &trigger) != -ENOENT
  }

  package func set(trigger: IIODevice) throws(DriverError) {
    try DriverError.check(
      Int(parallax_iio_device_set_trigger(raw, trigger.raw)),
      "setting the trigger \(trigger.name ?? trigger.id)")
  }
}

/// A channel of a device, as one axis.
package struct IIOChannel {
  package let device: IIODevice
  let raw: OpaquePointer

  package var id: String { String(cString: parallax_iio_channel_get_id(raw)) }

  /// Whether it is available through the buffer.
  package var isScanElement: Bool { parallax_iio_channel_is_scan_element(raw) }

  /// Whether it has the attribute, also as one shared with other channels (`in_anglvel_scale` is
  /// `scale` of each axis).
  package func hasAttribute(_ name: String) -> Bool { parallax_iio_channel_has_attr(raw, name) }

  /// Reading `raw` may take any time.
  ///
  /// - Throws: ENOENT if there is none of that name, else the driver's error.
  package func read(_ name: String) throws(DriverError) -> String {
    try IIOText.read("reading \(name) of \(id)") { text, size in
      parallax_iio_channel_attr_read(raw, name, text, size)
    }
  }

  package func write(_ name: String, _ text: String) throws(DriverError) {
    try DriverError.check(
      parallax_iio_channel_attr_write(raw, name, text), "writing \(text) to \(name) of \(id)")
  }

  /// Includes it in the next buffer, or not.
  func setEnabled(_ isEnabled: Bool) {
    if isEnabled { parallax_iio_channel_enable(raw) } else { parallax_iio_channel_disable(raw) }
  }
}

/// An attribute's text.
enum IIOText {
  /// A sysfs file is at most a page.
  private static let limit = 4096

  static func read(
    _ action: @autoclosure () -> String, _ call: (UnsafeMutablePointer<CChar>, Int) -> Int
  ) throws(DriverError) -> String {
    var result: Result<String, DriverError> = .success("")
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: limit) { buffer in
      guard let text = buffer.baseAddress else { return }
      let count = call(text, limit - 1)
      guard count >= 0 else {
        result = .failure(
          DriverError(number: Int32(truncatingIfNeeded: -count), action: action()))
        return
      }
      buffer[min(count, limit - 1)] = 0
      result = .success(String(cString: text))
    }
    var text = try result.get()
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return text
  }
}
