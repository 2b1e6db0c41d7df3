// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
import ParallaxBase

/// A signal that the loop handles, from `EventLoop.signal`.
///
/// The signal stays blocked after the source is dropped: a pending one could end the process.
package final class SignalSource {
  private var source: OpaquePointer?
  private var handler: (() -> Void)?

  init(
    _ loop: EventLoop, _ number: Int32, _ priority: EventPriority, _ handler: @escaping () -> Void
  ) throws(SystemError) {
    self.handler = handler
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    try SystemError.check(-pthread_sigmask(SIG_BLOCK, &set, nil), "pthread_sigmask")
    try SystemError.check(
      sd_event_add_signal(
        loop.raw, &source, number,
        { _, _, userdata in
          guard let userdata else { return 0 }
          let this = Unmanaged<SignalSource>.fromOpaque(userdata).takeUnretainedValue()
          // The handler may drop the last reference to the source.
          withExtendedLifetime(this) { this.handler?() }
          return 0
        }, Unmanaged.passUnretained(self).toOpaque()),
      "sd_event_add_signal")
    try priority.apply(to: source)
  }

  deinit {
    sd_event_source_disable_unref(source)
  }

  /// Removes the source and releases the handler. Cancelling again has no effect.
  package func cancel() {
    source = sd_event_source_disable_unref(source)
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
package final class DeferredSource {
  private let loop: EventLoop
  private let priority: EventPriority
  /// Present from the request to the call. A source that sd-event keeps would retain its place from the
  /// first request, before every other event of its rank.
  private var source: OpaquePointer?
  private var handler: (() -> Void)?

  init(_ loop: EventLoop, _ priority: EventPriority, _ handler: @escaping () -> Void) {
    self.loop = loop
    self.priority = priority
    self.handler = handler
  }

  deinit {
    sd_event_source_disable_unref(source)
  }

  /// Requests one call. Requesting it again before the call has no effect.
  package func request() {
    guard source == nil, handler != nil else { return }
    loop.report(
      sd_event_add_defer(
        loop.raw, &source,
        { _, userdata in
          guard let userdata else { return 0 }
          let this = Unmanaged<DeferredSource>.fromOpaque(userdata).takeUnretainedValue()
          // The handler may drop the last reference to the source.
          withExtendedLifetime(this) {
            this.source = sd_event_source_disable_unref(this.source)
            this.handler?()
          }
          return 0
        }, Unmanaged.passUnretained(self).toOpaque()),
      "sd_event_add_defer")
    loop.report(
      sd_event_source_set_priority(source, priority.rawValue), "sd_event_source_set_priority")
  }

  /// Removes the source and releases the handler. Cancelling again has no effect.
  package func cancel() {
    source = sd_event_source_disable_unref(source)
    handler = nil
  }
}
