import CSystemd

/// What to wait for. Errors and the full hang-up are always reported, with an empty interest too.
package struct IOInterest: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let read = IOInterest(rawValue: PARALLAX_EPOLLIN)
  package static let write = IOInterest(rawValue: PARALLAX_EPOLLOUT)
  /// The peer has ended its half (`nc -N`); with `.read` it also shows as an end of input.
  package static let peerEnd = IOInterest(rawValue: PARALLAX_EPOLLRDHUP)
}

/// What happened to a descriptor.
package struct IOEvents: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let readable = IOEvents(rawValue: PARALLAX_EPOLLIN)
  package static let writable = IOEvents(rawValue: PARALLAX_EPOLLOUT)
  /// The peer sends no more; it may still read.
  package static let peerEnded = IOEvents(rawValue: PARALLAX_EPOLLRDHUP)
  /// Both directions are over. Stays reported: close, or cancel the source.
  package static let hungUp = IOEvents(rawValue: PARALLAX_EPOLLHUP)
  package static let failed = IOEvents(rawValue: PARALLAX_EPOLLERR)
}

/// A descriptor that the loop follows. Made by `EventLoop.watch`.
package final class IOSource {
  private let loop: EventLoop
  private var source: OpaquePointer?
  private var handler: ((IOEvents) -> Void)?

  /// What is waited for; an unchanged value costs nothing, a change one `epoll_ctl`.
  package var interest: IOInterest {
    didSet {
      guard interest != oldValue, let source else { return }
      loop.report(
        sd_event_source_set_io_events(source, interest.rawValue), "sd_event_source_set_io_events")
    }
  }

  init(
    _ loop: EventLoop, _ descriptor: Int32, _ interest: IOInterest,
    _ handler: @escaping (IOEvents) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.interest = interest
    self.handler = handler
    // The userdata is not retained: `deinit` unrefs the source, and an unref'd source is never
    // dispatched, so the pointer is never used past this object's life.
    try SystemError.check(
      sd_event_add_io(
        loop.raw, &source, descriptor, interest.rawValue,
        { _, _, events, userdata in
          guard let userdata else { return 0 }
          let this = Unmanaged<IOSource>.fromOpaque(userdata).takeUnretainedValue()
          // The handler may drop the last reference to its own source.
          withExtendedLifetime(this) { this.handler?(IOEvents(rawValue: events)) }
          return 0
        }, Unmanaged.passUnretained(self).toOpaque()),
      "sd_event_add_io")
  }

  deinit {
    sd_event_source_disable_unref(source)
  }

  /// Ends it: the handler never runs again and is let go of. Twice is allowed.
  package func cancel() {
    source = sd_event_source_disable_unref(source)
    handler = nil
  }

  /// Sources with smaller numbers go first when several are due. Default 0.
  package func setPriority(_ priority: Int64) {
    guard let source else { return }
    loop.report(
      sd_event_source_set_priority(source, priority), "sd_event_source_set_priority")
  }
}
