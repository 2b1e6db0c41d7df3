// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
package import ParallaxBase

/// The interface to the service manager, systemd. Without it, every call does nothing.
package enum ServiceManager {
  /// A message about the state of the service, sd_notify(3).
  package enum Notice: Equatable, Sendable {
    /// The service has started or reloaded: clients may connect.
    case ready
    /// The service reads its configuration again; `.ready` follows. Includes MONOTONIC_USEC, which
    /// Type=notify-reload requires.
    case reloading
    /// The service is exiting.
    case stopping
    /// The service is alive.
    case watchdogPing
    /// The new time limit of the watchdog; zero turns it off, so that an idle service needs no wakeup.
    case watchdogTime(MotionDuration)

    /// The lines that sd_notify(3) defines.
    var text: String {
      switch self {
      case .ready: "READY=1"
      case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.now().nanoseconds / 1000)"
      case .stopping: "STOPPING=1"
      case .watchdogPing: "WATCHDOG=1"
      case .watchdogTime(let time): "WATCHDOG_USEC=\(max(0, time.nanoseconds) / 1000)"
      }
    }
  }

  /// Sends a message to the service manager.
  ///
  /// - Returns: False if there is none (`NOTIFY_SOCKET` is not set).
  /// - Throws: `SystemError` if it cannot be reached.
  @discardableResult
  package static func notify(_ notice: Notice) throws(SystemError) -> Bool {
    try SystemError.check(sd_notify(0, notice.text), "sd_notify") > 0
  }

  /// Returns the watchdog's time limit between two pings, after which the service manager restarts the
  /// service; ping twice as often. Nil if this process has no watchdog.
  package static func watchdog() throws(SystemError) -> MotionDuration? {
    var microseconds: UInt64 = 0
    let isOn = try SystemError.check(
      sd_watchdog_enabled(0, &microseconds), "sd_watchdog_enabled")
    guard isOn > 0 else { return nil }
    return .nanoseconds(min(Int64(clamping: microseconds), .max / 1000) * 1000)
  }

  /// A socket from the service manager.
  package struct InheritedSocket: Equatable, Sendable {
    /// The socket unit's FileDescriptorName=; by default the unit's name.
    package var name: String
    /// The open descriptor, close-on-exec. The caller takes ownership.
    package var descriptor: Int32
  }

  /// Returns the sockets passed by socket activation, in the order of the units, and removes them from
  /// the environment: a second call returns none.
  package static func inheritedSockets() throws(SystemError) -> [InheritedSocket] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = try SystemError.check(
      sd_listen_fds_with_names(1, &names), "sd_listen_fds_with_names")
    defer { free(names) }
    var sockets: [InheritedSocket] = []
    for index in 0..<Int(count) {
      var name = ""
      if let text = names?[index] {
        name = String(cString: text)
        free(text)
      }
      sockets.append(
        InheritedSocket(name: name, descriptor: SD_LISTEN_FDS_START + Int32(index)))
    }
    return sockets
  }
}
