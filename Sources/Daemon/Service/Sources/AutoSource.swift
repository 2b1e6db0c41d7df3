// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// The first gyroscope found, and simulated motion until then.
package final class AutoSource: MotionSource {
  private let gyro: any MotionSource
  private let synthetic: any MotionSource
  private var state = State.off

  private enum State {
    /// Stopped.
    case off
    /// The gyroscope's events count: it streams, or it was found and has an error.
    case gyro
    /// There is no gyroscope yet; the simulated motion runs.
    case synthetic
  }

  package init(gyro: any MotionSource, synthetic: any MotionSource) {
    self.gyro = gyro
    self.synthetic = synthetic
  }

  private var active: any MotionSource { state == .synthetic ? synthetic : gyro }

  package var driver: String { active.driver }
  package var name: String? { active.name }

  package var due: MotionInstant? {
    state == .synthetic ? .earlier(gyro.due, synthetic.due) : gyro.due
  }

  package func onReady(_ handler: @escaping (MotionInstant) -> Void) { gyro.onReady(handler) }

  package func start(at now: MotionInstant) -> SourceEvent? {
    state = .gyro
    return gyro.start(at: now).flatMap { handle($0, at: now) }
  }

  package func next(at now: MotionInstant) -> SourceEvent? {
    while let event = gyro.next(at: now) {
      if let event = handle(event, at: now) { return event }
    }
    return state == .synthetic ? synthetic.next(at: now) : nil
  }

  package func lateness(at now: MotionInstant) -> MotionDuration { active.lateness(at: now) }

  package func stop() {
    gyro.stop()
    synthetic.stop()
    state = .off
  }

  package func remember(sensorBias bias: AngularRate, at now: MotionInstant) {
    if state == .gyro { gyro.remember(sensorBias: bias, at: now) }
  }

  /// Switches between the two sources.
  ///
  /// - Parameter event: The gyroscope's.
  /// - Returns: The event to pass on; nil: none.
  private func handle(_ event: SourceEvent, at now: MotionInstant) -> SourceEvent? {
    switch event {
    case .waiting(.none, _):
      guard state == .gyro else { return nil }
      state = .synthetic
      return synthetic.start(at: now)
    default:
      if state == .synthetic {
        synthetic.stop()
        state = .gyro
      }
      return event
    }
  }
}
