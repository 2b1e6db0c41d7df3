// SPDX-License-Identifier: Apache-2.0

import CSystemd
import ParallaxBase

/// The events to wait for. Errors and a full hang-up are always reported.
package struct IOInterest: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let read = IOInterest(rawValue: PARALLAX_EPOLLIN)
  package static let write = IOInterest(rawValue: PARALLAX_EPOLLOUT)
}

/// The events on a descriptor.
package struct IOEvents: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let readable = IOEvents(rawValue: PARALLAX_EPOLLIN)
  package static let writable = IOEvents(rawValue: PARALLAX_EPOLLOUT)
  /// Both directions have ended. Reported again and again until the source is cancelled.
  package static let hungUp = IOEvents(rawValue: PARALLAX_EPOLLHUP)
  package static let failed = IOEvents(rawValue: PARALLAX_EPOLLERR)
}

/// A descriptor that the loop watches, from `EventLoop.watch`.
package final class IOSource {
  private let loop: EventLoop
  private var source: OpaquePointer?
  private var handler: ((IOEvents) -> Void)?
  /// Whether epoll reports an event once, and again only after the handler has returned.
  ///
  /// sd-event asks epoll before each call of a handler. Descriptors that stay ready are listed each time:
  /// with thousands of them, as when all clients leave at once, the list takes longer than the calls.
  private let reportsOnce: Bool

  /// The events to wait for. A change costs one `epoll_ctl`; setting the same value costs nothing.
  package var interest: IOInterest {
    didSet {
      if interest != oldValue { arm() }
    }
  }

  private func arm() {
    guard let source else { return }
    loop.report(
      sd_event_source_set_io_events(source, events), "sd_event_source_set_io_events")
  }

  private var events: UInt32 { interest.rawValue | (reportsOnce ? PARALLAX_EPOLLET : 0) }

  init(
    _ loop: EventLoop, _ descriptor: Int32, _ interest: IOInterest, _ priority: EventPriority,
    reportsOnce: Bool, _ handler: @escaping (IOEvents) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.interest = interest
    self.reportsOnce = reportsOnce
    self.handler = handler
    // The userdata is not retained: `deinit` unrefs the source, and sd-event never dispatches an
    // unref'd source.
    try SystemError.check(
      sd_event_add_io(
        loop.raw, &source, descriptor, self.events,
        { _, _, events, userdata in
          guard let userdata else { return 0 }
          let this = Unmanaged<IOSource>.fromOpaque(userdata).takeUnretainedValue()
          // The handler may drop the last reference to the source.
          withExtendedLifetime(this) {
            this.handler?(IOEvents(rawValue: events))
            if this.reportsOnce { this.arm() }
          }
          return 0
        }, Unmanaged.passUnretained(self).toOpaque()),
      "sd_event_add_io")
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
