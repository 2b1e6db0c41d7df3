// SPDX-License-Identifier: Apache-2.0

package import ParallaxLoop

/// The connections with received lines that are still to be handled. Each gets its turn after the others
/// and after every event with a higher priority.
package final class TurnQueue {
  /// The rank of the turns and of the connections' own events.
  let priority: EventPriority
  private var waiting: [Entry] = []
  private var head = 0
  private var source: DeferredSource?

  private struct Entry {
    weak var connection: SocketConnection?
  }

  package init(_ loop: EventLoop, priority: EventPriority) {
    self.priority = priority
    source = loop.deferred(priority: priority) { [weak self] in self?.takeTurn() }
  }

  func add(_ connection: SocketConnection) {
    waiting.append(Entry(connection: connection))
    source?.request()
  }

  private func takeTurn() {
    guard head < waiting.count else { return }
    let connection = waiting[head].connection
    waiting[head].connection = nil
    head += 1
    // Keeps the storage short even if connections are added without a pause.
    if head == waiting.count || head >= 1024 {
      waiting.removeFirst(head)
      head = 0
    }
    connection?.takeTurn()
    if head < waiting.count { source?.request() }
  }
}

/// The ranks of the daemon's events. A flood of requests must not delay frames, nor requests on the
/// stream socket those on the control socket, which has INHIBIT.
extension EventPriority {
  static let signals = EventPriority(rawValue: -30)
  /// The sensor, and everything that is due at a time.
  static let motion = EventPriority(rawValue: -20)
  static let control = EventPriority(rawValue: 10)
  static let stream = EventPriority(rawValue: 20)
}
