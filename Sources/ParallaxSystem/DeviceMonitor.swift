import CSystemd
import Glibc

/// What happened to a device of the kernel's.
package enum DeviceChange: Equatable, Sendable {
  /// It came, or something about it changed. `id` as in `iio:device0`.
  case added(id: String)
  case removed(id: String)
}

/// Tells when devices come and go, as udev says it (sd-device): behind udev's rules, so that whoever is
/// told may open the device. Without a running udevd nothing is ever told.
package final class DeviceMonitor {
  private let monitor: OpaquePointer
  private let handler: (DeviceChange) -> Void

  /// - Parameter subsystem: as in `iio`.
  package init(
    _ loop: EventLoop, subsystem: String, handler: @escaping (DeviceChange) -> Void
  ) throws(SystemError) {
    var monitor: OpaquePointer?
    try SystemError.check(sd_device_monitor_new(&monitor), "sd_device_monitor_new")
    guard let monitor else { throw SystemError(number: ENOMEM, call: "sd_device_monitor_new") }
    self.monitor = monitor
    self.handler = handler
    try SystemError.check(
      sd_device_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil),
      "sd_device_monitor_filter_add_match_subsystem_devtype")
    try SystemError.check(
      sd_device_monitor_attach_event(monitor, loop.raw), "sd_device_monitor_attach_event")
    // Not retained: `deinit` stops the monitor, and a stopped one calls nobody.
    try SystemError.check(
      sd_device_monitor_start(
        monitor,
        { _, device, userdata in
          guard let device, let userdata else { return 0 }
          let this = Unmanaged<DeviceMonitor>.fromOpaque(userdata).takeUnretainedValue()
          // The handler may drop the last reference to its own monitor.
          withExtendedLifetime(this) { this.take(device) }
          return 0
        }, Unmanaged.passUnretained(self).toOpaque()),
      "sd_device_monitor_start")
  }

  deinit {
    sd_device_monitor_stop(monitor)
    sd_device_monitor_unref(monitor)
  }

  private func take(_ device: OpaquePointer) {
    var action = SD_DEVICE_ADD
    var name: UnsafePointer<CChar>?
    guard sd_device_get_action(device, &action) >= 0,
      sd_device_get_sysname(device, &name) >= 0, let name
    else { return }
    let id = String(cString: name)
    handler(action == SD_DEVICE_REMOVE ? .removed(id: id) : .added(id: id))
  }
}
