extension DoctorFacts {
  /// What the two buses say, and who runs the daemon.
  struct Session: Equatable, Sendable {
    var portal = Portal.noBus("")
    var power = Power.noBus("")
    var sensorProxy = SensorProxy.noBus("")
    /// The user of the daemon that runs; nil: none runs, or it cannot be told.
    var daemonUser: UInt32?
  }

  /// The portal on the session bus.
  enum Portal: Equatable, Sendable {
    /// Why the bus is not there.
    case noBus(String)
    /// Nobody has the name.
    case absent
    case silent(seconds: Int)
    /// - Parameters:
    ///   - version: of `org.freedesktop.portal.Settings`; nil: it does not say.
    ///   - reducedMotion: of `org.freedesktop.appearance`; nil: the portal does not know the key.
    ///   - animations: GNOME's `enable-animations`; nil: not GNOME, or not shared.
    case there(version: UInt32?, reducedMotion: Bool?, animations: Bool?)
  }

  /// Who knows whether power is low, on the system bus.
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
