// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Finds gyroscopes: devices with all three angular rates.
///
/// Only reads attributes; opens no stream and writes nothing.
package enum GyroFinder {
  /// Finds the gyroscopes of a context.
  ///
  /// - Parameter uri: As in `IIOContext`; nil: this machine.
  /// - Returns: In libiio's order; empty if this kernel has no IIO.
  /// - Throws: `.none` without libiio, or if the context cannot be opened.
  package static func find(uri: String?) throws(DeviceError) -> [GyroDescription] {
    try context(uri: uri).map { gyroscopes(of: $0) } ?? []
  }

  /// Opens a context; nil: this kernel has no IIO.
  static func context(uri: String?) throws(DeviceError) -> IIOContext? {
    try IIOLibrary.load()
    do throws(IIOError) {
      return try IIOContext(uri: uri)
    } catch {
      // ENOENT: there is no /sys/bus/iio. The module is loaded with the first sensor.
      if (uri == nil || uri == "local:") && error.number == ENOENT { return nil }
      let uri = uri ?? "local:"
      let advice =
        uri.hasPrefix("xml:") ? "check the file" : "check the URI and whether iiod is running there"
      throw .none("\(uri) cannot be opened: \(IIOError.text(error.number)); \(advice)")
    }
  }

  package static func gyroscopes(of context: IIOContext) -> [GyroDescription] {
    let devices = context.devices
    let triggers = devices.filter(\.isTrigger).map { trigger in
      TriggerFacts(
        name: trigger.name ?? trigger.id,
        parentPath: context.isLocal ? SysfsDevice(id: trigger.id)?.parentPath : nil)
    }
    return devices.filter(\.isGyroscope).map { describe($0, triggers: triggers) }
  }

  private static func describe(
    _ device: IIODevice, triggers: [TriggerFacts]
  ) -> GyroDescription {
    let source = IIOAttributes(device: device)
    let attributes = GyroAttributes(source)
    let sysfs = device.context.isLocal ? SysfsDevice(id: device.id) : nil
    let name = device.name ?? device.id
    return GyroDescription(
      id: device.id, name: name, label: device.label ?? sysfs?.label,
      location: sysfs?.location ?? (try? device.read("location")), parentPath: sysfs?.parentPath,
      driver: sysfs?.driver, scale: attributes.scale, offset: attributes.offset,
      rate: attributes.rate, availableRates: attributes.availableRates,
      mountMatrix: attributes.mountMatrix,
      trigger: trigger(
        of: device, sysfs,
        own: OwnTrigger.name(
          forDevice: name, id: device.id, parentPath: sysfs?.parentPath, among: triggers)),
      hasBuffer: device.hasScanElements(GyroAttributes.axes),
      hasDeviceTimestamps: sysfs?.hasDeviceTimestamps ?? false,
      access: sysfs?.gyroAccess ?? .full,
      accelerometer: device.hasScanElements(AccelDescription.axes)
        ? AccelDescription(source, property: sysfs?.udevProperty("ACCEL_MOUNT_MATRIX")) : nil)
  }

  private static func trigger(
    of device: IIODevice, _ sysfs: SysfsDevice?, own: String?
  ) -> TriggerReading {
    guard sysfs?.takesTrigger ?? device.takesTrigger else { return .notNeeded }
    if let name = sysfs?.currentTrigger ?? device.trigger?.name { return .current(name: name) }
    return own.map { .own(name: $0) } ?? .none
  }
}

extension IIODevice {
  /// Whether all of these channels are available through the buffer.
  fileprivate func hasScanElements(_ channels: [String]) -> Bool {
    channels.allSatisfy { channel($0)?.isScanElement ?? false }
  }

  /// Whether it measures all three angular rates.
  package var isGyroscope: Bool {
    !isTrigger
      && GyroAttributes.axes.allSatisfy { axis in
        channel(axis)?.hasAttribute("raw") ?? false
      }
  }
}

/// Attributes read through libiio.
private struct IIOAttributes: AttributeReading {
  let device: IIODevice

  func channelAttribute(_ name: String, of channel: String) -> String? {
    guard let channel = device.channel(channel), channel.hasAttribute(name) else { return nil }
    return (try? channel.read(name)).flatMap { $0.isEmpty ? nil : $0 }
  }

  func deviceAttribute(_ name: String) -> String? {
    guard device.hasAttribute(name) else { return nil }
    return (try? device.read(name)).flatMap { $0.isEmpty ? nil : $0 }
  }
}
