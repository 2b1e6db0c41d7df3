package import ParallaxMotion
package import ParallaxWire

/// Everything that knows how the screen is turned, and who is believed: SET, then the
/// configuration, then the user's agent, iio-sensor-proxy, the device's own accelerometer and at
/// last what a recording says of itself. (A WATCH stands above all of them, for its own client.)
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
  /// A trace's `# orientation` line: how the screen was turned then, panel included.
  package var recording: Orientation?
  /// How the display is mounted in the device; composed with what the device's sensors say.
  package var panel = Orientation.normal
  /// Whether a user's session could tell what the daemon cannot find out: somebody looks,
  /// iio-sensor-proxy is there, and it listens to the active session alone. Never where a claim would
  /// take the gyroscope's buffer away.
  package var needsAgents = false
  private var agents: [UInt32: Orientation] = [:]

  package init() {}

  package mutating func setAgent(_ uid: UInt32, _ orientation: Orientation?) {
    agents[uid] = orientation
  }

  /// Whether agents are asked for the orientation.
  package var asksAgents: Bool { needsAgents && set == nil && configured == nil }

  /// For everyone without an agent of their own.
  package var common: Decision { decision(agent: nil) }

  /// For `uid`; nil where nothing concerns this uid alone.
  package func own(_ uid: UInt32) -> Decision? {
    guard set == nil, configured == nil, let agent = agents[uid] else { return nil }
    return decision(agent: agent)
  }

  private func decision(agent: Orientation?) -> Decision {
    if let set { return Decision(orientation: set, source: .set) }
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
