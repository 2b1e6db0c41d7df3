// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase

/// The file system as configuration reads it: `LocalFileSystem`, or one in memory in tests.
package protocol ConfigFileSystem: Sendable {
  /// Reads a file up to its end or `limit + 1` bytes, so that a caller sees that it is longer.
  func read(_ path: String, limit: Int) throws(ConfigFileError) -> [UInt8]
  /// Returns the names in a folder, in any order, without `.` and `..`.
  func names(inFolder path: String) throws(ConfigFileError) -> [String]
  /// Returns the user id of a folder's owner; nil if there is no such folder.
  func owner(ofFolder path: String) -> UInt32?
}

/// The reason why a file or folder cannot be read.
package enum ConfigFileError: Error, Equatable, Sendable {
  case missing
  case denied
  case folder
  /// A FIFO or device that sent nothing for a second.
  case silent
  /// A FIFO, a device or a file of the kernel, where only a regular file may be.
  case notRegular
  case failed(errno: Int32)

  init(_ error: SystemError) {
    switch error.number {
    case ENOENT, ENOTDIR: self = .missing
    case EACCES, EPERM: self = .denied
    case EISDIR: self = .folder
    case ETIMEDOUT: self = .silent
    default: self = .failed(errno: error.number)
    }
  }
}

/// The user and the environment variables of a process.
package struct ProcessEnvironment: Sendable {
  package var userID: UInt32
  package var variables: [String: String]

  package init(userID: UInt32, variables: [String: String]) {
    self.userID = userID
    self.variables = variables
  }

  /// Returns this process's user and the variables that locate its files and sockets.
  package static func current() -> ProcessEnvironment {
    var variables: [String: String] = [:]
    let names = [
      "HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "CONFIGURATION_DIRECTORY",
      "RUNTIME_DIRECTORY", "STATE_DIRECTORY", "XDG_STATE_HOME", "PARALLAX_SOCKET",
      "PARALLAX_CONTROL",
    ]
    for name in names {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return ProcessEnvironment(userID: geteuid(), variables: variables)
  }

  /// Returns the folder that a variable names, without slashes at its end: the first of several,
  /// which systemd separates by colons. A relative path counts as absent, as the XDG Base Directory
  /// specification requires.
  package func folder(_ variable: String) -> String? {
    guard let value = variables[variable], value.hasPrefix("/") else { return nil }
    var path = value.prefix { $0 != ":" }
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }
}

/// The file system of this machine.
package struct LocalFileSystem: ConfigFileSystem {
  private let isRegularOnly: Bool

  /// - Parameter isRegularOnly: Whether to refuse FIFOs and devices, which can make a reader wait and
  ///   which cannot be read again at a reload.
  package init(isRegularOnly: Bool = false) {
    self.isRegularOnly = isRegularOnly
  }

  package func read(_ path: String, limit: Int) throws(ConfigFileError) -> [UInt8] {
    if isRegularOnly { return try readRegular(path, limit: limit) }
    do {
      return try SmallFile.read(path, limit: limit)
    } catch {
      throw ConfigFileError(error)
    }
  }

  private func readRegular(_ path: String, limit: Int) throws(ConfigFileError) -> [UInt8] {
    do throws(RegularFileError) {
      return try SmallFile.readRegular(path, limit: limit)
    } catch {
      switch error {
      case .notRegular, .kernelFile: throw .notRegular
      case .failed(let error): throw ConfigFileError(error)
      }
    }
  }

  package func names(inFolder path: String) throws(ConfigFileError) -> [String] {
    do {
      return try Directory.names(in: path)
    } catch {
      throw ConfigFileError(error)
    }
  }

  package func owner(ofFolder path: String) -> UInt32? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return status.st_uid
  }
}
