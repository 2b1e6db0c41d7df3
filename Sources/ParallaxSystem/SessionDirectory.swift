import CSystemd
import Glibc

/// Whether a user sits at this machine.
package enum SessionPresence: Equatable, Sendable {
  /// No session: nobody, a service's user, one who lingers, or one whose last session is closing.
  case none
  /// Sessions, none of them in the foreground.
  case inactive
  /// At least one session in the foreground.
  case active
}

/// Who sits at this machine. The real one is `LogindSessions`.
package protocol SessionDirectory {
  func presence(ofUser userID: UInt32) throws(SystemError) -> SessionPresence

  /// Calls the handler whenever some session or user may have changed, until the watch is dropped.
  /// - Throws: `ENOENT` where there is no logind to watch.
  func watch(
    on loop: EventLoop, handler: @escaping () -> Void
  ) throws(SystemError) -> any SessionWatch
}

/// A watch on a session directory; ends when it is dropped.
package protocol SessionWatch: AnyObject {}

/// The sessions as systemd-logind keeps them (sd-login: files under /run/systemd, no bus). Without
/// logind nobody has a session.
package struct LogindSessions: SessionDirectory {
  package init() {}

  package func presence(ofUser userID: UInt32) throws(SystemError) -> SessionPresence {
    var text: UnsafeMutablePointer<CChar>?
    let result = sd_uid_get_state(userID, &text)
    defer { free(text) }
    // ENODATA, ENXIO: not a user that logind knows.
    if result == -ENODATA || result == -ENXIO || result == -ENOENT { return .none }
    try SystemError.check(result, "sd_uid_get_state")
    guard let text else { return .none }
    if strcmp(text, "active") == 0 { return .active }
    // "online" has sessions, "closing" is what is left of them, "lingering" and "offline" have
    // none; the count is what decides.
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

/// inotify on logind's files, through sd_login_monitor.
private final class LogindWatch: SessionWatch {
  private let monitor: OpaquePointer
  private var source: IOSource?

  init(_ loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemError) {
    var monitor: OpaquePointer?
    // "uid": /run/systemd/users, where a user's state changes with every session of theirs.
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
