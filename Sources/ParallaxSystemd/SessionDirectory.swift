// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
package import ParallaxPlatform

/// Whether a user is logged in at this machine.
package enum SessionPresence: Equatable, Sendable {
  /// No session: the user is not logged in, belongs to a service, lingers, or is logging out of the
  /// last session.
  case none
  /// Has sessions, none of them in the foreground.
  case inactive
  /// Has a session in the foreground.
  case active
}

/// The login sessions on this machine. `LogindSessions` is the real one.
package protocol SessionDirectory {
  func presence(ofUser userID: UInt32) throws(SystemError) -> SessionPresence

  /// Calls the handler whenever a session or user may have changed, until the watch is dropped.
  ///
  /// - Throws: `ENOENT` if logind is not running.
  func watch(
    on loop: EventLoop, handler: @escaping () -> Void
  ) throws(SystemError) -> any SessionWatch
}

/// A watch on a session directory. Ends when it is dropped.
package protocol SessionWatch: AnyObject {}

/// The sessions of systemd-logind (sd-login: files under /run/systemd, no bus). Without logind no user
/// has a session.
package struct LogindSessions: SessionDirectory {
  package init() {}

  package func presence(ofUser userID: UInt32) throws(SystemError) -> SessionPresence {
    var text: UnsafeMutablePointer<CChar>?
    let result = sd_uid_get_state(userID, &text)
    defer { free(text) }
    // ENODATA, ENXIO: logind does not know the user.
    if result == -ENODATA || result == -ENXIO || result == -ENOENT { return .none }
    try SystemError.check(result, "sd_uid_get_state")
    guard let text else { return .none }
    if strcmp(text, "active") == 0 { return .active }
    // "online" has sessions, "closing" is ending its last one, "lingering" and "offline" have none;
    // the number of sessions decides.
    let count = sd_uid_get_sessions(userID, 0, nil)
    if count == -ENODATA || count == -ENXIO || count == -ENOENT { return .none }
    return try SystemError.check(count, "sd_uid_get_sessions") > 0 ? .inactive : .none
  }

  package func watch(
    on loop: EventLoop, handler: @escaping () -> Void
  ) throws(SystemError) -> any SessionWatch {
    try LogindWatch(loop, handler)
  }
}

/// A watch on logind's files, by sd_login_monitor (inotify).
private final class LogindWatch: SessionWatch {
  private let monitor: OpaquePointer
  private var source: IOSource?

  init(_ loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemError) {
    var monitor: OpaquePointer?
    // "uid": /run/systemd/users, where the file of a user changes with each of their sessions.
    try SystemError.check(sd_login_monitor_new("uid", &monitor), "sd_login_monitor_new")
    guard let monitor else { throw SystemError(number: ENOMEM, call: "sd_login_monitor_new") }
    self.monitor = monitor
    source = try loop.watch(descriptor: sd_login_monitor_get_fd(monitor), interest: .read) { _ in
      sd_login_monitor_flush(monitor)
      handler()
    }
  }

  deinit {
    source?.cancel()
    sd_login_monitor_unref(monitor)
  }
}
