import Glibc

/// Where the daemon may be listening.
package enum SocketPath {
  /// The two sockets.
  package enum Kind: Sendable {
    case stream, control

    var fileName: String { self == .stream ? "parallax.sock" : "control.sock" }
    var variable: String { self == .stream ? "PARALLAX_SOCKET" : "PARALLAX_CONTROL" }
  }

  /// The paths to try, in this order: `explicit` alone where it is given; else the environment's,
  /// the user's (`$XDG_RUNTIME_DIR`, else `/run/user/UID`), the system's.
  ///
  /// - Parameters:
  ///   - kind: which socket.
  ///   - explicit: what the user named.
  ///   - environment: looks a variable up; the process's own unless a test says otherwise.
  ///   - uid: whose user socket; the process's own unless a test says otherwise.
  package static func candidates(
    _ kind: Kind, explicit: String? = nil,
    environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } },
    uid: UInt32 = getuid()
  ) -> [String] {
    if let explicit { return [explicit] }
    func value(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    var paths: [String] = []
    if let path = value(kind.variable) {
      paths.append(path)
    } else if kind == .control, let stream = value(Kind.stream.variable) {
      paths.append(beside(stream))
    }
    let runtime = value("XDG_RUNTIME_DIR") ?? "/run/user/\(uid)"
    paths.append("\(runtime)/parallax/\(kind.fileName)")
    paths.append("/run/parallax/\(kind.fileName)")
    return paths
  }

  /// The control socket in the folder of a stream socket.
  package static func beside(_ stream: String) -> String {
    guard let slash = stream.lastIndex(of: "/") else { return Kind.control.fileName }
    return stream[...slash] + Kind.control.fileName
  }
}
