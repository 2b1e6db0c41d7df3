package import ParallaxMotion

/// What is known of a gyroscope without opening it.
///
/// Source: Linux Documentation/ABI/testing/sysfs-bus-iio.
package struct GyroDescription: Equatable, Sendable {
  /// The kernel's number for it, as in `iio:device0`: another one after a replug.
  package var id: String
  /// The driver's name for it, as in `gyro_3d`; the id where it gives none.
  package var name: String
  /// Attribute `label`: where it is, as in `accel-display`.
  package var label: String?
  /// Attribute `location`, as in `lid`, or what the firmware says of the parent device.
  package var location: String?
  /// The parent device below /sys, as in `/devices/platform/HID-SENSOR-200076.1.auto`; nil for
  /// another machine's.
  package var parentPath: String?
  /// The parent device's kernel driver, as in `hid_sensor_gyro_3d`.
  package var driver: String?
  /// rad/s per LSB. nil: the driver says none, and nothing can be read.
  package var scale: Double?
  /// LSB, added before the scale. Default: 0.
  package var offset: Double
  /// Hz, as it is now. nil: the driver says none, or 0.
  package var rate: Double?
  package var availableRates: RateList
  package var mountMatrix: MountMatrixReading
  package var trigger: TriggerReading
  /// Whether the three axes can be had through the buffer.
  package var hasBuffer: Bool
  /// Whether its timestamps count the device's own time, whatever clock is set (a HID sensor's
  /// timestamp field): only their differences mean something.
  package var hasDeviceTimestamps: Bool
  package var access: GyroAccess
  /// The accelerometer that its buffer can hold too; nil: there is none, or it has no scale.
  package var accelerometer: AccelDescription?

  package init(
    id: String, name: String, label: String? = nil, location: String? = nil,
    parentPath: String? = nil, driver: String? = nil, scale: Double? = nil, offset: Double = 0,
    rate: Double? = nil, availableRates: RateList = .unknown,
    mountMatrix: MountMatrixReading = .absent, trigger: TriggerReading = .none,
    hasBuffer: Bool = false, hasDeviceTimestamps: Bool = false, access: GyroAccess = .full,
    accelerometer: AccelDescription? = nil
  ) {
    self.id = id
    self.name = name
    self.label = label
    self.location = location
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

  /// Whether the kernel can collect scans for us, access aside.
  package var canStream: Bool { hasBuffer && trigger != .none }

  /// How it can be read as this user.
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
  /// Its axes are asked for one by one: less even, and not at one instant.
  case polled
  case impossible
}

/// What a driver says about how the sensor is built in.
package enum MountMatrixReading: Equatable, Sendable {
  case absent
  case rotation(MountMatrix)
  /// It is no rotation; `why` says so for a person.
  case refused(text: String, why: String)
}

/// What makes a device measure into its buffer.
package enum TriggerReading: Equatable, Sendable {
  /// This one is set.
  case current(name: String)
  /// The driver's own, by its name; not set yet.
  case own(name: String)
  /// It takes none: scans come from the device's own queue (`lsm6dsx`, `cros-ec-gyro`).
  case notNeeded
  /// It needs one, and the driver brings none along: no interrupt line, as a rule.
  case none

  package var name: String? {
    switch self {
    case .current(let name), .own(let name): name
    case .notNeeded, .none: nil
    }
  }
}

/// What this user may do with a gyroscope.
package struct GyroAccess: Equatable, Sendable {
  /// The device node can be opened for reading and writing.
  package var node: Bool
  /// The settings that streaming touches, which are not writable: paths below the device's folder, as
  /// in `buffer/enable`. Those that nobody can write are left out.
  package var refusedSettings: [String]
  /// The three raw values can be read.
  package var raw: Bool

  /// Every setting that a buffer needs is writable.
  package var settings: Bool { refusedSettings.isEmpty }

  package init(node: Bool, refusedSettings: [String], raw: Bool) {
    self.node = node
    self.refusedSettings = refusedSettings
    self.raw = raw
  }

  /// Also another machine's: its own side says what is refused.
  package static let full = GyroAccess(node: true, refusedSettings: [], raw: true)
}
