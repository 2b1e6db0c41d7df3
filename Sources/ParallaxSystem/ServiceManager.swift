import CSystemd
import Glibc

/// What parallaxd tells systemd and gets from it. Without systemd all of it does nothing.
package enum ServiceManager {
  /// Where the process is in its life, sd_notify(3).
  package enum Notice: Equatable, Sendable {
    /// Started, or reloaded: clients may connect.
    case ready
    /// Reading its configuration again; `.ready` follows. Sends MONOTONIC_USEC too, which
    /// Type=notify-reload asks for.
    case reloading
    case stopping
    /// One line for `systemctl status`.
    case status(String)
    /// Alive.
    case watchdogPing
    /// The watchdog's time from now on; 0 switches it off, for idle times without a wakeup.
    case watchdogTime(nanoseconds: Int64)

    /// The lines that sd_notify(3) defines.
    var text: String {
      switch self {
      case .ready: "READY=1"
      case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.now() / 1000)"
      case .stopping: "STOPPING=1"
      case .status(let status): "STATUS=\(oneLine(status))"
      case .watchdogPing: "WATCHDOG=1"
      case .watchdogTime(let nanoseconds): "WATCHDOG_USEC=\(max(0, nanoseconds) / 1000)"
      }
    }
  }

  /// Tells the service manager.
  /// - Returns: false where there is none (`NOTIFY_SOCKET` is not set).
  /// - Throws: where there is one that cannot be reached.
  @discardableResult
  package static func notify(_ notice: Notice) throws(SystemError) -> Bool {
    try SystemError.check(sd_notify(0, notice.text), "sd_notify") > 0
  }

  /// How long the service manager waits between two pings before it restarts the service,
  /// nanoseconds; ping at half of it. Nil where no watchdog is set for this process.
  package static func watchdogNanoseconds() throws(SystemError) -> Int64? {
    var microseconds: UInt64 = 0
    let isOn = try SystemError.check(
      sd_watchdog_enabled(0, &microseconds), "sd_watchdog_enabled")
    return isOn > 0 ? Int64(clamping: microseconds).multipliedClamping(by: 1000) : nil
  }

  /// A socket that the service manager made.
  package struct InheritedSocket: Equatable, Sendable {
    /// The socket unit's FileDescriptorName=; without one the unit's name.
    package var name: String
    /// Open, close-on-exec; to be taken over once.
    package var descriptor: Int32
  }

  /// The sockets passed by socket activation, in the units' order. Removes them from the
  /// environment: the second call finds none.
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

/// Text that stays on its line: control characters become spaces.
func oneLine(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: \.isControl) else { return text }
  var line = String.UnicodeScalarView()
  for scalar in text.unicodeScalars { line.append(scalar.isControl ? " " : scalar) }
  return String(line)
}

extension Unicode.Scalar {
  /// C0, DEL and C1: what moves a terminal's cursor or ends a line.
  fileprivate var isControl: Bool {
    value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
  }
}

extension Int64 {
  fileprivate func multipliedClamping(by factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
