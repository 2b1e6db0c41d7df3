import Glibc

/// parallaxd itself, with sockets in a folder of the test's own and nobody else's configuration. It
/// is killed when the last reference goes.
package final class LiveDaemon {
  package let folder: TemporaryFolder
  package let program: RunningProgram

  package var socket: String { folder("parallax.sock") }
  package var control: String { folder("control.sock") }

  /// Starts it and waits until it listens.
  ///
  /// - Parameters:
  ///   - settings: `TABLE.KEY=VALUE`, over those that give it its sockets and a synthetic source.
  ///   - configuration: what its configuration file, `parallax.toml` in the folder, says.
  ///   - given: where an earlier daemon was, to take its place.
  ///   - systemBus: the address of the bus that it is to ask; nil: of none.
  package init(
    _ settings: [String] = [], configuration: String = "", in given: TemporaryFolder? = nil,
    systemBus: String? = nil
  ) throws {
    let folder: TemporaryFolder = if let given { given } else { try TemporaryFolder() }
    self.folder = folder
    let file = try folder.write(configuration, to: "parallax.toml")
    let socket = folder("parallax.sock")
    var arguments = ["--config", file]
    for setting in ["source.kind=synthetic", "socket.path=\(socket)"] + settings {
      arguments += ["--set", setting]
    }
    program = try Program.parallaxd.start(
      arguments,
      environment: [
        "XDG_RUNTIME_DIR": folder.path, "PARALLAX_CONTROL": nil,
        // What this machine's own services say is no part of a test.
        "DBUS_SYSTEM_BUS_ADDRESS": systemBus ?? "unix:path=\(folder("no-bus"))",
        "DBUS_SESSION_BUS_ADDRESS": nil,
      ])
    do {
      try waitUntil("parallaxd listens") {
        access(socket, F_OK) == 0 && access(folder("control.sock"), F_OK) == 0
      }
    } catch {
      throw TestSupportError("\(error); \(program.errorsSoFar)")
    }
  }

  /// SIGTERM, and its end.
  package func end() throws(TestSupportError) -> ProgramResult {
    program.send(signal: SIGTERM)
    return try program.finish()
  }
}
