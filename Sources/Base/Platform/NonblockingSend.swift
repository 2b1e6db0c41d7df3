// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Glibc

/// Sending to a socket that another part of the program, or another program, owns.
package enum NonblockingSend {
  /// Sends bytes without waiting and without SIGPIPE, whatever the socket's flags are.
  ///
  /// - Returns: The number of bytes that were taken, or -1 with `errno`.
  package static func send(_ bytes: [UInt8], to socket: Int32) -> Int {
    bytes.withUnsafeBytes { parallax_send(socket, $0.baseAddress, $0.count) }
  }
}

extension NonblockingSend {
  /// Sends the bytes that a stream socket accepts now.
  ///
  /// - Returns: Their number, 0 if its buffer is full; nil if the peer is gone or the call failed.
  package static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Int? {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return 0 }
    while true {
      let count = parallax_send(socket, base, bytes.count)
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN: return 0
      default: return nil
      }
    }
  }
}

/// A Unix datagram socket that sends without waiting.
package struct DatagramSocket: ~Copyable {
  private let descriptor: FileDescriptor

  package init() throws(SystemError) {
    let raw = parallax_unix_datagram_socket()
    guard raw >= 0 else { throw SystemError.last("socket") }
    descriptor = FileDescriptor(owning: raw)
  }

  /// Sends one datagram to the socket at a path.
  ///
  /// - Throws: `EAGAIN` if its queue is full, `ENOENT` or `ECONNREFUSED` if no program reads it.
  package borrowing func send(_ bytes: [UInt8], to path: String) throws(SystemError) {
    while true {
      let count = bytes.withUnsafeBytes {
        parallax_unix_send_to(descriptor.raw, path, $0.baseAddress, $0.count)
      }
      if count >= 0 { return }
      if errno != EINTR { throw SystemError.last("sendto", path: path) }
    }
  }
}
