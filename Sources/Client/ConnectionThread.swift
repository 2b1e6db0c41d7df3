// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import Synchronization

/// A connection on a thread of its own, which hands over every event.
package final class ConnectionThread: Sendable {
  private struct State {
    /// Bytes to send.
    var outgoing: [UInt8] = []
    /// Whether bytes wait for the daemon, which is busy.
    var isBlocked = false
    var isClosed = false
  }

  private let state = Mutex(State())
  private let wakeUp: WakeUp
  /// Only the thread uses it once it has started.
  private nonisolated(unsafe) var connection: LineConnection

  /// - Throws: `noResources` if no descriptor is left.
  package init(_ connection: consuming LineConnection) throws(ParallaxError) {
    do {
      wakeUp = try WakeUp()
    } catch {
      throw .noResources(errno: error.number)
    }
    self.connection = connection
  }

  /// Starts the thread, which keeps this object and the handler until the connection has ended. Call it once.
  ///
  /// - Parameter handler: Receives each event on the thread; the last one is `ended`.
  /// - Throws: `noResources` if no thread is left.
  package func start(
    _ handler: @escaping @Sendable (LineConnection.Event) -> Void
  ) throws(ParallaxError) {
    do {
      try DetachedThread.start { self.run(handler) }
    } catch {
      throw .noResources(errno: error.number)
    }
  }

  /// Sends bytes, on the next connection if there is none.
  package func send(_ bytes: [UInt8]) {
    state.withLock { $0.outgoing += bytes }
    wakeUp.signal()
  }

  /// Sends bytes that are useless if they are late. Drops them if the daemon does not read, or if too many
  /// bytes wait for this thread.
  package func offer(_ bytes: [UInt8]) {
    let isTaken = state.withLock { state in
      guard !state.isBlocked, state.outgoing.count < Self.maxOffered else { return false }
      state.outgoing += bytes
      return true
    }
    if isTaken { wakeUp.signal() }
  }

  /// Discards the bytes that the thread has not taken yet.
  package func discard() { state.withLock { $0.outgoing = [] } }

  /// If this number of bytes waits, further ones are dropped.
  private static let maxOffered = 65_536

  /// Ends the connection.
  package func close() {
    state.withLock { $0.isClosed = true }
    wakeUp.signal()
  }

  private func run(_ handler: (LineConnection.Event) -> Void) {
    while let bytes = takeOutgoing() {
      if !bytes.isEmpty { connection.send(bytes) }
      state.withLock { [isBlocked = connection.hasOutput] in $0.isBlocked = isBlocked }
      guard let event = connection.next() else {
        var entry = pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
        connection.wait(with: &entry)
        if entry.revents != 0 { wakeUp.clear() }
        continue
      }
      if case .ended = event {
        // Closes the socket before the handler hears of it.
        _ = connection.next()
        return handler(event)
      }
      handler(event)
    }
    // The daemon learns it before the handler.
    connection.leave(until: nil)
    _ = connection.next()
    handler(.ended(nil))
  }

  /// Returns the bytes to send; nil if the connection was closed.
  private func takeOutgoing() -> [UInt8]? {
    state.withLock { state in
      if state.isClosed { return nil }
      defer { state.outgoing = [] }
      return state.outgoing
    }
  }
}
