// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// A change of one of the kernel's devices.
package enum DeviceChange: Equatable, Sendable {
  /// The device was added, or something about it changed. `id` as in `iio:device0`.
  case added(id: String)
  case removed(id: String)
}

/// Reports devices of some subsystems as the kernel adds and removes them.
///
/// A report comes before udev's rules have set the device's owner and mode.
package final class DeviceMonitor {
  private let socket: UeventSocket
  private let subsystems: Set<String>
  private let handler: (DeviceChange) -> Void
  private var source: IOSource?
  // The kernel limits a message to 2 KiB.
  private var buffer = [UInt8](repeating: 0, count: 8192)

  /// - Parameter subsystems: As in `iio`.
  package init(
    _ loop: EventLoop, subsystems: Set<String>, handler: @escaping (DeviceChange) -> Void
  ) throws(SystemError) {
    socket = try UeventSocket()
    self.subsystems = subsystems
    self.handler = handler
    source = try loop.watch(descriptor: socket.descriptor.raw, interest: .read) { [weak self] _ in
      self?.receive()
    }
  }

  deinit {
    source?.cancel()
  }

  private func receive() {
    // At most 32 per turn: a flood of messages does not delay other sources of the loop.
    for _ in 0..<32 {
      switch buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
      case .received(let count):
        let message = buffer[..<count]
        if let change = Uevent.change(in: message, of: subsystems) { handler(change) }
      // The retry timer finds a device whose message was lost.
      case .interrupted: continue
      case .none: return
      }
    }
  }
}

/// A message of the kernel: `add@/devices/...`, then `KEY=value`, each ended by a NUL.
enum Uevent {
  /// Returns the change that a message reports; nil if the message is about another subsystem or is
  /// malformed.
  static func change(in message: ArraySlice<UInt8>, of subsystems: Set<String>) -> DeviceChange? {
    var action: Substring?
    var path: Substring?
    var isOfSubsystem = false
    for part in properties(message).split(separator: 0) {
      let line = String(decoding: part, as: UTF8.self)
      guard let equals = line.firstIndex(of: "=") else { continue }
      let value = line[line.index(after: equals)...]
      switch line[..<equals] {
      case "ACTION": action = value
      case "DEVPATH": path = value
      case "SUBSYSTEM": isOfSubsystem = subsystems.contains(String(value))
      default: break
      }
    }
    guard isOfSubsystem, let action, let path else { return nil }
    let id = String(
      path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
    guard !id.isEmpty else { return nil }
    return action == "remove" ? .removed(id: id) : .added(id: id)
  }

  /// Returns the properties after the header of a message in udev's format, which umockdev sends
  /// instead of the kernel's: "libudev" and a NUL, a magic number, the header's size, the
  /// properties' offset and size, 32 bits each.
  private static func properties(_ message: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard message.starts(with: "libudev\0".utf8), message.count >= 24 else { return message }
    let offset = message.dropFirst(16).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    return message.dropFirst(offset)
  }
}
