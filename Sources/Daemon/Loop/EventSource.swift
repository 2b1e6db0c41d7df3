// SPDX-License-Identifier: Apache-2.0

import CSystemd
import ParallaxBase

/// A source of an event loop: what sd-event calls, and until when.
///
/// Dropping or cancelling it removes it from the loop. sd-event does not retain it, and never calls a source
/// that was removed.
package class EventSource {
  /// What has happened to a source.
  enum Event {
    /// The events on a descriptor.
    case descriptor(UInt32)
    /// A change in a folder.
    case folder(UnsafePointer<inotify_event>)
    /// The deadline has come, the signal has arrived, or the deferred call is due.
    case due
  }

  final let loop: EventLoop
  /// The `sd_event_source *`; nil once removed.
  final private(set) var raw: OpaquePointer?

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  deinit {
    sd_event_source_disable_unref(raw)
  }

  /// Handles an event; for subclasses. The source may be dropped meanwhile.
  func handle(_ event: Event) {}

  /// Removes the source and releases the handler. Cancelling again has no effect.
  package func cancel() { remove() }

  /// Adds the source to the loop.
  ///
  /// - Parameter add: Calls the function named `call` with the place for the source and the userdata of the
  ///   callbacks below.
  final func add(
    _ call: String, path: String? = nil, priority: EventPriority = .normal,
    _ add: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
  ) throws(SystemError) {
    try SystemError.check(add(&raw, Unmanaged.passUnretained(self).toOpaque()), call, path: path)
    guard priority != .normal else { return }
    try SystemError.check(
      sd_event_source_set_priority(raw, priority.rawValue), "sd_event_source_set_priority")
  }

  final func remove() { raw = sd_event_source_disable_unref(raw) }

  // MARK: - Callbacks for sd-event

  static let descriptorCallback: sd_event_io_handler_t = { _, _, events, userdata in
    dispatch(.descriptor(events), to: userdata)
  }

  static let folderCallback: sd_event_inotify_handler_t = { _, event, userdata in
    event.map { dispatch(.folder($0), to: userdata) } ?? 0
  }

  static let timeCallback: sd_event_time_handler_t = { _, _, userdata in
    dispatch(.due, to: userdata)
  }

  static let signalCallback: sd_event_signal_handler_t = { _, _, userdata in
    dispatch(.due, to: userdata)
  }

  static let deferredCallback: sd_event_handler_t = { _, userdata in
    dispatch(.due, to: userdata)
  }

  private static func dispatch(_ event: Event, to userdata: UnsafeMutableRawPointer?) -> Int32 {
    guard let userdata else { return 0 }
    let source = Unmanaged<EventSource>.fromOpaque(userdata).takeUnretainedValue()
    // The handler may drop the last reference to the source.
    withExtendedLifetime(source) { source.handle(event) }
    return 0
  }
}
