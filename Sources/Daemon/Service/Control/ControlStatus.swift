// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxMotion
import ParallaxProtocol

/// STATUS, with what the asking user may see.
extension ControlService {
  func status(for peer: PeerCredentials, at now: MotionInstant) -> StatusMessage {
    let isPrivileged = isPrivileged(peer)
    let orientation = hub.orientations.own(peer.userID) ?? hub.orientations.common
    let counts = hub.engine.counts
    return StatusMessage(
      uptime: now - hub.start, device: isPrivileged ? hub.device : hub.device.withoutDetails,
      measuredRateHertz: hub.device.state == .streaming
        ? hub.source.meter.hertz(at: now) : nil,
      gate: hub.gates.message(for: peer.userID), orientation: orientation.orientation,
      orientationSource: orientation.source, bias: StatusMessage.BiasStatus(hub.engine.biasState),
      subscribers: isPrivileged
        ? stream.subscribers.count
        : stream.subscribers.count { $0.peer.userID == peer.userID },
      frames: hub.engine.frames,
      drops: StatusMessage.DropCounts(
        duplicate: counts.duplicate, backwards: counts.backwards, nonfinite: counts.nonfinite,
        stale: hub.staleSamples, skipped: hub.engine.skippedFrames, behind: stream.dropped,
        lost: hub.lostSamples),
      latency: latency,
      inhibitors: isPrivileged
        ? clients.compactMap { client in
          guard access.mayInhibit(client.peer) else { return nil }
          return client.inhibitReason.map {
            StatusMessage.Inhibitor(uid: client.peer.userID, reason: $0.text)
          }
        } : [],
      agents: clients.compactMap { client in
        guard client.agent.hasReport, isPrivileged || client.peer.userID == peer.userID else {
          return nil
        }
        return StatusMessage.Agent(
          uid: client.peer.userID, reduceMotion: client.agent.reduceMotion,
          orientation: client.agent.orientation)
      }, animations: hub.animations.playing(at: now), settings: settings,
      overrides: hub.overrides.keys.map(\.name))
  }

  /// The values in effect, in alphabetical order: the default of a scale depends on the mode.
  private var settings: [SetRequest] {
    var configuration = hub.configuration
    configuration.motion.scale = configuration.motion.resolvedScale
    return SetChange.settings.sorted { $0.name < $1.name }.map { key in
      let value: SetRequest.Value =
        switch key.value(in: configuration) {
        case .float(let number): .number(number)
        case .integer(let number): .number(Double(number))
        case .boolean(let flag): .boolean(flag)
        case let value: .text(value.text)
        }
      return SetRequest(key: key.name, value: value)
    }
  }

  private var latency: StatusMessage.LatencyStatus {
    if let note = hub.source.latencyNote { return .none(reason: note) }
    guard let p50 = hub.latency.percentile(0.5), let p99 = hub.latency.percentile(0.99)
    else { return .none(reason: "no frame has been published yet") }
    return .measured(
      p50: Double(p50.nanoseconds) / 1e9, p99: Double(p99.nanoseconds) / 1e9,
      max: Double(hub.latency.maximum.nanoseconds) / 1e9)
  }
}

extension StatusMessage.BiasStatus {
  fileprivate init(_ state: BiasState) {
    switch state {
    case .off: self.init(isAuto: false, estimate: nil)
    case .auto(let known): self.init(isAuto: true, estimate: known)
    }
  }
}
