// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The paths of the daemon's sockets.
package struct SocketPaths: Equatable, Sendable {
  package let stream: String
  package let control: String

  /// The longest path of a Unix socket in bytes: `sun_path` has 108 with its final NUL (unix(7)).
  package static let lengthLimit = 107
  /// The folder of the system service.
  package static let systemFolder = "/run/parallax"

  package init(stream: String, control: String) {
    self.stream = stream
    self.control = control
  }

  /// Resolves the configured paths, or the defaults: in systemd's `RUNTIME_DIRECTORY` of the
  /// service, else in `$XDG_RUNTIME_DIR/parallax`, else in `/run/parallax` for root and in
  /// `/run/user/UID/parallax`, if that runtime folder exists, for other users.
  ///
  /// So root in its own session (with XDG_RUNTIME_DIR) starts its user daemon, like any user, and
  /// `sudo parallaxd` (without) starts the system daemon. If XDG_RUNTIME_DIR belongs to another
  /// user (`sudo -E`, `su`), root ignores it, as the XDG specification requires.
  ///
  /// - Throws: an error that names `--socket` if there is no folder or a path is too long.
  package init(
    _ socket: Configuration.Socket, process: ProcessEnvironment, files: some ConfigFileSystem
  ) throws(ConfigurationErrors) {
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
      do {
        try Self.validate(path)
      } catch {
        throw ConfigurationErrors([
          ConfigurationError(
            origin: origin.map(SettingOrigin.environment) ?? .builtIn, key: nil,
            message: "\(error.message); or choose another with --socket PATH")
        ])
      }
    }
    self.init(stream: stream, control: control)
  }

  /// Returns `control.sock` in the folder of the stream socket.
  package static func control(beside stream: String) -> String {
    guard let slash = stream.lastIndex(of: "/") else { return "control.sock" }
    return stream[...slash] + "control.sock"
  }

  /// `provider.sock` in the control socket's folder: the socket of parallax-provider, which sends
  /// documents to the daemon.
  package var provider: String {
    guard let slash = control.lastIndex(of: "/") else { return "provider.sock" }
    return control[...slash] + "provider.sock"
  }

  /// Throws an error if a socket cannot have this path.
  static func validate(_ path: String) throws(SettingError) {
    let count = path.utf8.count
    guard count <= lengthLimit else {
      throw SettingError(
        "the socket path '\(path)' has \(count) bytes, but Unix sockets allow \(lengthLimit); "
          + "use a shorter one")
    }
    guard !path.hasSuffix("/") else {
      throw SettingError(
        "'\(path)' is a folder; add the socket's name, as in \(path)parallax.sock")
    }
  }

  private static func folder(
    process: ProcessEnvironment, files: some ConfigFileSystem
  ) throws(ConfigurationErrors) -> (path: String, source: String?) {
    if let folder = process.folder("RUNTIME_DIRECTORY") { return (folder, "RUNTIME_DIRECTORY") }
    if let runtime = process.folder("XDG_RUNTIME_DIR") {
      let owner = files.owner(ofFolder: runtime)
      let isForeign = process.userID == 0 && owner != nil && owner != 0
      if !isForeign { return (runtime + "/parallax", "XDG_RUNTIME_DIR") }
    }
    if process.userID == 0 { return (systemFolder, nil) }
    let runtime = "/run/user/\(process.userID)"
    guard files.owner(ofFolder: runtime) != nil else {
      throw ConfigurationErrors([
        ConfigurationError(
          origin: .builtIn, key: nil,
          message: "no folder for the sockets: XDG_RUNTIME_DIR is not set and \(runtime) does "
            + "not exist; choose a path with --socket PATH (parallax run) or "
            + "--set socket.path=PATH (parallaxd)")
      ])
    }
    return (runtime + "/parallax", nil)
  }
}
