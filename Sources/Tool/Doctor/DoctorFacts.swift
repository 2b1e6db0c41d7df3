// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig
import ParallaxDevice
import ParallaxProtocol

/// Everything that the checks look at.
struct DoctorFacts: Sendable {
  var configuration = Configuration()
  var user = User(name: "", isRoot: false)
  /// The version of libiio, or why it cannot be loaded.
  var library: Result<String, DeviceError> = .success("0.24")
  var kernel = Kernel()
  var places = SensorPlaces()
  var search = Search.found([])
  /// The gyroscope that is used; nil for none, or for one of another machine.
  var device: Device?
  var daemon = DaemonAnswer.absent
  var stream = StreamAnswer(path: "", outcome: .absent(why: ""))
  /// nil if the buses were not asked.
  var session: Session?

  struct User: Equatable, Sendable {
    var name: String
    var id: UInt32 = 0
    var isRoot: Bool
  }

  struct Kernel: Equatable, Sendable {
    /// Whether /sys/bus/iio exists.
    var hasIIO = true
    /// IIO devices that are not gyroscopes, as `accel_3d (iio:device1)`.
    var otherDevices: [String] = []
    /// Gyroscopes on a bus that have no driver, and the modules that drive them.
    var driverless: [Driverless] = []
  }

  struct Driverless: Equatable, Sendable {
    var device: String
    var module: String
  }

  enum Search: Equatable, Sendable {
    case found([GyroDescription])
    case failed(DeviceError)
    /// A driver did not answer in time.
    case silent(seconds: Int)
  }

  struct Device: Equatable, Sendable {
    var group: NodeGroup?
    /// The kernel module of its driver; nil if the driver is built in.
    var module: String?
    var bufferIsOn = false
    var holders: [Holder] = []
    /// Whether `holders` includes the processes of other users.
    var seesEveryProcess = true
    var timing = RawTiming.notTried
  }

  /// The group of the device node, if it may read and write the node and is not root's; of an input device,
  /// a group that may read it by an entry of its own.
  struct NodeGroup: Equatable, Sendable {
    var name: String
    /// Whether this process is in the group.
    var isOfProcess: Bool
    /// Whether the user is in the group after the next login.
    var isOfUser: Bool
    /// Whether the group may also write all settings that this user may not.
    var coversSettings: Bool
  }

  /// A process that has the device node open.
  struct Holder: Equatable, Sendable {
    var process: Int32
    var program: String
  }

  /// How long it takes to read the three axes.
  enum RawTiming: Equatable, Sendable {
    case notTried
    case took(milliseconds: Double)
    case failed(String)
    case silent(seconds: Int)
  }

  /// The answer of the control socket.
  enum DaemonAnswer: Equatable, Sendable {
    case absent
    case running(StatusMessage)
    case refused(String)
    case silent(seconds: Int)
  }

  /// The answer of the stream socket.
  struct StreamAnswer: Equatable, Sendable {
    enum Outcome: Equatable, Sendable {
      /// The daemon accepts this user.
      case greeted
      case refused(String)
      case absent(why: String)
      case silent(seconds: Int)
    }

    var path: String
    var outcome: Outcome
  }
}
