// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxLoop
import ParallaxProtocol

/// A listening socket on the event loop: accepts connections for a service.
///
/// If descriptors run out, a client that connects gets one ERROR line by the listener's spare
/// descriptor. After such a refusal, or without memory, the acceptor pauses: clients wait in the queue.
final class ConnectionAcceptor {
  private let loop: EventLoop
  private var listener: UnixListener
  private let service: any ClientService
  private let clock: () -> MotionInstant
  private let log: Log
  private let turns: TurnQueue
  private var source: IOSource?
  private var resumption: TimerSource?

  /// Connections accepted at a time, so that new clients do not delay the present ones.
  private static let batch = 16
  /// The pause after a lack of descriptors or memory. Until then other clients may have left.
  private static let pause: MotionDuration = .milliseconds(50)

  /// - Parameter priority: The rank of new connections and of the connections' events. They take turns: if
  ///   new connections came last, a flood of requests would keep every other client out.
  init(
    _ loop: EventLoop, _ listener: UnixListener, service: any ClientService,
    priority: EventPriority, clock: @escaping () -> MotionInstant, log: Log
  ) throws(SystemError) {
    self.loop = loop
    self.listener = listener
    self.service = service
    self.clock = clock
    self.log = log
    turns = TurnQueue(loop, priority: priority)
    resumption = try loop.timer(priority: priority) { [weak self] in self?.resume() }
    source = try watch()
  }

  /// Whether the socket file is where it was bound.
  var isInPlace: Bool { listener.isInPlace }

  /// Listens with another socket from now on. Clients in the queue of the former one are served first.
  func replace(_ listener: UnixListener) throws(SystemError) {
    accept(atMost: .max)
    source?.cancel()
    self.listener = listener
    source = try watch()
  }

  /// Accepts no more connections.
  func close() {
    listener.removeFile()
    source?.cancel()
    source = nil
    resumption?.cancel()
  }

  private func watch() throws(SystemError) -> IOSource {
    try loop.watch(
      descriptor: listener.rawDescriptor, interest: .read, priority: turns.priority
    ) { [weak self] _ in self?.accept(atMost: Self.batch) }
  }

  private func accept(atMost count: Int) {
    var shortage: SystemError?
    for _ in 0..<count {
      switch listener.accept() {
      case .noConnection: return pauseIfNeeded(shortage)
      case .exhausted(let error): return pauseIfNeeded(error)
      case .refused(let descriptor, let error):
        refuse(descriptor)
        listener.restoreReserve()
        shortage = error
      case .connection(let descriptor):
        do throws(SystemError) {
          serve(try SocketConnection(loop, descriptor, turns: turns, clock: clock))
        } catch {
          log.warning("cannot serve a connection: \(error)")
        }
      }
    }
    pauseIfNeeded(shortage)
  }

  private func serve(_ connection: SocketConnection) {
    guard let peer = connection.peer else { return }
    connection.events = service.connect(connection, from: peer, at: clock())
  }

  // MARK: - Lack of descriptors or memory

  private func refuse(_ descriptor: consuming FileDescriptor) {
    let stream = UnixStream(owning: descriptor)
    _ = Self.refusal.withUnsafeBytes { stream.send($0) }
    // If a request stays unread, the client gets ECONNRESET after the line.
    _ = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { stream.receive(into: $0) }
  }

  private static let refusal: [UInt8] = {
    var line = OutputBuffer()
    line.appendLine(
      ErrorMessage(
        message: "the daemon has no descriptor left; try again when other clients have left",
        code: .tooMany))
    return line.withBytes { Array($0) }
  }()

  private func pauseIfNeeded(_ shortage: SystemError?) {
    guard let shortage else { return }
    log.warning("cannot accept a connection: \(shortage)")
    source?.interest = []
    resumption?.arm(at: clock() + Self.pause)
  }

  private func resume() {
    listener.restoreReserve()
    source?.interest = .read
  }
}
