// SPDX-License-Identifier: Apache-2.0

import ParallaxPlatform
import ParallaxSystemd
import ParallaxTime

/// A listening socket on the event loop: accepts connections for a service.
final class ConnectionAcceptor {
  private let listener: UnixListener
  private let service: any ClientService
  private let clock: () -> MotionInstant
  private let log: Log
  private let sendBufferBytes: Int32?
  private let turns: TurnQueue
  private var source: IOSource?

  /// Connections accepted at a time, so that new clients do not delay the present ones.
  private static let batch = 16

  /// - Parameters:
  ///   - priority: The rank of the connections' events; new connections come after them.
  ///   - sendBufferBytes: SO_SNDBUF of each connection; nil keeps the default.
  init(
    _ loop: EventLoop, _ listener: UnixListener, service: any ClientService,
    priority: EventPriority, sendBufferBytes: Int32?, clock: @escaping () -> MotionInstant, log: Log
  ) throws(SystemError) {
    self.listener = listener
    self.service = service
    self.clock = clock
    self.log = log
    self.sendBufferBytes = sendBufferBytes
    turns = TurnQueue(loop, priority: priority)
    source = try loop.watch(
      descriptor: listener.rawDescriptor, interest: .read, priority: priority.next
    ) { [weak self] _ in self?.accept(loop) }
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
          try serve(SocketConnection(loop, descriptor, turns: turns, clock: clock))
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
