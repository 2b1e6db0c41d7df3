// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// A source, and another one while there is no device for the first.
package final class AutoSource: MotionSource {
  private let preferred: any MotionSource
  private let fallback: any MotionSource
  private var state = State.off

  private enum State {
    /// Stopped.
    case off
    /// The preferred source's events count. Its device streams, or was found and has an error.
    case preferred
    /// There is no device for the preferred source yet, or no longer.
    case fallback
  }

  package init(_ preferred: any MotionSource, or fallback: any MotionSource) {
    self.preferred = preferred
    self.fallback = fallback
  }

  private var active: any MotionSource {
    switch state {
    case .off: preferred.isMissing ? fallback : preferred
    case .preferred: preferred
    case .fallback: fallback
    }
  }

  package var driver: String { active.driver }
  package var name: String? { active.name }

  package var due: MotionInstant? {
    state == .fallback ? .earlier(preferred.due, fallback.due) : preferred.due
  }

  package func onReady(_ handler: @escaping (MotionInstant) -> Void) {
    preferred.onReady(handler)
    fallback.onReady(handler)
  }

  package func start(at now: MotionInstant) -> SourceEvent? {
    state = .preferred
    guard let event = preferred.start(at: now) else { return nil }
    return event.isAboutMissingDevice ? startFallback(at: now) : event
  }

  package func next(at now: MotionInstant) -> SourceEvent? {
    while let event = preferred.next(at: now) {
      if let event = handle(event, at: now) { return event }
    }
    return state == .fallback ? fallback.next(at: now) : nil
  }

  package func lateness(at now: MotionInstant) -> MotionDuration { active.lateness(at: now) }

  package func stop() {
    preferred.stop()
    fallback.stop()
    state = .off
  }

  package func remember(sensorBias bias: AngularRate, at now: MotionInstant) {
    active.remember(sensorBias: bias, at: now)
  }

  private func startFallback(at now: MotionInstant) -> SourceEvent? {
    state = .fallback
    return fallback.start(at: now)
  }

  /// Switches between the two sources.
  ///
  /// - Parameter event: The preferred source's.
  /// - Returns: The event to pass on; nil: none.
  private func handle(_ event: SourceEvent, at now: MotionInstant) -> SourceEvent? {
    guard event.isAboutMissingDevice else {
      if state == .fallback {
        fallback.stop()
        state = .preferred
      }
      return event
    }
    guard state == .preferred else { return nil }
    // A fallback that takes its time must not leave the device of the preferred source in DEVICE.
    return startFallback(at: now)
      ?? .waiting(.idle, reason: "starts in place of \(preferred.driver), which has ended")
  }
}

extension SourceEvent {
  /// Whether there is no device, so that another source takes its place.
  fileprivate var isAboutMissingDevice: Bool {
    if case .waiting(.none, _) = self { true } else { false }
  }
}
