// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxLoop

/// A client's socket on the event loop.
package final class SocketConnection: Connection {
  /// Receives the connection's events. Set once, after the service has accepted the connection.
  package weak var events: (any ClientEvents)?

  /// The descriptor of `stream`; -1 once closed. Sending a frame looks at no other object.
  private var descriptor: Int32 = -1
  private var stream: StreamConnection?
  private let clock: () -> MotionInstant
  private let turns: TurnQueue
  private var isQueued = false

  /// Bytes received from a client at a time, so that no client delays the others.
  private static let blockBytes = 4096

  /// - Parameter turns: Where it waits for its next turn.
  package init(
    _ loop: EventLoop, _ descriptor: consuming FileDescriptor, turns: TurnQueue,
    clock: @escaping () -> MotionInstant
  ) throws(SystemError) {
    self.clock = clock
    self.turns = turns
    // Two steps, since the handler refers to the object being initialized.
    let relay = Relay()
    stream = try StreamConnection(
      loop, descriptor, interest: .read, priority: turns.priority
    ) { relay.target?.handle($0) }
    relay.target = self
    self.descriptor = stream?.rawDescriptor ?? -1
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
    NonblockingSend.send(bytes, to: descriptor)
  }

  package var awaits = AwaitedEvents.input {
    didSet {
      var interest: IOInterest = []
      if awaits.contains(.input) { interest.formUnion(.read) }
      if awaits.contains(.output) { interest.formUnion(.write) }
      if let stream, stream.interest != interest { stream.interest = interest }
      if awaits.contains(.turn), !isQueued {
        isQueued = true
        turns.add(self)
      }
    }
  }

  package var usesDescriptorReserve: Bool {
    stream?.rawDescriptor.map { DescriptorReserve.contains($0) } ?? false
  }

  package func close() {
    descriptor = -1
    stream?.close()
    stream = nil
  }

  /// Takes its turn if it still waits for one.
  func takeTurn() {
    isQueued = false
    guard awaits.contains(.turn), stream != nil else { return }
    awaits.remove(.turn)
    events?.takeTurn(at: clock())
  }

  private func handle(_ occurred: IOEvents) {
    if occurred.contains(.readable), awaits.contains(.input) {
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
