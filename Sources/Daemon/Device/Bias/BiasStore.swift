// SPDX-License-Identifier: Apache-2.0

import Glibc
package import ParallaxBase
package import ParallaxConfig
import ParallaxLoop
package import ParallaxMotion

/// The biases of gyroscopes across restarts, per device (its name and its parent's path).
///
/// The file is read at the first use, and written at most once per minute and at the end. Errors of the
/// file only go to the log: the biases are then measured again.
package final class BiasStore {
  /// The file's name in the state folder.
  package static let fileName = "bias"
  /// The shortest time between two writes.
  static let writeInterval: MotionDuration = .seconds(60)
  /// The smallest change on any axis that is written, rad/s.
  static let noticeableRadPerSec = 1e-5

  private let folder: String?
  private let userID: UInt32
  private let log: (String) -> Void
  /// The one that was measured last is at the end.
  private var devices: [Device] = []
  private var isLoaded = false
  private var nextWrite = MotionInstant.distantPast
  /// Whether a bias was remembered since the last write.
  private var isModified = false
  private var hasReportedError = false

  private struct Device {
    var stored: StoredBias
    /// The bias in the file; nil: none.
    var written: AngularRate?

    var isChanged: Bool {
      guard let written else { return true }
      return (stored.bias.x - written.x).magnitude > noticeableRadPerSec
        || (stored.bias.y - written.y).magnitude > noticeableRadPerSec
        || (stored.bias.z - written.z).magnitude > noticeableRadPerSec
    }
  }

  /// - Parameters:
  ///   - process: Determines the folder; see `StateFolder`.
  ///   - log: Receives one line at a time.
  package init(process: ProcessEnvironment, log: @escaping (String) -> Void) {
    folder = StateFolder.path(process: process)
    userID = process.userID
    self.log = log
  }

  /// Returns a device's bias in the sensor's frame; nil: unknown.
  package func bias(ofDevice name: String, parentPath: String?) -> AngularRate? {
    load()
    return index(name, parentPath).map { devices[$0].stored.bias }
  }

  /// Stores a new estimate, in the sensor's frame, and writes it if that is due. Ignores implausible
  /// ones.
  package func remember(
    _ bias: AngularRate, ofDevice name: String, parentPath: String?, at now: MotionInstant
  ) {
    guard BiasFile.isPlausible(bias) else { return }
    load()
    if let index = index(name, parentPath) {
      var device = devices.remove(at: index)
      device.stored.bias = bias
      devices.append(device)
    } else {
      if devices.count >= BiasFile.maxDevices { devices.removeFirst() }
      devices.append(
        Device(
          stored: StoredBias(name: name, parentPath: parentPath ?? "", bias: bias), written: nil))
    }
    isModified = true
    writeIfDue(at: now)
  }

  /// Writes what was remembered within a minute of the previous write.
  package func writeIfDue(at now: MotionInstant) {
    guard isModified, now >= nextWrite else { return }
    if write() { nextWrite = now + Self.writeInterval }
  }

  /// Writes what has not been written yet. For the end.
  package func flush() {
    _ = write()
  }

  private func index(_ name: String, _ parentPath: String?) -> Int? {
    devices.firstIndex { $0.stored.name == name && $0.stored.parentPath == parentPath ?? "" }
  }

  // MARK: - Reading

  private func load() {
    guard !isLoaded, let path = folder.map({ "\($0)/\(Self.fileName)" }) else { return }
    isLoaded = true
    var status = stat()
    // Reading a FIFO or a device could block the daemon.
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      return startAgain(path, "\(path): is not a regular file")
    }
    do throws(SystemError) {
      let bytes = try SmallFile.read(path, limit: BiasFile.maxBytes)
      guard bytes.count <= BiasFile.maxBytes else {
        return startAgain(path, "\(path): must not be longer than \(BiasFile.maxBytes) bytes")
      }
      do throws(BiasFile.ParseError) {
        devices = try BiasFile.parse(bytes).map { Device(stored: $0, written: $0.bias) }
      } catch {
        startAgain(path, "\(path):\(error.line): \(error.message)")
      }
    } catch {
      guard error.number != ENOENT, error.number != ENOTDIR else { return }
      startAgain(path, "\(path): \(error.reason)")
    }
  }

  private func startAgain(_ path: String, _ error: String) {
    let isAside = rename(path, path + ".broken") == 0
    log(
      "\(error); the bias will be measured again"
        + (isAside ? "; the file was renamed to \(path).broken" : ""))
  }

  // MARK: - Writing

  /// - Returns: Whether there were changes, also if writing them failed.
  private func write() -> Bool {
    guard devices.contains(where: \.isChanged) else {
      isModified = false
      return false
    }
    guard let folder else {
      report("set HOME or STATE_DIRECTORY")
      return true
    }
    do throws(SystemError) {
      try StateFolder.make(folder, userID: userID)
      try replace("\(folder)/\(Self.fileName)", with: BiasFile.text(devices.map(\.stored)))
      for index in devices.indices { devices[index].written = devices[index].stored.bias }
      isModified = false
    } catch {
      report("\(error)")
    }
    return true
  }

  /// Replaces the file as a whole by renaming a new one. There is no fsync, which could block the loop;
  /// a file that a power failure damaged is started again.
  private func replace(_ path: String, with text: String) throws(SystemError) {
    let new = path + ".new"
    // Removes the rest of an earlier write, or a planted link.
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

  private func report(_ reason: String) {
    guard !hasReportedError else { return }
    hasReportedError = true
    log("the bias is not kept across restarts: \(reason)")
  }
}
