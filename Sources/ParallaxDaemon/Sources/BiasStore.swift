import Glibc
package import ParallaxConfig
package import ParallaxMotion
import ParallaxSystem

/// The zero offsets of gyroscopes, kept over restarts, per device (its name and its parent's path).
///
/// Read at the first question, written at most once a minute and at the end. Nothing that goes wrong
/// with the file is worth more than a line in the log: the offsets are then measured anew.
package final class BiasStore {
  /// The file's name within the state folder.
  package static let fileName = "bias"
  /// No two writes lie closer.
  static let writeIntervalNanoseconds: Int64 = 60_000_000_000
  /// A change that is worth a write, rad/s on any axis.
  static let noticeableRadPerSec = 1e-5

  private let folder: String?
  private let userID: UInt32
  private let log: (String) -> Void
  private var devices: [Device] = []
  private var isLoaded = false
  private var nextWrite = Int64.min
  private var hasComplained = false

  private struct Device {
    var kept: KeptBias
    /// As the file has it; nil: it has not.
    var written: AngularRate?

    var isChanged: Bool {
      guard let written else { return true }
      return (kept.bias.x - written.x).magnitude > noticeableRadPerSec
        || (kept.bias.y - written.y).magnitude > noticeableRadPerSec
        || (kept.bias.z - written.z).magnitude > noticeableRadPerSec
    }
  }

  /// - Parameters:
  ///   - process: tells the folder; see `StateFolder`.
  ///   - log: takes what a person should know, one line at a time.
  package init(process: ProcessFacts, log: @escaping (String) -> Void) {
    folder = StateFolder.path(process: process)
    userID = process.userID
    self.log = log
  }

  /// What is known of a device's zero, in the sensor's own frame; nil: nothing.
  package func bias(ofDevice name: String, parentPath: String?) -> AngularRate? {
    load()
    return index(name, parentPath).map { devices[$0].kept.bias }
  }

  /// Takes in a new estimate, in the sensor's own frame, and writes it down if that is due. What no
  /// zero can be is not kept.
  package func remember(
    _ bias: AngularRate, ofDevice name: String, parentPath: String?, atNanoseconds now: Int64
  ) {
    guard BiasFile.isBelievable(bias) else { return }
    load()
    if let index = index(name, parentPath) {
      devices[index].kept.bias = bias
    } else {
      if devices.count >= BiasFile.mostDevices { devices.removeFirst() }
      devices.append(
        Device(kept: KeptBias(name: name, parentPath: parentPath ?? "", bias: bias), written: nil))
    }
    if now >= nextWrite, write() {
      nextWrite = now + Self.writeIntervalNanoseconds
    }
  }

  /// Writes down what has not been written: for the end.
  package func flush() {
    _ = write()
  }

  private func index(_ name: String, _ parentPath: String?) -> Int? {
    devices.firstIndex { $0.kept.name == name && $0.kept.parentPath == parentPath ?? "" }
  }

  // -- Reading

  private func load() {
    guard !isLoaded, let path = folder.map({ "\($0)/\(Self.fileName)" }) else { return }
    isLoaded = true
    do throws(ConfigFileError) {
      let bytes = try Self.read(path)
      guard bytes.count <= BiasFile.mostBytes else {
        return startAnew(path, "\(path): this is larger than any such file")
      }
      do throws(BiasFile.Problem) {
        devices = try BiasFile.parse(bytes).map { Device(kept: $0, written: $0.bias) }
      } catch {
        startAnew(path, "\(path):\(error.line): \(error.message)")
      }
    } catch {
      switch error {
      case .missing: break
      case .denied: startAnew(path, "\(path): may not be read")
      case .folder, .silent: startAnew(path, "\(path): is no file")
      case .failed(let number):
        startAnew(path, "\(path): \(String(cString: strerror(number)))")
      }
    }
  }

  /// A FIFO or device in the file's place would keep the whole daemon waiting.
  private static func read(_ path: String) throws(ConfigFileError) -> [UInt8] {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw .folder }
    return try ProcessFiles().read(path, limit: BiasFile.mostBytes)
  }

  private func startAnew(_ path: String, _ problem: String) {
    let isAside = rename(path, path + ".broken") == 0
    log(
      "\(problem); the gyroscope's zero is measured anew"
        + (isAside ? ", and the file kept as \(path).broken" : ""))
  }

  // -- Writing

  /// - Returns: whether there was something to write, or to try to.
  private func write() -> Bool {
    guard devices.contains(where: \.isChanged) else { return false }
    guard let folder else {
      complain("set HOME or STATE_DIRECTORY")
      return true
    }
    do throws(SystemError) {
      try StateFolder.make(folder, userID: userID)
      try replace("\(folder)/\(Self.fileName)", with: BiasFile.text(devices.map(\.kept)))
      for index in devices.indices { devices[index].written = devices[index].kept.bias }
    } catch {
      complain("\(error)")
    }
    return true
  }

  /// A new file beside the old one that then takes its place: nobody ever sees half of one. It is
  /// not synchronised, which could keep the loop waiting for the disk; a file that a power failure
  /// broke is begun anew.
  private func replace(_ path: String, with text: String) throws(SystemError) {
    let new = path + ".new"
    // One that was left behind, or laid in the way: a link is not followed.
    unlink(new)
    let raw = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard raw >= 0 else { throw SystemError.last("open", path: new) }
    let file = FileDescriptor(owning: raw)
    do throws(SystemError) {
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(file.raw, $0.baseAddress, $0.count) }
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if count == 0 || errno != EINTR {
          throw SystemError.last("write", path: new)
        }
      }
      guard rename(new, path) == 0 else { throw SystemError.last("rename", path: path) }
    } catch {
      unlink(new)
      throw error
    }
  }

  private func complain(_ reason: String) {
    guard !hasComplained else { return }
    hasComplained = true
    log("the gyroscope's zero is not kept over restarts: \(reason)")
  }
}
