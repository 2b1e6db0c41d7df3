package import ParallaxMotion

/// The first gyroscope; made-up motion until one appears.
package final class AutoSource: MotionSource {
  private let gyro: any MotionSource
  private let synthetic: any MotionSource
  private var state = State.off

  private enum State {
    case off
    /// The gyroscope decides: it streams, or it was there and something is wrong with it.
    case gyro
    /// There is none yet.
    case synthetic
  }

  package init(gyro: any MotionSource, synthetic: any MotionSource) {
    self.gyro = gyro
    self.synthetic = synthetic
  }

  private var active: any MotionSource { state == .synthetic ? synthetic : gyro }

  package var driver: String { active.driver }
  package var name: String? { active.name }

  package var dueNanoseconds: Int64? {
    state == .synthetic
      ? earlier(gyro.dueNanoseconds, synthetic.dueNanoseconds) : gyro.dueNanoseconds
  }

  package func start(atNanoseconds now: Int64) -> SourceEvent? {
    state = .gyro
    return gyro.start(atNanoseconds: now).flatMap { take($0, atNanoseconds: now) }
  }

  package func next(atNanoseconds now: Int64) -> SourceEvent? {
    while let event = gyro.next(atNanoseconds: now) {
      if let event = take(event, atNanoseconds: now) { return event }
    }
    return state == .synthetic ? synthetic.next(atNanoseconds: now) : nil
  }

  package func stop() {
    gyro.stop()
    synthetic.stop()
    state = .off
  }

  package func remember(sensorBias bias: AngularRate, atNanoseconds now: Int64) {
    if state == .gyro { gyro.remember(sensorBias: bias, atNanoseconds: now) }
  }

  /// What the gyroscope's event is to whoever asked for the best there is; nil: nothing.
  private func take(_ event: SourceEvent, atNanoseconds now: Int64) -> SourceEvent? {
    switch event {
    case .waiting(.none, _):
      guard state == .gyro else { return nil }
      state = .synthetic
      return synthetic.start(atNanoseconds: now)
    default:
      if state == .synthetic {
        synthetic.stop()
        state = .gyro
      }
      return event
    }
  }
}
