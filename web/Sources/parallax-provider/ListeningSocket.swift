// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The Unix socket for parallaxd's requests: systemd's, or the provider's own.
struct ListeningSocket: Sendable {
  let descriptor: Int32
  /// The path or description, for messages.
  let name: String
  let isInherited: Bool

  /// The reason why listening failed, and the exit code of sysexits(3).
  struct ListenError: Error {
    let message: String
    let exitCode: Int32
  }

  /// The first descriptor of socket activation (sd_listen_fds(3)).
  private static let firstInherited: Int32 = 3
  /// The maximum number of pending connections.
  private static let backlog: Int32 = 64

  /// Returns the socket that systemd passes; nil if there is none.
  static func inherited() -> ListeningSocket? {
    func number(_ name: String) -> Int32? { getenv(name).flatMap { Int32(String(cString: $0)) } }
    guard number("LISTEN_PID") == getpid(), let count = number("LISTEN_FDS"), count >= 1 else {
      return nil
    }
    _ = fcntl(firstInherited, F_SETFD, FD_CLOEXEC)
    return ListeningSocket(
      descriptor: firstInherited, name: "systemd's socket", isInherited: true)
  }

  private init(descriptor: Int32, name: String, isInherited: Bool) {
    self.descriptor = descriptor
    self.name = name
    self.isInherited = isInherited
  }

  /// Binds `path`. Replaces a socket that no longer has a listener.
  init(path: String) throws(ListenError) {
    guard (1...107).contains(path.utf8.count), !path.utf8.contains(0) else {
      throw ListenError(
        message: "\"\(path)\": the path of a socket must be 1 to 107 bytes", exitCode: 78)
    }
    try Self.clear(path)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0, Self.withAddress(path, { bind(descriptor, $0, $1) }) == 0,
      chmod(path, 0o600) == 0, listen(descriptor, Self.backlog) == 0
    else { throw Self.listenError(path, errno) }
    self.init(descriptor: descriptor, name: path, isInherited: false)
  }

  /// Removes the socket's file, unless systemd owns the socket.
  func removeFile() {
    if !isInherited { unlink(name) }
  }

  private static func clear(_ path: String) throws(ListenError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw ListenError(message: "\(path): exists and is not a socket; move it away", exitCode: 73)
    }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard probe >= 0 else { throw listenError(path, errno) }
    defer { close(probe) }
    guard withAddress(path, { connect(probe, $0, $1) }) != 0 else {
      throw ListenError(
        message: "\(path): another parallax-provider is running there; stop it or use --socket",
        exitCode: 69)
    }
    guard errno == ECONNREFUSED else { throw listenError(path, errno) }
    unlink(path)
  }

  private static func listenError(_ path: String, _ code: Int32) -> ListenError {
    let isForbidden = code == EACCES || code == EPERM
    return ListenError(
      message: "\(path): \(String(cString: strerror(code))); choose another with --socket",
      exitCode: isForbidden ? 77 : 73)
  }

  private static func withAddress(
    _ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { place in
      place.copyBytes(from: path.utf8.prefix(place.count - 1))
    }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
