// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion
package import ParallaxProtocol

/// The sources of the screen's orientation, in order of precedence: SET, the configuration, the user's
/// agent, iio-sensor-proxy, the device's own accelerometer, the header of a recording. (WATCH overrides
/// all of them for its own client.) Of these, only SET turns the motion of a handheld gyroscope.
package struct OrientationBoard: Equatable, Sendable {
  package struct Decision: Equatable, Sendable {
    package var orientation: Orientation
    package var source: StatusMessage.OrientationSource

    package init(orientation: Orientation, source: StatusMessage.OrientationSource) {
      self.orientation = orientation
      self.source = source
    }
  }

  package var set: Orientation?
  package var configured: Orientation?
  package var sensorProxy: Orientation?
  package var accelerometer: Orientation?
  /// A trace's `# orientation` line: the orientation during the recording, panel included.
  package var recording: Orientation?
  /// Whether the gyroscope is held apart from the screen; see `GyroFacts.isHandheld` in ParallaxDevice.
  package var isHandheld = false
  /// How the display is mounted in the device; composed with the orientation from the device's sensors.
  package var panel = Orientation.normal
  /// Whether only an agent can determine the orientation: there are subscribers, and iio-sensor-proxy is
  /// present but serves the active session alone. False while a claim would take the gyroscope's buffer
  /// away.
  package var needsAgents = false
  private var agents: [UInt32: Orientation] = [:]

  package init() {}

  package mutating func setAgent(_ uid: UInt32, _ orientation: Orientation?) {
    agents[uid] = orientation
  }

  /// Whether agents are asked for the orientation (WANTED).
  package var asksAgents: Bool { needsAgents && asksSensors }

  /// Whether a sensor's orientation would count, unless a source with precedence has one.
  package var asksSensors: Bool { configured == nil && set == nil && !isHandheld }

  /// The decision for users without an agent.
  package var common: Decision { decision(agent: nil) }

  /// Returns the decision for `uid`; nil if the common one applies.
  package func own(_ uid: UInt32) -> Decision? {
    guard asksSensors, let agent = agents[uid] else { return nil }
    return decision(agent: agent)
  }

  private func decision(agent: Orientation?) -> Decision {
    if let set { return Decision(orientation: set, source: .set) }
    if isHandheld { return Decision(orientation: .normal, source: .builtIn) }
    if let configured { return Decision(orientation: configured, source: .configuration) }
    if let agent { return Decision(orientation: agent.composed(with: panel), source: .agent) }
    if let sensorProxy {
      return Decision(orientation: sensorProxy.composed(with: panel), source: .sensorProxy)
    }
    if let accelerometer {
      return Decision(orientation: accelerometer.composed(with: panel), source: .accelerometer)
    }
    if let recording { return Decision(orientation: recording, source: .trace) }
    return Decision(orientation: Orientation.normal.composed(with: panel), source: .builtIn)
  }
}
