// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
package import ParallaxMotion
package import ParallaxProtocol

/// The source of motion in use: whether it runs, and what is known of its device.
package final class SourceRunner {
  /// DEVICE, without the ranges.
  package private(set) var device: DeviceMessage
  package private(set) var meter = RateMeter()
  /// Why latency cannot be measured; nil if it can.
  package private(set) var latencyNote: String?
  /// From the frame of the source's sensor to the device's.
  package private(set) var mountMatrix = MountMatrix.identity
  /// Whether the source is a sensor.
  private(set) var isLive = false
  /// Whether the accelerometer is in the source's own device.
  private(set) var hasAccelerometer = false
  private(set) var state = SourceStateMachine()
  /// The source that the configuration selects.
  private(set) var current: any MotionSource
  /// The bias that the source was given last, so that it gets each value once.
  private var rememberedBias: AngularRate?
  private let makeSource: (Configuration) -> any MotionSource
  /// Called when the source has events before it is due.
  var isReady: (MotionInstant) -> Void = { _ in }

  init(
    _ configuration: Configuration, makeSource: @escaping (Configuration) -> any MotionSource
  ) {
    self.makeSource = makeSource
    current = makeSource(configuration)
    device = DeviceMessage(
      driver: current.driver, name: current.name, state: .idle, rateHertz: nil, reason: nil)
    followSource()
  }

  private func followSource() {
    current.onReady { [weak self] now in self?.isReady(now) }
  }

  /// Whether motion streams and iio-sensor-proxy's accelerometer is not in the device that streams.
  var leavesAccelerometer: Bool {
    device.state == .streaming && state.isRunning && !hasAccelerometer
  }

  // MARK: - On and off

  /// Returns what to do as the subscribers and recordings need it.
  func follow(
    _ demand: SourceStateMachine.Demand, at now: MotionInstant
  ) -> SourceStateMachine.Action? {
    state.update(demand, at: now)
  }

  /// Makes the source that a configuration selects, in place of the present one.
  ///
  /// - Returns: Whether it is to be started.
  func replace(_ configuration: Configuration) -> Bool {
    current = makeSource(configuration)
    followSource()
    hasAccelerometer = false
    let wasOn = state.isOn
    state.sourceWasReplaced()
    return wasOn
  }

  // MARK: - Events

  /// Takes over what is known of a source that begins to stream.
  func begin(_ start: SourceStart, configured: MountMatrix?) {
    mountMatrix = configured ?? start.mountMatrix ?? .identity
    rememberedBias = if case .auto(let bias) = start.bias { bias } else { nil }
    meter = RateMeter()
    hasAccelerometer = start.hasAccelerometer
    isLive = start.isLive
    latencyNote = start.latencyNote
  }

  /// Takes note of a kept sample.
  ///
  /// - Parameter bias: The estimate with it, which the source keeps for the device's next start.
  func sampleKept(at time: MotionInstant, bias: BiasState, now: MotionInstant) {
    meter.add(at: time)
    guard case .auto(let bias?) = bias, bias != rememberedBias else { return }
    rememberedBias = bias
    current.remember(sensorBias: mountMatrix.transposed.apply(bias), at: now)
  }

  func latencyIsUnknown(_ reason: String) { latencyNote = reason }

  /// Takes note that the source gives no more samples.
  func finish() {
    state.sourceHasFinished()
    current.stop()
  }

  /// Sets the state of the device.
  ///
  /// - Returns: Whether DEVICE has changed.
  func setDevice(_ state: DeviceMessage.State, rateHertz: Double?, reason: String?) -> Bool {
    let message = DeviceMessage(
      driver: current.driver, name: current.name, state: state, rateHertz: rateHertz, reason: reason
    )
    defer { device = message }
    return message != device
  }
}
