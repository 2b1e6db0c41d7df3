// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxClient
import ParallaxConfig
import ParallaxDevice
import ParallaxLoop

/// Gathers the facts for the checks. It streams nothing and changes nothing. Every call that may block
/// has a time limit.
struct DoctorGatherer {
  private let configuration: Configuration
  private let controlPaths: [String]
  private let streamPaths: [String]

  /// The limit for reading all attributes: a muted HID sensor takes 5 s per request.
  private static let searchSeconds = 15
  /// The limit for one answer. A working sensor takes 0.3 s, even if it has to wake up.
  private static let answerSeconds = 2

  /// - Parameters:
  ///   - controlPaths: The control sockets to try, in this order.
  ///   - streamPaths: The stream sockets to try, in this order.
  init(configuration: Configuration, controlPaths: [String], streamPaths: [String]) {
    self.configuration = configuration
    self.controlPaths = controlPaths
    self.streamPaths = streamPaths
  }

  func gather() -> DoctorFacts {
    var facts = DoctorFacts()
    facts.configuration = configuration
    facts.user = DoctorFacts.User(
      name: UserFacts.name, id: geteuid(), isRoot: geteuid() == 0)
    facts.kernel = KernelScan.kernel()
    facts.places = SensorScan.places()
    (facts.daemon, facts.stream) = (askDaemon(), askStream())
    facts.session = BusGatherer.gather()
    facts.session?.daemonUser = daemonUser
    IIOLibrary.silence()
    facts.library = Result { () throws(DeviceError) in
      try IIOLibrary.load()
      return IIOLibrary.version
    }
    let source = configuration.source
    // Controllers need no libiio.
    let interface: GyroInterface? = if case .success = facts.library { nil } else { .evdev }
    let search = TimeLimit.wait(for: .seconds(Int64(Self.searchSeconds))) {
      Result { () throws(DeviceError) in
        try GyroFinder.find(interface, uri: source.uri).gyroscopes
      }
    }
    switch search {
    case nil: facts.search = .silent(seconds: Self.searchSeconds)
    case .failure(let error): facts.search = .failed(error)
    case .success(let found):
      facts.search = .found(found)
      let gyroscopes = Set(found.map(\.id))
      facts.kernel.otherDevices = KernelScan.devices().filter { !gyroscopes.contains($0.id) }
        .map { "\($0.name) (\($0.id))" }
      let choice = try? GyroChoice.choose(
        from: found, named: source.device, interface: source.kind.gyroInterface)
      // A gyroscope that source.kind leaves out is examined, too, because it may need a permission.
      facts.device = (choice.map { found[$0.index] } ?? found.first).flatMap(look)
    }
    return facts
  }

  private func look(at gyro: GyroDescription) -> DoctorFacts.Device? {
    guard let parent = gyro.parentPath else { return nil }
    if gyro.interface == .evdev {
      return DoctorFacts.Device(
        group: UserFacts.group(readingNode: gyro.node), module: module(ofParent: "/sys\(parent)"))
    }
    guard let sysfs = SysfsDevice(id: gyro.id) else { return nil }
    let scan = ProcessScan.holders(of: gyro.node)
    return DoctorFacts.Device(
      group: UserFacts.group(
        ofNode: gyro.node,
        settings: gyro.access.refusedSettings.map { "\(sysfs.folder)/\($0)" }),
      module: module(ofParent: SysfsFiles.parent(of: sysfs.folder)),
      bufferIsOn: sysfs.bufferIsEnabled, holders: scan.holders,
      seesEveryProcess: scan.sawEverything,
      timing: gyro.reading == .polled ? timing(of: sysfs.folder) : .notTried)
  }

  private func module(ofParent folder: String) -> String? {
    SysfsFiles.linkTarget("\(folder)/driver/module").map(SysfsFiles.lastName)
  }

  private func timing(of folder: String) -> DoctorFacts.RawTiming {
    let measured = TimeLimit.wait(for: .seconds(Int64(Self.answerSeconds))) {
      () -> DoctorFacts.RawTiming in
      // The first round may have to wake the sensor.
      for round in 0..<2 {
        let start = MonotonicClock.now()
        for axis in GyroAttributes.axes {
          errno = 0
          guard SmallFile.text("\(folder)/in_\(axis)_raw") != nil else {
            return .failed(errno == 0 ? "no value" : String(cString: strerror(errno)))
          }
        }
        if round == 1 {
          return .took(milliseconds: Double((MonotonicClock.now() - start).nanoseconds) / 1e6)
        }
      }
      return .notTried
    }
    return measured ?? .silent(seconds: Self.answerSeconds)
  }

  // MARK: - The daemon

  private func askDaemon() -> DoctorFacts.DaemonAnswer {
    let paths = controlPaths
    let answer = TimeLimit.wait(for: .seconds(Int64(Self.answerSeconds))) {
      () -> DoctorFacts.DaemonAnswer in
      let control: ParallaxControl
      do throws(ParallaxError) {
        control = try ParallaxControl(toFirstOf: paths)
      } catch .noDaemon(let attempts) where !attempts.contains(where: { $0.errno == EACCES }) {
        return .absent
      } catch {
        return .refused(error.description)
      }
      do throws(RequestFailure) {
        guard case .status(let status, _) = try control.answer(to: .status).answer else {
          return .refused("the answer is not a STATUS that this release knows")
        }
        return .running(status)
      } catch {
        return .refused(error.description)
      }
    }
    return answer ?? .silent(seconds: Self.answerSeconds)
  }

  /// The user who runs the daemon, as the kernel reports it.
  private var daemonUser: UInt32? {
    for path in controlPaths {
      if let connection = try? UnixStream.connect(to: path) { return try? connection.peer().userID }
    }
    return nil
  }

  private func askStream() -> DoctorFacts.StreamAnswer {
    var last = DoctorFacts.StreamAnswer(
      path: streamPaths.first ?? "", outcome: .absent(why: "there is no path to try"))
    for path in streamPaths {
      let outcome = TimeLimit.wait(for: .seconds(Int64(Self.answerSeconds))) {
        () -> DoctorFacts.StreamAnswer.Outcome in
        do throws(ParallaxError) {
          var stream = try LineConnection(toFirstOf: [path])
          let greeting = try stream.readLine()
          switch greeting.flatMap({ StreamMessage(line: $0) }) {
          case .version: return .greeted
          case .error(let error): return .refused(error.message)
          default: return .absent(why: "the program that answers is not parallaxd")
          }
        } catch .noDaemon(let attempts) {
          let code = attempts.first?.errno ?? ENOENT
          return .absent(why: String(cString: strerror(code)))
        } catch {
          return .absent(why: error.description)
        }
      }
      let answer = DoctorFacts.StreamAnswer(
        path: path, outcome: outcome ?? .silent(seconds: Self.answerSeconds))
      if case .absent = answer.outcome {
        if path == streamPaths.first { last = answer }
      } else {
        return answer
      }
    }
    return last
  }
}
