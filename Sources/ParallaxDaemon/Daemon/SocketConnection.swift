package import ParallaxSystem

/// A client's socket on the event loop: passes on what happens, for as long as somebody listens.
package final class SocketConnection: Connection {
  /// Who is told. Set once, by whoever accepted the connection.
  package weak var events: (any ClientEvents)?

  private var stream: StreamConnection?
  private let clock: () -> Int64
  private var isReading = true

  /// Bytes taken from a client at a time: none keeps the others waiting.
  private static let blockBytes = 4096

  package init(
    _ loop: EventLoop, _ descriptor: consuming FileDescriptor, clock: @escaping () -> Int64
  ) throws(SystemError) {
    self.clock = clock
    // Two steps, since the handler wants what is being made.
    let relay = Relay()
    stream = try StreamConnection(loop, descriptor, interest: .read) { relay.target?.take($0) }
    relay.target = self
  }

  private final class Relay {
    weak var target: SocketConnection?
  }

  /// Who connected; nil once closed.
  package var peer: PeerCredentials? { stream?.peer }

  /// Keeps the kernel's share of what waits small.
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

  private func take(_ happened: IOEvents) {
    if happened.contains(.readable), isReading {
      // What was sent before a hang-up still counts: that is told again.
      receive()
    } else if !happened.isDisjoint(with: [.hungUp, .failed]) {
      events?.hungUp(atNanoseconds: clock())
    }
    if happened.contains(.writable), stream != nil { events?.writable(atNanoseconds: clock()) }
  }

  private func receive() {
    withUnsafeTemporaryAllocation(byteCount: Self.blockBytes, alignment: 1) { buffer in
      switch stream?.receive(into: buffer) ?? .closed {
      case .received(let count):
        events?.received(
          UnsafeRawBufferPointer(rebasing: buffer[..<count]), atNanoseconds: clock())
      case .wouldBlock: break
      case .endOfInput: events?.inputEnded(atNanoseconds: clock())
      case .closed, .failed: events?.hungUp(atNanoseconds: clock())
      }
    }
  }
}

/// A listening socket on the event loop: what connects is handed to a service.
final class Reception {
  private let listener: UnixListener
  private let service: any ClientService
  private let clock: () -> Int64
  private let log: Log
  private let sendBufferBytes: Int32?
  private var source: IOSource?

  /// Connections taken at a time: none keeps those that are there waiting.
  private static let batch = 16

  /// - Parameter sendBufferBytes: SO_SNDBUF of each connection; nil leaves it as it is.
  init(
    _ loop: EventLoop, _ listener: UnixListener, service: any ClientService,
    sendBufferBytes: Int32?, clock: @escaping () -> Int64, log: Log
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

  /// Takes nobody any more.
  func close() {
    listener.removeFile()
    source?.cancel()
    source = nil
  }

  private func accept(_ loop: EventLoop) {
    for _ in 0..<Self.batch {
      switch listener.accept() {
      case .nobody: return
      case .turnedAway(let error):
        log.warning("a client was turned away: \(error)")
        return
      case .connection(let descriptor):
        do throws(SystemError) {
          try welcome(SocketConnection(loop, descriptor, clock: clock))
        } catch {
          log.warning("a client could not be served: \(error)")
        }
      }
    }
  }

  private func welcome(_ connection: SocketConnection) throws(SystemError) {
    guard let peer = connection.peer else { return }
    if let bytes = sendBufferBytes { try connection.setSendBuffer(bytes: bytes) }
    connection.events = service.connect(connection, from: peer, atNanoseconds: clock())
  }
}
