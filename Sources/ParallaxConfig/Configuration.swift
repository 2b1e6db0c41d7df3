package import ParallaxMotion

/// Everything a daemon is told: the contents of the configuration files, environment and `--set`,
/// checked and put together. `Configuration()` is the built-in default of every key.
///
/// An optional that is `nil` was left out (or said "auto" or ""): who uses it decides.
package struct Configuration: Equatable, Sendable {
  package var source = Source()
  package var sampling = Sampling()
  /// `[motion]`, with `sampling.rate`, `sampling.resample` and `gates.fade`, which the pipeline
  /// needs in one place.
  package var motion = MotionSettings()
  package var orientation = OrientationChoice()
  package var gates = Gates()
  /// `[layers]`, in the order of the file.
  package var layers = LayerSet.none
  package var animations = Animations()
  package var socket = Socket()

  package init() {}

  /// `[source]`: where samples come from.
  package struct Source: Equatable, Sendable {
    package var kind = SourceKind.iio
    /// Name or id of the gyroscope; nil: the best one found.
    package var device: String?
    /// libiio context; nil: this machine's own.
    package var uri: String?
    /// The file that `kind = "trace"` plays.
    package var trace: String?
    /// Whether a trace begins anew at its end.
    package var loops = false
  }

  /// `[sampling]`: what the device is asked for. Rate and resampling are in `motion`.
  package struct Sampling: Equatable, Sendable {
    /// Samples wanted for each frame; nil: decided by mode and device.
    package var oversample: Int?

    package static let oversampleRange = 1...64
  }

  /// `[orientation]`: how the screen is turned.
  package struct OrientationChoice: Equatable, Sendable {
    /// nil: follow the agent, SensorProxy or the accelerometer.
    package var source: Orientation?
    /// How the panel is built into the device; composed with whatever is followed.
    package var panel = Orientation.normal
  }

  /// `[gates]`: what stills the motion. The fade's length is `motion.fadeSeconds`.
  package struct Gates: Equatable, Sendable {
    package var reduceMotion = ManualGate.auto
    package var lowPower = ManualGate.auto
    package var reduced = ReducedStyle.still
    /// The gain that is left under reduce motion with `reduced = "subtle"`, 0...1.
    package var subtleGain = 0.25

    /// The gain that an active reduce-motion reason leaves.
    package var reducedGain: Double { reduced == .still ? 0 : subtleGain }
  }

  /// `[animations]`: where documents are found and which play by themselves.
  package struct Animations: Equatable, Sendable {
    package var directory: String?
    package var url: String?
    package var onConnect: String?
    package var idle: String?
  }

  /// `[socket]`: where the daemon listens and whom it admits.
  package struct Socket: Equatable, Sendable {
    /// nil: `SocketPaths` decides.
    package var path: String?
    /// nil: `control.sock` beside `path`.
    package var control: String?
    package var access = SocketAccess.session
    /// User names or numbers that may control, besides root and the daemon's own.
    package var controlUsers: [String] = []
    /// A group's name or number whose members may control.
    package var controlGroup: String?
    package var maxSubscribers = 256
    package var maxPerUser = 32
  }
}

/// What `source.kind` names.
package enum SourceKind: Equatable, Sendable {
  /// A gyroscope of the kernel's; waits for one.
  case iio
  /// The file `source.trace`.
  case trace
  /// An endless hand-like motion, the same for the same seed.
  case synthetic(seed: UInt64)
  /// The first gyroscope; synthetic motion until one appears.
  case automatic

  /// The seed of a plain `synthetic`.
  package static let standardSeed: UInt64 = 1

  /// Parses `iio`, `trace`, `synthetic`, `synthetic:SEED` or `auto`.
  package init(parsing text: String) throws(SettingError) {
    switch text {
    case "iio": self = .iio
    case "trace": self = .trace
    case "synthetic": self = .synthetic(seed: Self.standardSeed)
    case "auto": self = .automatic
    default:
      if text.hasPrefix("trace:") {
        throw SettingError(
          "'\(text)' is no kind here; write kind = \"trace\" and the file under the key trace")
      }
      let seed = text.hasPrefix("synthetic:") ? UInt64(text.dropFirst("synthetic:".count)) : nil
      guard let seed else {
        throw SettingError(
          "'\(text)' is no source; use iio, trace, synthetic, synthetic:SEED (a whole number) "
            + "or auto")
      }
      self = .synthetic(seed: seed)
    }
  }

  /// The text that parses to this.
  package var text: String {
    switch self {
    case .iio: "iio"
    case .trace: "trace"
    case .synthetic(Self.standardSeed): "synthetic"
    case .synthetic(let seed): "synthetic:\(seed)"
    case .automatic: "auto"
    }
  }
}

/// A gate's switch by hand.
package enum ManualGate: String, CaseIterable, Equatable, Sendable {
  /// As the desktop or the battery says.
  case auto
  /// Treat as reduced, or as low, whatever they say.
  case on
  /// Never.
  case off
}

/// What reduce motion leaves.
package enum ReducedStyle: String, CaseIterable, Equatable, Sendable {
  /// Nothing moves.
  case still
  /// Motion at `subtle-gain`.
  case subtle
}

/// Who may subscribe.
package enum SocketAccess: String, CaseIterable, Equatable, Sendable {
  /// root, the daemon's own uid, group `parallax`, and uids with an active session.
  case session
  /// root, the daemon's own uid and group `parallax`.
  case group
  /// Everyone who can reach the socket.
  case all
}
