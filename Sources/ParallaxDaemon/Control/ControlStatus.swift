import ParallaxMotion
import ParallaxSystem
import ParallaxWire

/// STATUS: what a user may know.
extension ControlService {
  func status(for peer: PeerCredentials, atNanoseconds now: Int64) -> StatusMessage {
    let isPrivileged = isPrivileged(peer)
    let orientation = hub.orientations.own(peer.userID) ?? hub.orientations.common
    let counts = hub.engine.counts
    return StatusMessage(
      uptimeNanoseconds: now - hub.startNanoseconds, device: hub.device,
      measuredRateHertz: hub.device.state == .streaming
        ? hub.meter.hertz(atNanoseconds: now) : nil,
      gate: hub.gate(for: peer.userID), orientation: orientation.orientation,
      orientationSource: orientation.source, bias: StatusMessage.BiasStatus(hub.engine.biasState),
      subscribers: stream.subscribers.count { isPrivileged || $0.peer.userID == peer.userID },
      frames: hub.engine.frames,
      drops: StatusMessage.DropCounts(
        duplicate: counts.duplicate, backwards: counts.backwards, nonfinite: counts.nonfinite,
        stale: hub.staleSamples, behind: stream.dropped),
      latency: latency,
      inhibitors: isPrivileged
        ? clients.compactMap { client in
          client.inhibits.map {
            StatusMessage.Inhibitor(uid: client.peer.userID, reason: $0.text)
          }
        } : [],
      agents: clients.compactMap { client in
        guard client.agent.isTelling, isPrivileged || client.peer.userID == peer.userID else {
          return nil
        }
        return StatusMessage.Agent(
          uid: client.peer.userID, reduceMotion: client.agent.reduceMotion,
          orientation: client.agent.orientation)
      }, animations: hub.animations.playing(atNanoseconds: now))
  }

  private var latency: StatusMessage.LatencyStatus {
    if let note = hub.latencyNote { return .none(reason: note) }
    guard let p50 = hub.latency.percentileNanoseconds(0.5),
      let p99 = hub.latency.percentileNanoseconds(0.99)
    else { return .none(reason: "no frame was published yet") }
    return .measured(
      p50: Double(p50) / 1e9, p99: Double(p99) / 1e9,
      max: Double(hub.latency.maximumNanoseconds) / 1e9)
  }
}
