// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The paths of the daemon's sockets to try, in order, as every client finds them (docs/protocol.md).
package struct DaemonSockets: Equatable, Sendable {
  package let stream: [String]
  package let control: [String]
  /// The options with which a command of `parallax` finds the same daemon.
  package let options: [String]

  /// - Parameters:
  ///   - stream: The value of --socket.
  ///   - control: The value of --control.
  package init(
    stream: String?, control: String?,
    variable: (String) -> String? = ProgramEnvironment.variable, uid: UInt32 = getuid()
  ) {
    options =
      (stream.map { ["--socket", $0] } ?? []) + (control.map { ["--control", $0] } ?? [])
    let named = stream ?? variable("PARALLAX_SOCKET")
    let folders = [variable("XDG_RUNTIME_DIR") ?? "/run/user/\(uid)", "/run"]
      .map { "\($0)/parallax" }
    self.stream = named.map { [$0] } ?? folders.map { "\($0)/parallax.sock" }
    if let control = control ?? (stream == nil ? variable("PARALLAX_CONTROL") : nil) {
      self.control = [control]
    } else {
      self.control = named.map { [Self.beside($0)] } ?? folders.map { "\($0)/control.sock" }
    }
  }

  private static func beside(_ stream: String) -> String {
    guard let slash = stream.lastIndex(of: "/") else { return "control.sock" }
    return stream[...slash] + "control.sock"
  }
}
