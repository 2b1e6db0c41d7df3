// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
import ParallaxBase
package import ParallaxLoop

/// A message bus for one test (a dbus-daemon). It ends when it is dropped.
package final class PrivateBus {
  private let folder: TemporaryFolder
  private var daemon: RunningProgram?

  /// As `unix:path=/tmp/...`; the same after a restart.
  package let address: String

  package init() throws(TestSupportError) {
    folder = try TemporaryFolder()
    folder.openToAll()
    address = "unix:path=\(folder("bus"))"
    try folder.write(
      """
      <busconfig>
        <type>system</type>
        <listen>\(address)</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow user="*"/><allow own="*"/>
          <allow send_type="method_call"/><allow send_type="signal"/>
          <allow send_type="method_return"/><allow send_type="error"/>
          <allow receive_type="method_call"/><allow receive_type="signal"/>
          <allow receive_type="method_return"/><allow receive_type="error"/>
        </policy>
      </busconfig>
      """, to: "bus.conf")
    try start()
  }

  /// Starts the daemon again after `kill`, at the same address.
  package func start() throws(TestSupportError) {
    unlink(folder("bus"))
    let daemon = try Program(path: "/usr/bin/dbus-daemon")
      .start(["--nofork", "--nopidfile", "--print-address", "--config-file=\(folder("bus.conf"))"])
    self.daemon = daemon
    guard try daemon.nextLine() != nil else {
      throw TestSupportError("dbus-daemon does not start: \(daemon.errorsSoFar)")
    }
  }

  /// Kills the daemon. Its socket file stays, as after a crash.
  package func kill() { daemon = nil }
}

extension EventLoop {
  /// Runs the loop until the condition holds; throws after 30 s.
  package func run(
    _ what: String, until condition: () throws -> Bool
  ) throws {
    let deadline = Deadline(seconds: 30)
    while try !condition() {
      if deadline.isOver { throw TestSupportError("not within 30 s: \(what)") }
      sd_event_run(raw, 10_000)
    }
  }
}
