// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A running parallaxd with its sockets in a temporary folder and without the machine's configuration.
/// It is killed when the last reference is dropped.
package final class LiveDaemon {
  package let folder: TemporaryFolder
  package let program: RunningProgram

  package var socket: String { folder("parallax.sock") }
  package var control: String { folder("control.sock") }

  /// Starts the daemon and waits until it listens.
  ///
  /// - Parameters:
  ///   - settings: `TABLE.KEY=VALUE`, in addition to its sockets and a synthetic source.
  ///   - configuration: the text of its configuration file, `parallax.toml` in the folder.
  ///   - given: the folder of an earlier daemon, to replace that daemon.
  ///   - systemBus: the address of the system bus; nil for none.
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
        // The test does not depend on this machine's services.
        "DBUS_SYSTEM_BUS_ADDRESS": systemBus ?? "unix:path=\(folder("no-bus"))",
        "DBUS_SESSION_BUS_ADDRESS": nil,
      ])
    do {
      try waitUntil("parallaxd listens") {
        access(socket, F_OK) == 0 && access(folder("control.sock"), F_OK) == 0
          // It keeps the lock of a socket for a moment longer.
          && (try? folder.names())?.contains { $0.hasSuffix(".lock") } == false
      }
    } catch {
      throw TestSupportError("\(error); \(program.errorsSoFar)")
    }
  }

  /// Sends SIGTERM and waits for the end of the daemon.
  package func end() throws(TestSupportError) -> ProgramResult {
    program.send(signal: SIGTERM)
    return try program.finish()
  }
}
