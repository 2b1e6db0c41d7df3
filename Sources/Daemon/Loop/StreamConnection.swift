// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// A connected Unix stream on the event loop: a socket and its source, closed in the right order.
///
/// The handler gets the events and calls `send` and `receive`. Dropping the connection closes it, so
/// the handler should capture the connection's owner weakly.
package final class StreamConnection {
  // Declared first: it must end before the descriptor closes.
  private let source: IOSource
  private var stream: UnixStream?

  /// The credentials of the process that connected.
  package let peer: PeerCredentials

  package init(
    _ loop: EventLoop, _ descriptor: consuming FileDescriptor, interest: IOInterest,
    priority: EventPriority = .normal, handler: @escaping (IOEvents) -> Void
  ) throws(SystemError) {
    let stream = UnixStream(owning: descriptor)
    peer = try stream.peer()
    source = try loop.watch(
      descriptor: stream.descriptor.raw, interest: interest, priority: priority, isOneOfMany: true,
      handler: handler)
    self.stream = consume stream
  }

  deinit {
    source.cancel()
  }

  package var isOpen: Bool { stream != nil }

  /// The descriptor; nil once closed.
  package var rawDescriptor: Int32? { stream?.descriptor.raw }

  /// The events to call the handler for. Hang-ups and errors are always reported.
  package var interest: IOInterest {
    get { source.interest }
    set { source.interest = newValue }
  }

  package func send(_ bytes: UnsafeRawBufferPointer) -> SendResult {
    stream?.send(bytes) ?? .closed
  }

  package func send(_ bytes: RawSpan) -> SendResult {
    bytes.withUnsafeBytes { send($0) }
  }

  package func receive(into buffer: UnsafeMutableRawBufferPointer) -> ReceiveResult {
    stream?.receive(into: buffer) ?? .closed
  }

  package func setSendBuffer(bytes: Int32) throws(SystemError) {
    try stream?.setSendBuffer(bytes: bytes)
  }

  /// Returns the size of the unread output (see `UnixStream.unreadByPeer`); 0 once closed.
  package func unreadByPeer() throws(SystemError) -> Int {
    guard stream != nil else { return 0 }
    return try stream?.unreadByPeer() ?? 0
  }

  /// Closes the socket; the handler is not called again. Allowed in the handler. Closing again has no
  /// effect.
  package func close() {
    source.cancel()
    stream = nil
  }
}
