package import ParallaxMotion

/// What a sample's time is of.
package enum SampleClock: Equatable, Sendable {
  /// CLOCK_MONOTONIC, taken by the kernel when the trigger fired.
  case monotonic
  /// Another clock: only differences mean something.
  case foreign(String)
  /// CLOCK_MONOTONIC, taken when the values were read: the sensor's own time is not known.
  case reading(String)
}

/// A gyroscope as it was opened: what was granted, and what a person should know.
package struct GyroFacts: Equatable, Sendable {
  package var id: String
  package var name: String
  /// See `GyroDescription.parentPath`.
  package var parentPath: String?
  /// Samples a second, as the device says it now (a polled one: as it is asked), Hz; nil where it says
  /// none.
  package var rateHertz: Double?
  package var mountMatrix: MountMatrix?
  package var clock: SampleClock
  /// Why it is polled; nil where it streams.
  package var pollingReason: String?
  /// What is odd about it, a line each.
  package var warnings: [String]
  package var accelerometer: AccelUse

  package init(
    id: String, name: String, parentPath: String? = nil, rateHertz: Double? = nil,
    mountMatrix: MountMatrix? = nil, clock: SampleClock = .monotonic,
    pollingReason: String? = nil, warnings: [String] = [], accelerometer: AccelUse = .elsewhere
  ) {
    self.id = id
    self.name = name
    self.parentPath = parentPath
    self.rateHertz = rateHertz
    self.mountMatrix = mountMatrix
    self.clock = clock
    self.pollingReason = pollingReason
    self.warnings = warnings
    self.accelerometer = accelerometer
  }
}

/// A gyroscope that can be read.
package struct OpenedGyro {
  package let facts: GyroFacts
  package let reader: GyroReader
}

/// How to read it.
package enum GyroReader {
  /// This machine's kernel collects scans: read without blocking, whenever the descriptor is readable.
  case streaming(StreamingGyro)
  /// Another machine's does (`ip:`, `usb:`, `serial:`): a read waits for the next scan.
  case remote(StreamingGyro)
  /// Its values are asked for, one after the other; a read takes as long as the driver likes.
  case polled(PolledGyro)
}

/// A sample with the time of whatever clock it has.
package struct GyroScan: Equatable, Sendable {
  /// ns; nil where the device gives none.
  package var stampNanoseconds: Int64?
  /// In the sensor's frame, before bias.
  package var rateRadPerSec: AngularRate
  /// In the accelerometer's frame; nil where it is not read along.
  package var acceleration: Acceleration?

  package init(
    stampNanoseconds: Int64?, rateRadPerSec: AngularRate, acceleration: Acceleration? = nil
  ) {
    self.stampNanoseconds = stampNanoseconds
    self.rateRadPerSec = rateRadPerSec
    self.acceleration = acceleration
  }
}

/// From a driver's numbers to rad/s or m/s²: value = (raw + offset) * scale
/// (Linux Documentation/ABI/testing/sysfs-bus-iio).
struct RawScale: Equatable, Sendable {
  var offset: Double
  var scale: Double

  func value(_ raw: Double) -> Double { (raw + offset) * scale }

  func rate(_ x: Double, _ y: Double, _ z: Double) -> AngularRate {
    AngularRate(x: (x + offset) * scale, y: (y + offset) * scale, z: (z + offset) * scale)
  }
}
