// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Glibc

/// The outcome of a `send`.
package enum SendResult: Equatable, Sendable {
  /// The kernel has taken that many bytes: at least one, perhaps fewer than offered.
  case sent(Int)
  /// The send buffer is full: wait for `.writable`.
  case wouldBlock
  /// The peer has closed the connection.
  case closed
  case failed(SystemError)
}

/// The outcome of a `receive`.
package enum ReceiveResult: Equatable, Sendable {
  /// That many bytes, at least one.
  case received(Int)
  /// There are no bytes: wait for `.readable`.
  case wouldBlock
  /// The peer has ended its output; it may still read.
  case endOfInput
  /// The peer has closed the connection without reading all bytes.
  case closed
  case failed(SystemError)
}

/// A connected Unix stream socket. No call blocks or raises SIGPIPE.
package struct UnixStream: ~Copyable {
  package let descriptor: FileDescriptor

  /// Takes ownership of a connected stream socket.
  package init(owning descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }

  /// Connects to a listening socket. A Unix socket connects at once or not at all.
  ///
  /// - Throws: `ENOENT` if the path does not exist, `ECONNREFUSED` if no program listens, `EAGAIN` if
  ///   the queue of connections is full, `ENAMETOOLONG` over 107 bytes.
  package static func connect(to path: String) throws(SystemError) -> UnixStream {
    let raw = parallax_unix_socket()
    guard raw >= 0 else { throw SystemError.last("socket") }
    let descriptor = FileDescriptor(owning: raw)
    guard parallax_unix_connect(raw, path) == 0 else {
      throw SystemError.last("connect", path: path)
    }
    return UnixStream(owning: descriptor)
  }

  /// Returns the two ends of a new connection.
  package static func pair() throws(SystemError) -> UnixStreamPair {
    var first: Int32 = -1
    var second: Int32 = -1
    guard parallax_unix_socketpair(&first, &second) == 0 else {
      throw SystemError.last("socketpair")
    }
    return UnixStreamPair(
      first: UnixStream(owning: FileDescriptor(owning: first)),
      second: UnixStream(owning: FileDescriptor(owning: second)))
  }

  package borrowing func send(_ bytes: UnsafeRawBufferPointer) -> SendResult {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return .sent(0) }
    while true {
      let count = parallax_send(descriptor.raw, base, bytes.count)
      if count >= 0 { return .sent(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      case EPIPE, ECONNRESET, ENOTCONN: return .closed
      default: return .failed(SystemError.last("send"))
      }
    }
  }

  package borrowing func send(_ bytes: RawSpan) -> SendResult {
    bytes.withUnsafeBytes { send($0) }
  }

  package borrowing func send(_ text: String) -> SendResult {
    send(text.utf8Span.span.bytes)
  }

  package borrowing func receive(into buffer: UnsafeMutableRawBufferPointer) -> ReceiveResult {
    guard let base = buffer.baseAddress, !buffer.isEmpty else { return .received(0) }
    while true {
      let count = parallax_receive(descriptor.raw, base, buffer.count)
      if count > 0 { return .received(count) }
      if count == 0 { return .endOfInput }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      case ECONNRESET, ENOTCONN: return .closed
      default: return .failed(SystemError.last("recv"))
      }
    }
  }

  /// Sets SO_SNDBUF. The kernel doubles the size and enforces a minimum.
  package borrowing func setSendBuffer(bytes: Int32) throws(SystemError) {
    guard parallax_set_send_buffer(descriptor.raw, bytes) == 0 else {
      throw SystemError.last("setsockopt SO_SNDBUF")
    }
  }

  /// Returns the size of the unread output, in the kernel's accounting; 0 if and only if the peer has
  /// read everything.
  package borrowing func unreadByPeer() throws(SystemError) -> Int {
    var bytes: Int32 = 0
    guard parallax_unsent_bytes(descriptor.raw, &bytes) == 0 else {
      throw SystemError.last("ioctl SIOCOUTQ")
    }
    return Int(bytes)
  }

  /// Closes now rather than at the end of the scope.
  package consuming func close() {}

  /// Returns the credentials of the process at the other end.
  package borrowing func peer() throws(SystemError) -> PeerCredentials {
    try PeerCredentials(of: descriptor.raw)
  }
}

/// The result of `UnixStream.pair()`.
package struct UnixStreamPair: ~Copyable {
  package let first: UnixStream
  package let second: UnixStream

  /// Passes ownership of both ends to `body`.
  package consuming func take(_ body: (consuming UnixStream, consuming UnixStream) -> Void) {
    body(first, second)
  }
}
