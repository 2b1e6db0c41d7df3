// SPDX-License-Identifier: Apache-2.0

extension DoctorFacts {
  /// What the two buses report, and who runs the daemon.
  struct Session: Equatable, Sendable {
    var portal = Portal.noBus("")
    var power = Power.noBus("")
    var sensorProxy = SensorProxy.noBus("")
    /// The user who runs the daemon; nil if no daemon runs or its user is unknown.
    var daemonUser: UInt32?
  }

  /// The portal on the session bus.
  enum Portal: Equatable, Sendable {
    /// Why there is no bus.
    case noBus(String)
    /// No program has the name.
    case absent
    case silent(seconds: Int)
    /// - Parameters:
    ///   - version: Of `org.freedesktop.portal.Settings`; nil if the portal does not report it.
    ///   - reducedMotion: Of `org.freedesktop.appearance`; nil if the portal does not know the key.
    ///   - animations: GNOME's `enable-animations`; nil if it is not GNOME or does not share it.
    case there(version: UInt32?, reducedMotion: Bool?, animations: Bool?)
  }

  /// The service on the system bus that knows whether power is low.
  enum Power: Equatable, Sendable {
    case noBus(String)
    /// A profile daemon and its active profile.
    case profile(String)
    /// UPower and the warning level of the battery (1 none, 3 low, 4 critical, 5 action).
    case upower(warningLevel: UInt32)
    /// Neither.
    case absent
    case silent(seconds: Int)
  }

  /// iio-sensor-proxy, on the system bus.
  enum SensorProxy: Equatable, Sendable {
    case noBus(String)
    case absent
    case there(hasAccelerometer: Bool)
    case silent(seconds: Int)
  }
}
