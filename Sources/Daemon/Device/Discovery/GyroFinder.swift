// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Finds gyroscopes: devices with all three angular rates.
///
/// Only reads attributes; opens no stream and writes nothing.
package enum GyroFinder {
  /// The gyroscopes that were found.
  package struct Found {
    /// Those of IIO in libiio's order, then the input devices.
    package var gyroscopes: [GyroDescription]
    /// Where those of IIO are opened; nil: this kernel has no IIO, or it was not searched.
    var context: IIOContext?
  }

  /// Finds gyroscopes.
  ///
  /// - Parameters:
  ///   - interface: Where to search; nil: everywhere.
  ///   - uri: As in `IIOContext`, for IIO only; nil: this machine.
  /// - Throws: `.none` without libiio, or if the context cannot be opened, unless there is an input device.
  package static func find(
    _ interface: GyroInterface?, uri: String?
  ) throws(DeviceError) -> Found {
    let isHere = uri == nil || uri == "local:"
    var found = Found(gyroscopes: [])
    if interface != .iio, isHere { found.gyroscopes = EvdevNodes().gyroscopes() }
    guard interface != .evdev else { return found }
    do throws(DeviceError) {
      found.context = try context(uri: uri)
    } catch {
      if found.gyroscopes.isEmpty { throw error }
    }
    found.gyroscopes = (found.context.map { gyroscopes(of: $0) } ?? []) + found.gyroscopes
    return found
  }

  /// Opens a context; nil: this kernel has no IIO.
  static func context(uri: String?) throws(DeviceError) -> IIOContext? {
    try IIOLibrary.load()
    do throws(DriverError) {
      return try IIOContext(uri: uri)
    } catch {
      // ENOENT: there is no /sys/bus/iio. The module is loaded with the first sensor.
      if (uri == nil || uri == "local:") && error.number == ENOENT { return nil }
      let uri = uri ?? "local:"
      let advice =
        uri.hasPrefix("xml:") ? "check the file" : "check the URI and whether iiod is running there"
      throw .none("\(uri) cannot be opened: \(DriverError.text(error.number)); \(advice)")
    }
  }

  static func gyroscopes(of context: IIOContext) -> [GyroDescription] {
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
