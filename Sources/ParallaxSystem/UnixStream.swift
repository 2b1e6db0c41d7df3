import CSystemd
import Glibc

/// What came of giving bytes to a socket.
package enum SendResult: Equatable, Sendable {
  /// So many bytes, at least one, are the kernel's now; it may be fewer than were offered.
  case sent(Int)
  /// No room: wait for `.writable`.
  case wouldBlock
  /// The peer has gone.
  case closed
  case failed(SystemError)
}

/// What came of asking a socket for bytes.
package enum ReceiveResult: Equatable, Sendable {
  /// So many bytes, at least one.
  case received(Int)
  /// Nothing there: wait for `.readable`.
  case wouldBlock
  /// The peer sends no more; it may still read.
  case endOfInput
  /// The peer has gone, with bytes of ours unread.
  case closed
  case failed(SystemError)
}

/// A connected Unix stream socket, not blocking. No call raises SIGPIPE.
package struct UnixStream: ~Copyable {
  package let descriptor: FileDescriptor

  /// Takes over a connected stream socket.
  package init(owning descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }

  /// Connects to a listening socket. A Unix socket connects at once or not at all.
  /// - Throws: `ENOENT` nothing there; `ECONNREFUSED` nobody listens; `EAGAIN` its queue of
  ///   connections is full; `ENAMETOOLONG` over 107 bytes.
  package static func connect(to path: String) throws(SystemError) -> UnixStream {
    let raw = parallax_unix_socket()
    guard raw >= 0 else { throw SystemError.last("socket") }
    let descriptor = FileDescriptor(owning: raw)
    guard parallax_unix_connect(raw, path) == 0 else {
      throw SystemError.last("connect", path: path)
    }
    return UnixStream(owning: descriptor)
  }

  /// Two ends of one connection.
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

  /// Ends this side's output: the peer reads what is there and then an end of file.
  package borrowing func endOutput() {
    // Fails where the peer has gone: then there is nobody to tell.
    _ = parallax_shutdown_write(descriptor.raw)
  }

  /// Asks for `bytes` of SO_SNDBUF; the kernel doubles it and has a smallest size.
  package borrowing func setSendBuffer(bytes: Int32) throws(SystemError) {
    guard parallax_set_send_buffer(descriptor.raw, bytes) == 0 else {
      throw SystemError.last("setsockopt SO_SNDBUF")
    }
  }

  /// What the kernel holds for a peer that has not read it, in its own accounting: 0 if and only if
  /// the peer has read everything.
  package borrowing func unreadByPeer() throws(SystemError) -> Int {
    var bytes: Int32 = 0
    guard parallax_unsent_bytes(descriptor.raw, &bytes) == 0 else {
      throw SystemError.last("ioctl SIOCOUTQ")
    }
    return Int(bytes)
  }

  /// Closes now rather than at the end of the scope.
  package consuming func close() {}

  /// Who is at the other end.
  package borrowing func peer() throws(SystemError) -> PeerCredentials {
    try PeerCredentials(of: descriptor.raw)
  }
}

/// What `UnixStream.pair()` gives: to be taken apart.
package struct UnixStreamPair: ~Copyable {
  package let first: UnixStream
  package let second: UnixStream

  /// Hands both ends over.
  package consuming func take(_ body: (consuming UnixStream, consuming UnixStream) -> Void) {
    body(first, second)
  }
}
