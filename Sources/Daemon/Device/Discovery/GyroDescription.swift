// SPDX-License-Identifier: Apache-2.0

package import ParallaxConfig
package import ParallaxMotion

/// The interface that offers a gyroscope: the word in `source.kind` and in DEVICE's `driver`.
package enum GyroInterface: String, Equatable, Sendable {
  /// The kernel's subsystem for sensors, industrial I/O.
  case iio
  /// An input device of the kernel.
  case evdev
  /// A program, over the control socket.
  case feed
}

/// A gyroscope's properties, known without opening it.
///
/// Source: Linux Documentation/ABI/testing/sysfs-bus-iio; `EvdevNodes` for input devices.
package struct GyroDescription: Equatable, Sendable {
  /// The kernel's id, as in `iio:device0` or `event7`. It changes with a replug.
  package var id: String
  package var interface: GyroInterface
  /// The driver's name for it, as in `gyro_3d`; the id if it has none.
  package var name: String
  /// The attribute `label`: its location, as in `accel-display`.
  package var label: String?
  /// The attribute `location`, as in `lid`, or the parent device's location by the firmware.
  package var location: String?
  /// What is known of an input device's kind; nil: nothing.
  package var model: EvdevModel?
  /// The device's own number, as a controller's Bluetooth address; nil: it has none.
  package var uniq: String?
  /// The parent device below /sys, as in `/devices/platform/HID-SENSOR-200076.1.auto`; nil on
  /// another machine.
  package var parentPath: String?
  /// The parent device's kernel driver, as in `hid_sensor_gyro_3d`.
  package var driver: String?
  /// rad/s per LSB; nil: the driver states none, and it cannot be used.
  package var scale: Double?
  /// LSB, added before the scale. Default: 0.
  package var offset: Double
  /// The present rate, Hz; nil: the driver states none, or 0.
  package var rate: Double?
  package var availableRates: RateList
  package var mountMatrix: MountMatrixReading
  package var trigger: TriggerReading
  /// Whether the three axes are available through the buffer.
  package var hasBuffer: Bool
  /// Whether its timestamps are from the device's own clock, whichever clock is set (a HID sensor's
  /// timestamp field): only their differences mean something.
  package var hasDeviceTimestamps: Bool
  package var access: GyroAccess
  /// The accelerometer in the same buffer; nil: there is none, or it has no scale.
  package var accelerometer: AccelDescription?

  package init(
    id: String, interface: GyroInterface = .iio, name: String, label: String? = nil,
    location: String? = nil, model: EvdevModel? = nil, uniq: String? = nil,
    parentPath: String? = nil, driver: String? = nil,
    scale: Double? = nil, offset: Double = 0,
    rate: Double? = nil, availableRates: RateList = .unknown,
    mountMatrix: MountMatrixReading = .absent, trigger: TriggerReading = .none,
    hasBuffer: Bool = false, hasDeviceTimestamps: Bool = false, access: GyroAccess = .full,
    accelerometer: AccelDescription? = nil
  ) {
    self.id = id
    self.interface = interface
    self.name = name
    self.label = label
    self.location = location
    self.model = model
    self.uniq = uniq
    self.parentPath = parentPath
    self.driver = driver
    self.scale = scale
    self.offset = offset
    self.rate = rate
    self.availableRates = availableRates
    self.mountMatrix = mountMatrix
    self.trigger = trigger
    self.hasBuffer = hasBuffer
    self.hasDeviceTimestamps = hasDeviceTimestamps
    self.access = access
    self.accelerometer = accelerometer
  }

  /// Whether the kernel can collect scans, apart from permissions.
  package var canStream: Bool { hasBuffer && trigger != .none }

  /// What stays the same when it is plugged in again, and tells it from another of its name: its own
  /// number, else where it is plugged in. Its zero offset is stored under it.
  package var place: String { uniq ?? StableDevicePath.of(parentPath ?? "") }

  /// The device node, on this machine.
  package var node: String { interface == .evdev ? "/dev/input/\(id)" : "/dev/\(id)" }

  /// How this user can read it.
  package var reading: GyroReading {
    if scale == nil { return .impossible }
    if canStream && access.node && access.settings { return .buffered }
    return access.raw ? .polled : .impossible
  }
}

/// How a gyroscope can be read.
package enum GyroReading: String, Equatable, Sendable {
  /// The kernel collects timed scans.
  case buffered
  /// Its axes are read one by one: less regular, and not at one instant.
  case polled
  case impossible
}

/// The mount matrix that a driver states.
package enum MountMatrixReading: Equatable, Sendable {
  case absent
  case rotation(MountMatrix)
  /// It is not a rotation; `why` is for the user.
  case refused(text: String, why: String)
}

/// The trigger that makes a device measure into its buffer.
package enum TriggerReading: Equatable, Sendable {
  /// This one is set.
  case current(name: String)
  /// The driver has created this one; it is not set yet.
  case own(name: String)
  /// It needs none: scans come from the device's own queue (`lsm6dsx`, `cros-ec-gyro`).
  case notNeeded
  /// It needs one, and there is none: usually its interrupt line is not wired.
  case none

  package var name: String? {
    switch self {
    case .current(let name), .own(let name): name
    case .notNeeded, .none: nil
    }
  }
}

/// This user's permissions for a gyroscope.
package struct GyroAccess: Equatable, Sendable {
  /// Whether the device node can be opened for reading and writing.
  package var node: Bool
  /// The settings of streaming that are not writable, as paths below the device's folder
  /// (`buffer/enable`). Files that no user can write are not included.
  package var refusedSettings: [String]
  /// Whether the three raw values can be read.
  package var raw: Bool

  /// Whether every setting of streaming is writable.
  package var settings: Bool { refusedSettings.isEmpty }

  package init(node: Bool, refusedSettings: [String], raw: Bool) {
    self.node = node
    self.refusedSettings = refusedSettings
    self.raw = raw
  }

  /// Full access. Also for another machine, which decides by itself.
  package static let full = GyroAccess(node: true, refusedSettings: [], raw: true)
}

extension SourceKind {
  /// Where this kind of source looks for a gyroscope of this machine; nil: everywhere.
  package var gyroInterface: GyroInterface? {
    switch self {
    case .iio: .iio
    case .evdev: .evdev
    case .gyroscope, .automatic, .feed, .trace, .synthetic: nil
    }
  }
}
