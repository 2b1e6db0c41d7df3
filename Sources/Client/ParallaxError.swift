// SPDX-License-Identifier: Apache-2.0

import Glibc
@_exported public import ParallaxProtocol

/// The reason why a stream could not start or has ended.
public enum ParallaxError: Error, Equatable, Sendable {
  /// No daemon accepted a connection.
  ///
  /// - Parameter attempts: The sockets in the order they were tried, each with its error.
  case noDaemon(attempts: [Attempt])
  /// The daemon ended the connection.
  case closed
  /// The daemon's protocol has another major version; update the older of the two programs.
  ///
  /// - Parameters:
  ///   - major: The daemon's `proto_major`.
  ///   - release: The daemon's release.
  case incompatible(major: Int, release: String)
  /// Reading or writing failed.
  ///
  /// - Parameter errno: The system's error number.
  case inputOutput(errno: Int32)
  /// The received bytes are not lines of this protocol: the program on the socket is not parallaxd.
  case malformed
  /// The system has no thread or descriptor left for another stream.
  case noResources(errno: Int32)

  /// A failed attempt to connect to a socket.
  public struct Attempt: Equatable, Sendable {
    /// Its path.
    public var path: String
    /// The system's error number: ENOENT if there is no socket, ECONNREFUSED if no program listens on
    /// it, EACCES if this user lacks permission.
    public var errno: Int32

    /// Creates an attempt.
    public init(path: String, errno: Int32) {
      self.path = path
      self.errno = errno
    }
  }
}

extension ParallaxError: CustomStringConvertible {
  /// One line: what is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .noDaemon(let attempts):
      let tried = attempts.map { "\($0.path): \(Self.text(of: $0.errno))" }
      if attempts.contains(where: { $0.errno == EACCES }) {
        return "this user may not connect (\(tried.joined(separator: "; "))); join the group "
          + "'parallax', or log in on the device itself"
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
      return "the program on the socket is not parallaxd"
    case .noResources(let errno):
      return "no thread or descriptor left for a stream: \(Self.text(of: errno))"
    }
  }

  private static func text(of errno: Int32) -> String {
    errno == ENAMETOOLONG
      ? "longer than 107 bytes, the limit for a socket's path"
      : String(cString: strerror(errno))
  }
}

extension VersionMessage {
  /// The error that another major version of the protocol means; nil for this one.
  package var incompatibility: ParallaxError? {
    protoMajor == ParallaxRelease.protocolMajor
      ? nil : .incompatible(major: protoMajor, release: release)
  }
}
