// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// The daemon's configuration from files, environment and command line, checked. `Configuration()`
/// has the default of every key.
///
/// An optional is `nil` if its key is absent, "auto" or "": its user decides.
package struct Configuration: Equatable, Sendable {
  package var source = Source()
  package var sampling = Sampling()
  /// `[motion]`, with `sampling.rate`, `sampling.resample` and `gates.fade`: the settings of the
  /// pipeline.
  package var motion = MotionSettings()
  package var orientation = OrientationChoice()
  package var gates = Gates()
  /// `[layers]`, in the order of the file.
  package var layers = LayerSet.none
  package var animations = Animations()
  package var socket = Socket()

  package init() {}

  /// `[source]`: the source of samples.
  package struct Source: Equatable, Sendable {
    package var kind = SourceKind.iio
    /// The gyroscope's name or id; nil: the best one found.
    package var device: String?
    /// The libiio context; nil: this machine's own.
    package var uri: String?
    /// The recording for `kind = "trace"`.
    package var trace: String?
    /// Whether a trace restarts at its end.
    package var loops = false
  }

  /// `[sampling]`: the request to the device. Rate and resampling are in `motion`.
  package struct Sampling: Equatable, Sendable {
    /// The samples per frame; nil: mode and device decide.
    package var oversample: Int?

    package static let oversampleRange = 1...64
  }

  /// `[orientation]`: the screen's orientation.
  package struct OrientationChoice: Equatable, Sendable {
    /// A fixed orientation; nil: as the agent, SensorProxy or the accelerometer reports.
    package var source: Orientation?
    /// The mounting of the panel in the device, which is added to a reported orientation.
    package var panel = Orientation.normal
  }

  /// `[gates]`: what reduces or stops motion. The fade's duration is `motion.fadeSeconds`.
  package struct Gates: Equatable, Sendable {
    package var reduceMotion = ManualGate.auto
    package var lowPower = ManualGate.auto
    package var reduced = ReducedStyle.still
    /// The gain of reduced motion with `reduced = "subtle"`, 0...1.
    package var subtleGain = 0.25

    /// The gain of reduced motion.
    package var reducedGain: Double { reduced == .still ? 0 : subtleGain }

    /// The gain of a gate, 0...1: 0 if anything closes it, `reducedGain` under reduced motion, else
    /// 1.
    package func gain(isClosed: Bool, isReduced: Bool) -> Double {
      isClosed ? 0 : isReduced ? reducedGain : 1
    }
  }

  /// `[animations]`: the places of documents, and automatic playback.
  package struct Animations: Equatable, Sendable {
    package var directory: String?
    package var url: String?
    package var onConnect: String?
    package var idle: String?
  }

  /// `[socket]`: the sockets, and who may connect.
  package struct Socket: Equatable, Sendable {
    /// The stream socket; nil: `SocketPaths` decides.
    package var path: String?
    /// The control socket; nil: `control.sock` beside `path`.
    package var control: String?
    package var access = SocketAccess.session
    /// systemd-logind's seat whose active session `access = "session"` admits.
    package var seat = "seat0"
    /// The names or numbers of users who may control, besides root and the daemon's own user.
    package var controlUsers: [String] = []
    /// The name or number of a group whose members may control.
    package var controlGroup: String?
    package var maxSubscribers = 256
    package var maxPerUser = 32
  }
}

/// The kind of source, `source.kind`.
package enum SourceKind: Equatable, Sendable {
  /// A gyroscope of the kernel; waits for one.
  case iio
  /// A gyroscope that the kernel offers as an input device, such as a controller's; waits for one.
  case evdev
  /// The samples that a client of the control socket sends; waits for one.
  case feed
  /// The file `source.trace`.
  case trace
  /// Endless hand-like motion, the same for the same seed.
  case synthetic(seed: UInt64)
  /// A feed while there is one, otherwise the first gyroscope; synthetic motion until one appears.
  case automatic

  /// Whether it reads a feed.
  package var takesFeed: Bool { self == .feed || self == .automatic }

  /// The seed of a plain `synthetic`.
  package static let standardSeed: UInt64 = 1

  /// Parses `iio`, `evdev`, `feed`, `trace`, `synthetic`, `synthetic:SEED` or `auto`.
  package init(parsing text: String) throws(SettingError) {
    switch text {
    case "iio": self = .iio
    case "evdev": self = .evdev
    case "feed": self = .feed
    case "trace": self = .trace
    case "synthetic": self = .synthetic(seed: Self.standardSeed)
    case "auto": self = .automatic
    default:
      if text.hasPrefix("trace:") {
        throw SettingError(
          "unknown source '\(text)'; write kind = \"trace\", and the file as the key trace")
      }
      let seed = text.hasPrefix("synthetic:") ? UInt64(text.dropFirst("synthetic:".count)) : nil
      guard let seed else {
        throw SettingError(
          "unknown source '\(text)'; use iio, evdev, feed, trace, synthetic, synthetic:SEED (a whole "
            + "number) or auto")
      }
      self = .synthetic(seed: seed)
    }
  }

  /// The text that parses to this kind.
  package var text: String {
    switch self {
    case .iio: "iio"
    case .evdev: "evdev"
    case .feed: "feed"
    case .trace: "trace"
    case .synthetic(Self.standardSeed): "synthetic"
    case .synthetic(let seed): "synthetic:\(seed)"
    case .automatic: "auto"
    }
  }
}

/// A manual setting of a gate.
package enum ManualGate: String, CaseIterable, Equatable, Sendable {
  /// As the desktop or the battery reports.
  case auto
  /// Always closed or reduced.
  case on
  /// Never closed or reduced.
  case off
}

/// The motion that remains when motion is reduced.
package enum ReducedStyle: String, CaseIterable, Equatable, Sendable {
  /// No motion.
  case still
  /// Motion at `subtle-gain`.
  case subtle
}

/// The users who may subscribe.
package enum SocketAccess: String, CaseIterable, Equatable, Sendable {
  /// root, the daemon's own user, the group `parallax`, and users with the active session on the seat.
  case session
  /// root, the daemon's own user and the group `parallax`.
  case group
  /// Every user who can reach the socket.
  case all
}
