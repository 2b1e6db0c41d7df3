// SPDX-License-Identifier: Apache-2.0

package import ParallaxPlatform
package import ParallaxSystemd
package import ParallaxTime

/// A client's socket on the event loop.
package final class SocketConnection: Connection {
  /// Receives the connection's events. Set once, after the service has accepted the connection.
  package weak var events: (any ClientEvents)?

  private var stream: StreamConnection?
  private let clock: () -> MotionInstant
  private var isReading = true

  /// Bytes received from a client at a time, so that no client delays the others.
  private static let blockBytes = 4096

  package init(
    _ loop: EventLoop, _ descriptor: consuming FileDescriptor, clock: @escaping () -> MotionInstant
  ) throws(SystemError) {
    self.clock = clock
    // Two steps, since the handler refers to the object being initialized.
    let relay = Relay()
    stream = try StreamConnection(loop, descriptor, interest: .read) { relay.target?.handle($0) }
    relay.target = self
  }

  private final class Relay {
    weak var target: SocketConnection?
  }

  /// The credentials of the client; nil once closed.
  package var peer: PeerCredentials? { stream?.peer }

  /// Limits the bytes that may wait in the kernel.
  package func setSendBuffer(bytes: Int32) throws(SystemError) {
    try stream?.setSendBuffer(bytes: bytes)
  }

  package func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
    switch stream?.send(bytes) ?? .closed {
    case .sent(let count): count
    case .wouldBlock: 0
    case .closed, .failed: nil
    }
  }

  package var wantsWritable = false {
    didSet { updateInterest() }
  }

  package func stopReading() {
    isReading = false
    updateInterest()
  }

  package func close() {
    stream?.close()
    stream = nil
  }

  private func updateInterest() {
    var interest: IOInterest = []
    if isReading { interest.formUnion(.read) }
    if wantsWritable { interest.formUnion(.write) }
    if let stream, stream.interest != interest { stream.interest = interest }
  }

  private func handle(_ occurred: IOEvents) {
    if occurred.contains(.readable), isReading {
      // Bytes sent before a hang-up still count; the loop reports the hang-up again.
      receive()
    } else if !occurred.isDisjoint(with: [.hungUp, .failed]) {
      events?.hungUp(at: clock())
    }
    if occurred.contains(.writable), stream != nil { events?.writable(at: clock()) }
  }

  private func receive() {
    withUnsafeTemporaryAllocation(byteCount: Self.blockBytes, alignment: 1) { buffer in
      switch stream?.receive(into: buffer) ?? .closed {
      case .received(let count):
        events?.received(
          UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: clock())
      case .wouldBlock: break
      case .endOfInput: events?.inputEnded(at: clock())
      case .closed, .failed: events?.hungUp(at: clock())
      }
    }
  }
}

/// A listening socket on the event loop: accepts connections for a service.
final class ConnectionAcceptor {
  private let listener: UnixListener
  private let service: any ClientService
  private let clock: () -> MotionInstant
  private let log: Log
  private let sendBufferBytes: Int32?
  private var source: IOSource?

  /// Connections accepted at a time, so that new clients do not delay the present ones.
  private static let batch = 16

  /// - Parameter sendBufferBytes: SO_SNDBUF of each connection; nil keeps the default.
  init(
    _ loop: EventLoop, _ listener: UnixListener, service: any ClientService,
    sendBufferBytes: Int32?, clock: @escaping () -> MotionInstant, log: Log
  ) throws(SystemError) {
    self.listener = listener
    self.service = service
    self.clock = clock
    self.log = log
    self.sendBufferBytes = sendBufferBytes
    source = try loop.watch(descriptor: listener.rawDescriptor, interest: .read) {
      [weak self] _ in self?.accept(loop)
    }
  }

  /// Accepts no more connections.
  func close() {
    listener.removeFile()
    source?.cancel()
    source = nil
  }

  private func accept(_ loop: EventLoop) {
    for _ in 0..<Self.batch {
      switch listener.accept() {
      case .noConnection: return
      case .turnedAway(let error):
        log.warning("cannot accept a connection: \(error)")
        return
      case .connection(let descriptor):
        do throws(SystemError) {
          try serve(SocketConnection(loop, descriptor, clock: clock))
        } catch {
          log.warning("cannot serve a connection: \(error)")
        }
      }
    }
  }

  private func serve(_ connection: SocketConnection) throws(SystemError) {
    guard let peer = connection.peer else { return }
    if let bytes = sendBufferBytes { try connection.setSendBuffer(bytes: bytes) }
    connection.events = service.connect(connection, from: peer, at: clock())
  }
}
