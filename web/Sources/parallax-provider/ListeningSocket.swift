import Glibc

/// The Unix socket that parallaxd asks on: systemd's, or one of the provider's own.
struct ListeningSocket: Sendable {
  let descriptor: Int32
  /// For people.
  let name: String
  let isInherited: Bool

  /// Why there is none: one line, and the exit code of sysexits(3).
  struct Problem: Error {
    let message: String
    let exitCode: Int32
  }

  /// The first descriptor of socket activation (sd_listen_fds(3)).
  private static let firstInherited: Int32 = 3
  /// Connections that may wait.
  private static let backlog: Int32 = 64

  /// What systemd hands over; nil: nothing.
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

  /// Binds `path`; a socket on which nobody answers any more makes room.
  init(path: String) throws(Problem) {
    guard (1...107).contains(path.utf8.count), !path.utf8.contains(0) else {
      throw Problem(
        message: "\"\(path)\" is no path for a socket; use one of 1 to 107 bytes", exitCode: 78)
    }
    try Self.clear(path)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0, Self.withAddress(path, { bind(descriptor, $0, $1) }) == 0,
      chmod(path, 0o600) == 0, listen(descriptor, Self.backlog) == 0
    else { throw Self.problem(path, errno) }
    self.init(descriptor: descriptor, name: path, isInherited: false)
  }

  /// Removes its file from the folder where it is the provider's own.
  func removeFile() {
    if !isInherited { unlink(name) }
  }

  private static func clear(_ path: String) throws(Problem) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw Problem(message: "\(path): exists and is no socket; move it away", exitCode: 73)
    }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard probe >= 0 else { throw problem(path, errno) }
    defer { close(probe) }
    guard withAddress(path, { connect(probe, $0, $1) }) != 0 else {
      throw Problem(
        message: "\(path): another parallax-provider is running there; stop it or use --socket",
        exitCode: 69)
    }
    guard errno == ECONNREFUSED else { throw problem(path, errno) }
    unlink(path)
  }

  private static func problem(_ path: String, _ code: Int32) -> Problem {
    let isForbidden = code == EACCES || code == EPERM
    return Problem(
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
