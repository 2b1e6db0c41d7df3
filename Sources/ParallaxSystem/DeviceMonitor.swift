import CSystemd
import Glibc

/// What happened to a device of the kernel's.
package enum DeviceChange: Equatable, Sendable {
  /// It came, or something about it changed. `id` as in `iio:device0`.
  case added(id: String)
  case removed(id: String)
}

/// Tells when devices come and go, as the kernel says it.
///
/// The kernel and not udev: its news reach a service without a network of its own (PrivateNetwork=),
/// and a machine without udevd. Whoever is told is told at once, before udev's rules have given the
/// device to anybody.
package final class DeviceMonitor {
  private let socket: FileDescriptor
  private let subsystem: String
  private let handler: (DeviceChange) -> Void
  private var source: IOSource?
  // The kernel's own buffer for a message is 2 KiB.
  private var buffer = [UInt8](repeating: 0, count: 8192)

  /// - Parameter subsystem: as in `iio`.
  package init(
    _ loop: EventLoop, subsystem: String, handler: @escaping (DeviceChange) -> Void
  ) throws(SystemError) {
    let raw = parallax_uevent_socket()
    guard raw >= 0 else { throw SystemError.last("socket", path: "NETLINK_KOBJECT_UEVENT") }
    socket = FileDescriptor(owning: raw)
    self.subsystem = subsystem
    self.handler = handler
    source = try loop.watch(descriptor: raw, interest: .read) { [weak self] _ in self?.receive() }
  }

  deinit {
    source?.cancel()
  }

  private func receive() {
    // Some at a time: what else is due in the loop is not kept waiting by a flood of news.
    for _ in 0..<32 {
      let count = buffer.withUnsafeMutableBytes { bytes in
        parallax_uevent_receive(socket.raw, bytes.baseAddress, bytes.count)
      }
      // ENOBUFS: some were lost; a device that is missed is looked for again later.
      if count < 0 && (errno == EINTR || errno == ENOBUFS) { continue }
      guard count >= 0 else { return }
      if let change = Uevent.change(in: buffer[..<count], subsystem: subsystem) { handler(change) }
    }
  }
}

/// The kernel's message: `add@/devices/...`, then `KEY=value`, each ended by a NUL.
enum Uevent {
  /// nil where it is about another subsystem, or no such message at all.
  static func change(in message: ArraySlice<UInt8>, subsystem: String) -> DeviceChange? {
    var action: Substring?
    var path: Substring?
    var isOurs = false
    for part in properties(message).split(separator: 0) {
      let line = String(decoding: part, as: UTF8.self)
      guard let equals = line.firstIndex(of: "=") else { continue }
      let value = line[line.index(after: equals)...]
      switch line[..<equals] {
      case "ACTION": action = value
      case "DEVPATH": path = value
      case "SUBSYSTEM": isOurs = value == subsystem
      default: break
      }
    }
    guard isOurs, let action, let path else { return nil }
    let id = String(
      path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
    guard !id.isEmpty else { return nil }
    return action == "remove" ? .removed(id: id) : .added(id: id)
  }

  /// Behind the header of udev's messages, which umockdev sends in the kernel's place: "libudev" and a
  /// NUL, a magic number, the header's size, the properties' place and size, 32 bits each.
  private static func properties(_ message: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard message.starts(with: "libudev\0".utf8), message.count >= 24 else { return message }
    let place = message.dropFirst(16).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    return message.dropFirst(place)
  }
}
