// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
package import ParallaxBase

/// Whether a user sits at a seat: at the screen and keyboard of this machine.
package enum SessionPresence: Equatable, Sendable {
  /// No session on the seat: the user is not logged in, came over the network, belongs to a service,
  /// lingers, or is logging out of the last session.
  case none
  /// Has sessions on the seat, none of them in the foreground.
  case inactive
  /// Has the session in the foreground.
  case active
}

/// The login sessions on this machine. `LogindSessions` is the real one.
package protocol SessionDirectory {
  /// Returns the presence of the users with a session on a seat; it is `none` for all others.
  func presences(onSeat seat: String) throws(SystemError) -> [UInt32: SessionPresence]

  /// Calls the handler whenever the presence of a user may have changed, until the watch is dropped.
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
///
/// A user's own state is of no use here: logind calls every session without a seat active, such as one
/// over the network. So the sessions of the seat count. A closing one does not, although its seat may
/// still call it active: its user has logged out and left a process behind, and the next one is about to
/// type a password.
package struct LogindSessions: SessionDirectory {
  package init() {}

  package func presences(
    onSeat seat: String
  ) throws(SystemError) -> [UInt32: SessionPresence] {
    var presences: [UInt32: SessionPresence] = [:]
    for session in try Self.sessions(onSeat: seat) {
      defer { free(session) }
      guard let state = try Self.state(of: session), let user = try Self.user(of: session) else {
        continue
      }
      switch state {
      case "active": presences[user] = .active
      case "online", "opening":
        if presences[user] == nil { presences[user] = .inactive }
      default: break
      }
    }
    return presences
  }

  package func watch(
    on loop: EventLoop, handler: @escaping () -> Void
  ) throws(SystemError) -> any SessionWatch {
    try LogindWatch(loop, handler)
  }

  /// Returns the ids of a seat's sessions, which the caller frees.
  private static func sessions(
    onSeat seat: String
  ) throws(SystemError) -> [UnsafeMutablePointer<CChar>] {
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_seat_get_sessions(seat, &list, nil, nil)
    if count == -ENXIO || count == -ENOENT { return [] }
    try SystemError.check(count, "sd_seat_get_sessions")
    defer { free(list) }
    return (0..<Int(count)).compactMap { list?[$0] }
  }

  /// Returns the state of a session; nil if it has ended.
  private static func state(of session: UnsafePointer<CChar>) throws(SystemError) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    let result = sd_session_get_state(session, &text)
    defer { free(text) }
    if result == -ENXIO || result == -ENOENT { return nil }
    try SystemError.check(result, "sd_session_get_state")
    return text.map { String(cString: $0) }
  }

  /// Returns the user of a session; nil if it has ended.
  private static func user(of session: UnsafePointer<CChar>) throws(SystemError) -> UInt32? {
    var user: uid_t = 0
    let result = sd_session_get_uid(session, &user)
    if result == -ENXIO || result == -ENOENT { return nil }
    try SystemError.check(result, "sd_session_get_uid")
    return user
  }
}

/// A watch on logind's files, by sd_login_monitor (inotify).
private final class LogindWatch: SessionWatch {
  private var monitors: [OpaquePointer] = []
  private var sources: [IOSource] = []

  init(_ loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemError) {
    // A seat's file lists its sessions, a session's file has its state. All categories at once would
    // also need the folder of virtual machines, which may be missing.
    for category in ["seat", "session"] {
      var opened: OpaquePointer?
      try SystemError.check(sd_login_monitor_new(category, &opened), "sd_login_monitor_new")
      guard let monitor = opened else {
        throw SystemError(number: ENOMEM, call: "sd_login_monitor_new")
      }
      monitors.append(monitor)
      sources.append(
        try loop.watch(descriptor: sd_login_monitor_get_fd(monitor), interest: .read) { _ in
          sd_login_monitor_flush(monitor)
          handler()
        })
    }
  }

  deinit {
    for source in sources { source.cancel() }
    for monitor in monitors { sd_login_monitor_unref(monitor) }
  }
}
