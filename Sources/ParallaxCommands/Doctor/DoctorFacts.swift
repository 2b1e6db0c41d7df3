import ParallaxConfig
import ParallaxDevice
import ParallaxWire

/// Everything that the checks look at, gathered beforehand.
struct DoctorFacts: Sendable {
  var configuration = Configuration()
  var user = User(name: "", isRoot: false)
  /// libiio's version, or why it cannot be loaded.
  var library: Result<String, DeviceTrouble> = .success("0.24")
  var kernel = Kernel()
  var search = Search.found([])
  /// Of the gyroscope that is used, where it is this machine's.
  var device: Device?
  var daemon = DaemonAnswer.absent
  var stream = StreamAnswer(path: "", outcome: .absent(why: ""))
  /// nil: the buses were not asked.
  var session: Session?

  struct User: Equatable, Sendable {
    var name: String
    var id: UInt32 = 0
    var isRoot: Bool
  }

  struct Kernel: Equatable, Sendable {
    /// Whether there is /sys/bus/iio.
    var hasIIO = true
    /// IIO devices that are no gyroscopes, as `accel_3d (iio:device1)`.
    var otherDevices: [String] = []
    /// Gyroscopes that have been seen on a bus and have no driver, with the module that drives them.
    var driverless: [Driverless] = []
  }

  struct Driverless: Equatable, Sendable {
    var device: String
    var module: String
  }

  enum Search: Equatable, Sendable {
    case found([GyroDescription])
    case failed(DeviceTrouble)
    /// The drivers did not answer in time.
    case silent(seconds: Int)
  }

  struct Device: Equatable, Sendable {
    var group: NodeGroup?
    /// The kernel module of its driver; nil where it is built in.
    var module: String?
    var bufferIsOn = false
    var holders: [Holder] = []
    /// Whether other users' processes were looked at, too.
    var seesEveryProcess = true
    var timing = RawTiming.notTried
  }

  /// The group of the device node, where it may read and write it and is not root's.
  struct NodeGroup: Equatable, Sendable {
    var name: String
    /// Whether this process is in it.
    var isOurs: Bool
    /// Whether the user is in it from the next login on.
    var isUsers: Bool
    /// Whether it may also write all settings that this user may not.
    var coversSettings: Bool
  }

  /// A process that has the device node open.
  struct Holder: Equatable, Sendable {
    var process: Int32
    var program: String
  }

  /// How long it takes to ask for the three axes.
  enum RawTiming: Equatable, Sendable {
    case notTried
    case took(milliseconds: Double)
    case failed(String)
    case silent(seconds: Int)
  }

  /// What the control socket says.
  enum DaemonAnswer: Equatable, Sendable {
    case absent
    case running(StatusMessage)
    case refused(String)
    case silent(seconds: Int)
  }

  /// What the stream socket says.
  struct StreamAnswer: Equatable, Sendable {
    enum Outcome: Equatable, Sendable {
      /// It let us in.
      case greeted
      case refused(String)
      case absent(why: String)
      case silent(seconds: Int)
    }

    var path: String
    var outcome: Outcome
  }
}
