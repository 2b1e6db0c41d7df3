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
package final class IOSource: EventSource {
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

  init(
    _ loop: EventLoop, _ descriptor: Int32, _ interest: IOInterest, _ priority: EventPriority,
    reportsOnce: Bool, _ handler: @escaping (IOEvents) -> Void
  ) throws(SystemError) {
    self.interest = interest
    self.reportsOnce = reportsOnce
    self.handler = handler
    super.init(loop)
    try add("sd_event_add_io", priority: priority) {
      sd_event_add_io(loop.raw, $0, descriptor, events, Self.descriptorCallback, $1)
    }
  }

  private var events: UInt32 { interest.rawValue | (reportsOnce ? PARALLAX_EPOLLET : 0) }

  private func arm() {
    guard let raw else { return }
    loop.report(sd_event_source_set_io_events(raw, events), "sd_event_source_set_io_events")
  }

  override func handle(_ event: Event) {
    guard case .descriptor(let events) = event else { return }
    handler?(IOEvents(rawValue: events))
    if reportsOnce { arm() }
  }

  package override func cancel() {
    remove()
    handler = nil
  }
}
