// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Glibc

/// The kernel's announcements of added, changed and removed devices (NETLINK_KOBJECT_UEVENT).
///
/// The kernel's own messages, not udev's: they reach a service in a private network namespace
/// (PrivateNetwork=) and a machine without udevd.
package struct UeventSocket: ~Copyable {
  /// The outcome of one `receive`.
  package enum Message: Equatable, Sendable {
    /// A message of that many bytes, now at the start of the buffer; 0 if its sender is not the
    /// kernel.
    case received(Int)
    /// Messages were lost, or a signal interrupted the call: receive again.
    case interrupted
    /// No message is waiting.
    case none
  }

  /// Ready to read while a message waits.
  package let descriptor: FileDescriptor

  package init() throws(SystemError) {
    let raw = parallax_uevent_socket()
    guard raw >= 0 else { throw SystemError.last("socket", path: "NETLINK_KOBJECT_UEVENT") }
    descriptor = FileDescriptor(owning: raw)
  }

  /// Receives the next message without waiting. The kernel limits a message to 2 KiB.
  package borrowing func receive(into buffer: UnsafeMutableRawBufferPointer) -> Message {
    let count = parallax_uevent_receive(descriptor.raw, buffer.baseAddress, buffer.count)
    if count >= 0 { return .received(count) }
    return errno == EINTR || errno == ENOBUFS ? .interrupted : .none
  }
}
