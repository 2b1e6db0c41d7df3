// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
import ParallaxBase

/// A signal that the loop handles, from `EventLoop.signal`.
///
/// The signal stays blocked after the source is dropped: a pending one could end the process.
package final class SignalSource: EventSource {
  private var handler: (() -> Void)?

  init(
    _ loop: EventLoop, _ number: Int32, _ priority: EventPriority, _ handler: @escaping () -> Void
  ) throws(SystemError) {
    self.handler = handler
    super.init(loop)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    try SystemError.check(-pthread_sigmask(SIG_BLOCK, &set, nil), "pthread_sigmask")
    try add("sd_event_add_signal", priority: priority) {
      sd_event_add_signal(loop.raw, $0, number, Self.signalCallback, $1)
    }
  }

  override func handle(_ event: Event) { handler?() }

  package override func cancel() {
    remove()
    handler = nil
  }
}

/// A call at the end of every turn in which a handler ran, from `EventLoop.afterEachTurn`.
package final class PostSource {
  private var handler: (() -> Void)?

  init(_ handler: @escaping () -> Void) {
    self.handler = handler
  }

  func call() { handler?() }

  /// Releases the handler. Cancelling again has no effect.
  package func cancel() {
    handler = nil
  }
}

/// A call in a later turn of the loop, from `EventLoop.deferred`: after events that have happened before
/// the request and have a higher or the same priority.
///
/// It is a source of the loop from the request to the call. A source that sd-event keeps would retain its
/// place from the first request, before every other event of its rank.
package final class DeferredSource: EventSource {
  private let priority: EventPriority
  private var handler: (() -> Void)?

  init(_ loop: EventLoop, _ priority: EventPriority, _ handler: @escaping () -> Void) {
    self.priority = priority
    self.handler = handler
    super.init(loop)
  }

  /// Requests one call. Requesting it again before the call has no effect.
  package func request() {
    guard raw == nil, handler != nil else { return }
    do throws(SystemError) {
      try add("sd_event_add_defer", priority: priority) {
        sd_event_add_defer(loop.raw, $0, Self.deferredCallback, $1)
      }
    } catch {
      loop.report(-error.number, error.call)
    }
  }

  override func handle(_ event: Event) {
    remove()
    handler?()
  }

  package override func cancel() {
    remove()
    handler = nil
  }
}
