/// Where the daemon's two sockets are.
package struct SocketPaths: Equatable, Sendable {
  package let stream: String
  package let control: String

  /// Bytes of a Unix socket's path: `sun_path` holds 108 with its final NUL (unix(7)).
  package static let lengthLimit = 107
  /// The system service's folder.
  package static let systemFolder = "/run/parallax"

  package init(stream: String, control: String) {
    self.stream = stream
    self.control = control
  }

  /// The configured paths, and where there are none the defaults: in the folder that systemd made
  /// for the service (`RUNTIME_DIRECTORY`), else in `$XDG_RUNTIME_DIR/parallax`, else, for root,
  /// `/run/parallax`, and for others `/run/user/UID/parallax` where there is such a folder.
  ///
  /// So root in a session of its own (with XDG_RUNTIME_DIR) starts its own user's daemon, as anyone
  /// does, and `sudo parallaxd` (without) the system's. A runtime folder that belongs to somebody
  /// else (`sudo -E`, `su`) is none of root's, as the XDG specification wants it: the system's
  /// counts then.
  /// - Throws: one problem that names `--socket` where no folder is to be found, or a path is too
  ///   long.
  package init(
    _ socket: Configuration.Socket, process: ProcessFacts, files: some ConfigFileSystem
  ) throws(ConfigError) {
    var origin: String?
    let stream: String
    if let path = socket.path {
      stream = path
    } else {
      let (folder, source) = try Self.folder(process: process, files: files)
      stream = folder + "/parallax.sock"
      origin = source
    }
    let control = socket.control ?? Self.control(beside: stream)
    for path in [stream, control] {
      if let message = Self.problem(with: path) {
        throw ConfigError([
          ConfigProblem(
            origin: origin.map(SettingOrigin.environment) ?? .builtIn, key: nil,
            message: "\(message); or name another with --socket PATH")
        ])
      }
    }
    self.init(stream: stream, control: control)
  }

  /// `control.sock` in the same folder.
  package static func control(beside stream: String) -> String {
    guard let slash = stream.lastIndex(of: "/") else { return "control.sock" }
    return stream[...slash] + "control.sock"
  }

  /// `provider.sock` in the control socket's folder: parallax-provider's, which the daemon asks for
  /// documents.
  package var provider: String {
    guard let slash = control.lastIndex(of: "/") else { return "provider.sock" }
    return control[...slash] + "provider.sock"
  }

  /// Why nobody could listen at this path; nil if somebody could.
  package static func problem(with path: String) -> String? {
    let count = path.utf8.count
    if count > lengthLimit {
      return "the socket path '\(path)' has \(count) bytes, and Unix sockets allow "
        + "\(lengthLimit); use a shorter one"
    }
    if path.hasSuffix("/") {
      return "'\(path)' is a folder; add the socket's name, as in \(path)parallax.sock"
    }
    return nil
  }

  private static func folder(
    process: ProcessFacts, files: some ConfigFileSystem
  ) throws(ConfigError) -> (path: String, source: String?) {
    if let folder = process.folder("RUNTIME_DIRECTORY") { return (folder, "RUNTIME_DIRECTORY") }
    if let runtime = process.folder("XDG_RUNTIME_DIR") {
      let owner = files.owner(ofFolder: runtime)
      let isForeign = process.userID == 0 && owner != nil && owner != 0
      if !isForeign { return (runtime + "/parallax", "XDG_RUNTIME_DIR") }
    }
    if process.userID == 0 { return (systemFolder, nil) }
    let runtime = "/run/user/\(process.userID)"
    guard files.owner(ofFolder: runtime) != nil else {
      throw ConfigError([
        ConfigProblem(
          origin: .builtIn, key: nil,
          message: "no place for the sockets: XDG_RUNTIME_DIR is not set and \(runtime) is not "
            + "there; name one with --socket PATH (parallax run) or "
            + "--set socket.path=PATH (parallaxd)")
      ])
    }
    return (runtime + "/parallax", nil)
  }
}
