/// A connected Unix stream on the event loop: the socket and its source, which end in the right
/// order. The handler is told of events and calls `send` and `receive` itself.
///
/// Whoever holds it keeps it alive; dropped, it is closed. A handler that captures the
/// connection's owner should do so weakly.
package final class StreamConnection {
  // Declared first, so that it is gone before the descriptor closes.
  private let source: IOSource
  private var stream: UnixStream?

  /// Who connected, as the kernel saw it at connect().
  package let peer: PeerCredentials

  package init(
    _ loop: EventLoop, _ descriptor: consuming FileDescriptor, interest: IOInterest,
    handler: @escaping (IOEvents) -> Void
  ) throws(SystemError) {
    let stream = UnixStream(owning: descriptor)
    peer = try stream.peer()
    source = try loop.watch(
      descriptor: stream.descriptor.raw, interest: interest, handler: handler)
    self.stream = consume stream
  }

  deinit {
    source.cancel()
  }

  package var isOpen: Bool { stream != nil }

  /// What the handler is called for. Hang-ups and errors are always reported.
  package var interest: IOInterest {
    get { source.interest }
    set { source.interest = newValue }
  }

  /// Whose turn it is when several are due; smaller first.
  package func setPriority(_ priority: Int64) { source.setPriority(priority) }

  package func send(_ bytes: UnsafeRawBufferPointer) -> SendResult {
    stream?.send(bytes) ?? .closed
  }

  package func send(_ bytes: RawSpan) -> SendResult {
    bytes.withUnsafeBytes { send($0) }
  }

  package func receive(into buffer: UnsafeMutableRawBufferPointer) -> ReceiveResult {
    stream?.receive(into: buffer) ?? .closed
  }

  /// Ends the output; the peer reads what is there and then an end of file.
  package func endOutput() { stream?.endOutput() }

  package func setSendBuffer(bytes: Int32) throws(SystemError) {
    try stream?.setSendBuffer(bytes: bytes)
  }

  /// See `UnixStream.unreadByPeer`; 0 once closed.
  package func unreadByPeer() throws(SystemError) -> Int {
    guard stream != nil else { return 0 }
    return try stream?.unreadByPeer() ?? 0
  }

  /// Ends it: no event any more, and the socket closes. Allowed in its own handler, and twice.
  package func close() {
    source.cancel()
    stream = nil
  }
}
