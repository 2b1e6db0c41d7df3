// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// A source, and another one while there is no device for the first.
package final class AutoSource: MotionSource {
  private let preferred: any MotionSource
  private let fallback: any MotionSource
  /// Whether the preferred source counts only once it has streamed.
  private let needsSamples: Bool
  private var state = State.off

  private enum State {
    /// Stopped.
    case off
    /// The preferred source's events count. Its device streams, or was found and has an error.
    case preferred(hasStreamed: Bool)
    /// There is no device for the preferred source yet, or no longer.
    case fallback
  }

  /// - Parameter needsSamples: Whether the fallback runs until the preferred source streams. Otherwise a device
  ///   with an error takes its place, too, so that the error shows.
  package init(
    _ preferred: any MotionSource, or fallback: any MotionSource, needsSamples: Bool = false
  ) {
    self.preferred = preferred
    self.fallback = fallback
    self.needsSamples = needsSamples
  }

  private var active: any MotionSource {
    switch state {
    case .off: preferred.isMissing ? fallback : preferred
    case .preferred: preferred
    case .fallback: fallback
    }
  }

  private var isFallback: Bool { if case .fallback = state { true } else { false } }

  package var driver: String { active.driver }
  package var name: String? { active.name }

  package var due: MotionInstant? {
    isFallback ? .earlier(preferred.due, fallback.due) : preferred.due
  }

  package func onReady(_ handler: @escaping (MotionInstant) -> Void) {
    preferred.onReady(handler)
    fallback.onReady(handler)
  }

  package func start(at now: MotionInstant) -> SourceEvent? {
    state = .preferred(hasStreamed: false)
    guard let event = preferred.start(at: now) else { return nil }
    return event.isAboutMissingDevice ? startFallback(at: now) : handle(event, at: now)
  }

  package func next(at now: MotionInstant) -> SourceEvent? {
    while let event = preferred.next(at: now) {
      if let event = handle(event, at: now) { return event }
    }
    return isFallback ? fallback.next(at: now) : nil
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
    switch state {
    case .off: return event
    case .fallback:
      let takesOver = needsSamples ? event.isStreaming : !event.isAboutMissingDevice
      guard takesOver else { return nil }
      fallback.stop()
      state = .preferred(hasStreamed: event.isStreaming)
      return event
    case .preferred(let hasStreamed):
      if event.isStreaming { state = .preferred(hasStreamed: true) }
      let isOver =
        needsSamples && !hasStreamed ? event.isAboutNoSamples : event.isAboutMissingDevice
      guard isOver else { return event }
      // A fallback that takes its time must not leave the device of the preferred source in DEVICE.
      return startFallback(at: now)
        ?? .waiting(.idle, reason: "starts in place of \(preferred.driver), which has ended")
    }
  }
}

extension SourceEvent {
  fileprivate var isStreaming: Bool { if case .streaming = self { true } else { false } }

  /// Whether there are no samples, for whatever reason.
  fileprivate var isAboutNoSamples: Bool { if case .waiting = self { true } else { false } }

  /// Whether there is no device, so that another source takes its place.
  fileprivate var isAboutMissingDevice: Bool {
    if case .waiting(.none, _) = self { true } else { false }
  }
}
