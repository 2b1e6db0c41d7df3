// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The paths of the daemon's sockets.
package enum SocketPath {
  /// The two sockets.
  package enum Kind: Sendable {
    case stream, control

    var fileName: String { self == .stream ? "parallax.sock" : "control.sock" }
    var variable: String { self == .stream ? "PARALLAX_SOCKET" : "PARALLAX_CONTROL" }
  }

  /// Returns the paths to try, in order: only `explicit` if it is given, else only the environment's if
  /// the variable is set, else the user's (`$XDG_RUNTIME_DIR`, or else `/run/user/UID`) and the system's.
  ///
  /// A socket that the user names is the only one: the offsets of another daemon would mislead.
  ///
  /// - Parameters:
  ///   - kind: The socket.
  ///   - explicit: A path from the command line.
  ///   - environment: Returns the value of a variable; the default reads the process's environment.
  ///   - uid: The user whose socket to try; by default the process's.
  package static func candidates(
    _ kind: Kind, explicit: String? = nil,
    environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } },
    uid: UInt32 = getuid()
  ) -> [String] {
    if let explicit { return [explicit] }
    func value(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    if let path = value(kind.variable) { return [path] }
    if kind == .control, let stream = value(Kind.stream.variable) { return [beside(stream)] }
    let runtime = value("XDG_RUNTIME_DIR") ?? "/run/user/\(uid)"
    return ["\(runtime)/parallax/\(kind.fileName)", "/run/parallax/\(kind.fileName)"]
  }

  /// Returns the path of the control socket in the folder of a stream socket.
  package static func beside(_ stream: String) -> String {
    guard let slash = stream.lastIndex(of: "/") else { return Kind.control.fileName }
    return stream[...slash] + Kind.control.fileName
  }
}
