// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// The clock of a device's samples.
package enum SampleClock: Equatable, Sendable {
  /// CLOCK_MONOTONIC, read by the kernel when the trigger fired.
  case monotonic
  /// Another clock, and why: only differences of its times mean something.
  case foreign(String)
  /// CLOCK_MONOTONIC, read with the values, and why: the time of the measurement is not known.
  case reading(String)

  /// Why the age of a sample is unknown; nil: it is known.
  package var latencyNote: String? {
    switch self {
    case .monotonic: nil
    case .foreign(let reason), .reading(let reason): reason
    }
  }
}

/// An open gyroscope: what was granted, and what the user should know.
package struct GyroFacts: Equatable, Sendable {
  package var id: String
  package var interface: GyroInterface
  package var name: String
  /// As `GyroDescription.place`.
  package var place: String
  /// Samples per second as the device states them (polled: as it is read), Hz; nil: it states none.
  package var rateHertz: Double?
  package var mountMatrix: MountMatrix?
  package var clock: SampleClock
  /// Why it is polled; nil: it streams.
  package var pollingReason: String?
  /// Oddities, one line each.
  package var warnings: [String]
  package var accelerometer: AccelUse
  /// Whether it is held apart from the screen, as a controller or a phone is: its axes are those of a person
  /// who faces the screen, however the screen is turned.
  package var isHandheld: Bool

  package init(
    id: String, interface: GyroInterface = .iio, name: String, place: String = "",
    rateHertz: Double? = nil, mountMatrix: MountMatrix? = nil, clock: SampleClock = .monotonic,
    pollingReason: String? = nil, warnings: [String] = [], accelerometer: AccelUse = .elsewhere,
    isHandheld: Bool = false
  ) {
    self.id = id
    self.interface = interface
    self.name = name
    self.place = place
    self.rateHertz = rateHertz
    self.mountMatrix = mountMatrix
    self.clock = clock
    self.pollingReason = pollingReason
    self.warnings = warnings
    self.accelerometer = accelerometer
    self.isHandheld = isHandheld
  }

  /// The time between two samples; zero: not known. Limited to 10 s, see `SilenceRule`.
  package var period: MotionDuration {
    guard let rateHertz, rateHertz > 0 else { return .zero }
    return .nanoseconds(Int64(min(1e9 / rateHertz, 1e10)))
  }
}

/// A gyroscope that is ready to be read.
package struct OpenedGyro {
  package let facts: GyroFacts
  package let transport: GyroTransport
}

/// How the samples of an open gyroscope are read.
package enum GyroTransport {
  /// This machine's kernel collects scans, which are read without blocking when the descriptor is
  /// readable.
  case streaming(any ScanStream)
  /// Another machine collects them (`ip:`, `usb:`, `serial:`); a read waits for the next scan.
  case remote(StreamingGyro)
  /// The values are read one by one; a read may take any time.
  case polled(PolledGyro)
}
