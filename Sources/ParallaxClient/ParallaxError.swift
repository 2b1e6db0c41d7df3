import Glibc
@_exported public import ParallaxWire

/// Why there is no stream, or no longer one.
public enum ParallaxError: Error, Equatable, Sendable {
  /// Nobody answers on any of the sockets that were tried.
  ///
  /// - Parameter attempts: the sockets in the order they were tried, and why each did not do.
  case noDaemon(attempts: [Attempt])
  /// The daemon ended the connection.
  case closed
  /// The daemon speaks a protocol of another generation; update the older of the two.
  ///
  /// - Parameters:
  ///   - major: `proto_major` of the daemon.
  ///   - release: its release.
  case incompatible(major: Int, release: String)
  /// Reading or writing failed.
  ///
  /// - Parameter errno: the system's number for it.
  case inputOutput(errno: Int32)
  /// What came is no line of this protocol; at the socket is something else than parallaxd.
  case malformed
  /// The system gives no thread or descriptor for another stream.
  case noResources(errno: Int32)

  /// A socket that was tried.
  public struct Attempt: Equatable, Sendable {
    /// Its path.
    public var path: String
    /// The system's number for what went wrong: ENOENT where there is no socket, ECONNREFUSED where
    /// nobody listens, EACCES where this user may not.
    public var errno: Int32

    /// Creates an attempt.
    public init(path: String, errno: Int32) {
      self.path = path
      self.errno = errno
    }
  }
}

extension ParallaxError: CustomStringConvertible {
  /// What, where and what to do, on one line.
  public var description: String {
    switch self {
    case .noDaemon(let attempts):
      let tried = attempts.map { "\($0.path): \(Self.text(of: $0.errno))" }
      if attempts.contains(where: { $0.errno == EACCES }) {
        return "this user may not connect (\(tried.joined(separator: "; "))); join the group "
          + "'parallax' or log in on the device itself"
      }
      return "no daemon answers (\(tried.joined(separator: "; "))); start one with "
        + "'systemctl start parallax' or 'parallax run'"
    case .closed:
      return "the daemon ended the connection"
    case .incompatible(let major, let release):
      return "the daemon (release \(release)) speaks protocol \(major), this program "
        + "\(ParallaxRelease.protocolMajor); update the older of the two"
    case .inputOutput(let errno):
      return "the connection to the daemon failed: \(Self.text(of: errno))"
    case .malformed:
      return "what answers on the socket is not parallaxd"
    case .noResources(let errno):
      return "no thread or descriptor for a stream: \(Self.text(of: errno))"
    }
  }

  private static func text(of errno: Int32) -> String {
    errno == ENAMETOOLONG
      ? "longer than the 107 bytes of a socket's path"
      : String(cString: strerror(errno))
  }
}
