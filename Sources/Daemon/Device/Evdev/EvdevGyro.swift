// SPDX-License-Identifier: Apache-2.0

import CEvdev
import Glibc
package import ParallaxBase
import ParallaxMotion

/// A gyroscope whose driver offers it as an input device, such as a game controller's.
///
/// It is never grabbed: other programs may read it, too. Not safe for several threads.
package final class EvdevGyro: ScanStream {
  package let descriptor: Int32
  /// The clock of its scans.
  let clock: SampleClock
  private let device: OpaquePointer
  private var scans: EvdevScans
  private var flags = LIBEVDEV_READ_FLAG_NORMAL.rawValue
  private var isClosed = false

  /// Opens a node for reading.
  ///
  /// - Parameter model: nil for an unknown device.
  /// - Throws: EACCES without permission, ENOENT or ENODEV if it is gone, EINVAL if an axis has no unit.
  init(node: String, model: EvdevModel?) throws(DriverError) {
    descriptor = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("opening \(node)") }
    var device: OpaquePointer?
    let code = libevdev_new_from_fd(descriptor, &device)
    guard code == 0, let device else {
      Glibc.close(descriptor)
      throw DriverError(number: -code, action: "reading the axes of \(node)")
    }
    self.device = device
    do throws(DriverError) {
      guard let scale = Self.scale(of: device) else {
        throw DriverError(number: EINVAL, action: "finding the unit of the axes of \(node)")
      }
      try DriverError.check(
        Int(libevdev_set_clock_id(device, CLOCK_MONOTONIC)), "setting the clock of \(node)")
      Self.leaveOutAccelerometer(descriptor)
      let timing = model?.timing ?? .counter
      let counts = libevdev_has_event_code(device, UInt32(EV_MSC), UInt32(MSC_TIMESTAMP)) != 0
      let isCounted = timing == .counter && counts
      clock =
        isCounted ? .foreign("its timestamps are from the controller's own clock") : .monotonic
      scans = EvdevScans(
        scale: scale, raw: Self.vector { Self.value(of: $0, device) },
        timing: timing == .counter && !counts ? .kernel : timing)
    } catch {
      libevdev_free(device)
      Glibc.close(descriptor)
      throw error
    }
  }

  deinit { close() }

  package func close() {
    guard !isClosed else { return }
    isClosed = true
    libevdev_free(device)
    Glibc.close(descriptor)
  }

  /// rad/s per unit of each axis; nil: the driver states no resolution (units per degree/s).
  static func scale(of device: OpaquePointer) -> AngularRate? {
    let scale = vector { axis in
      let unitsPerDegree = libevdev_get_abs_resolution(device, UInt32(axis))
      return unitsPerDegree > 0 ? .pi / 180 / Double(unitsPerDegree) : .nan
    }
    return scale.isFinite ? scale : nil
  }

  /// rad/s per unit of the x axis, for `GyroDescription`; nil: the node cannot be read, or states none.
  static func scale(ofNode node: String) -> Double? {
    let descriptor = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    var device: OpaquePointer?
    guard libevdev_new_from_fd(descriptor, &device) == 0, let device else { return nil }
    defer { libevdev_free(device) }
    return scale(of: device)?.x
  }

  private static func vector(_ value: (Int32) -> Double) -> AngularRate {
    AngularRate(x: value(ABS_RX), y: value(ABS_RY), z: value(ABS_RZ))
  }

  private static func value(of axis: Int32, _ device: OpaquePointer) -> Double {
    Double(libevdev_get_event_value(device, UInt32(EV_ABS), UInt32(axis)))
  }

  /// Asks the kernel for the three angular rates only: its queue of 128 events then holds 25 reports
  /// instead of 16. A kernel before 4.4 sends all axes.
  private static func leaveOutAccelerometer(_ descriptor: Int32) {
    parallax_evdev_set_mask(
      descriptor, UInt32(EV_ABS), 1 << UInt64(ABS_RX) | 1 << UInt64(ABS_RY) | 1 << UInt64(ABS_RZ))
  }

  /// Returns the oldest scan that was not returned yet; nil: there is none.
  ///
  /// - Throws: ENODEV if the device is gone.
  package func next(clock: () -> MotionInstant) throws(DriverError) -> GyroScan? {
    var event = input_event()
    while true {
      let result = libevdev_next_event(device, flags, &event)
      if result == Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue),
        flags == LIBEVDEV_READ_FLAG_NORMAL.rawValue
      {
        flags = LIBEVDEV_READ_FLAG_SYNC.rawValue
        scans.beginResync()
      } else if result >= 0 {
        let time = MotionInstant(nanoseconds: parallax_event_microseconds(&event) * 1_000)
        if let scan = scans.add(
          type: event.type, code: event.code, value: event.value, time: time, arrival: clock)
        {
          return scan
        }
      } else if result != -EAGAIN {
        throw DriverError(number: -result, action: "reading events")
      } else if flags == LIBEVDEV_READ_FLAG_SYNC.rawValue {
        flags = LIBEVDEV_READ_FLAG_NORMAL.rawValue
        scans.endResync()
      } else {
        return nil
      }
    }
  }
}
