// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxClient
import ParallaxMotion
import ParallaxProtocol

/// The text of a STATUS: aligned rows of a name and a value. Control characters, perhaps from a device,
/// are escaped.
enum StatusText {
  static func text(of status: StatusMessage) -> String {
    let rows =
      [
        ("release", status.release),
        ("uptime", uptime(status.uptime.nanoseconds / 1_000_000_000)),
        ("device", device(status.device)),
        ("rate", rate(granted: status.device.rateHertz, measured: status.measuredRateHertz)),
        ("gate", gate(status.gate)),
        ("orientation", "\(status.orientation.rawValue) (\(status.orientationSource.rawValue))"),
        ("bias", bias(status.bias)),
        ("subscribers", "\(status.subscribers)"),
        ("frames", "\(status.frames)"),
        ("drops", drops(status.drops)),
        ("latency", latency(status.latency)),
      ] + overrides(status)
      + status.inhibitors.map { ("inhibited", "by uid \($0.uid): \($0.reason)") }
      + status.agents.map { ("agent", "of uid \($0.uid): \($0.text)") }
      + status.animations.map { ("animation", animation($0)) }
    let width = (rows.map(\.0.count).max() ?? 0) + 2
    return rows.map { name, value in
      name + String(repeating: " ", count: width - name.count) + PrintableText.escaped(value) + "\n"
    }.joined()
  }

  private static func overrides(_ status: StatusMessage) -> [(String, String)] {
    status.settings.filter { status.overrides.contains($0.key) }.map { setting in
      ("set", "\(setting.key) \(setting.value.text); 'parallax set \(setting.key) auto' undoes it")
    }
  }

  private static func uptime(_ seconds: Int64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60)
    if days > 0 { return "\(days) d \(hours) h" }
    if hours > 0 { return "\(hours) h \(minutes) min" }
    return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
  }

  private static func device(_ device: DeviceMessage) -> String {
    "\(device.sourceText), \(device.state.rawValue)" + (device.reason.map { ": \($0)" } ?? "")
  }

  private static func rate(granted: Double?, measured: Double?) -> String {
    let parts = [
      granted.map { Figures.short($0, 3) + " Hz granted" },
      measured.map { Figures.short($0, 3) + " Hz measured" },
    ].compactMap { $0 }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  private static func gate(_ gate: GateMessage) -> String {
    let state = gate.open ? "open, gain \(Figures.short(gate.gain, 4))" : "closed"
    return gate.reasons.isEmpty ? state : state + ": " + gate.reasons.joined(separator: ", ")
  }

  private static func bias(_ bias: StatusMessage.BiasStatus) -> String {
    let mode = bias.isAuto ? "auto" : "off"
    guard let estimate = bias.estimate else { return bias.isAuto ? "auto, none yet" : mode }
    let axes = [estimate.x, estimate.y, estimate.z].map { Figures.short($0, 6) }
    return "\(mode), \(axes.joined(separator: " ")) rad/s"
  }

  private static func drops(_ drops: StatusMessage.DropCounts) -> String {
    "duplicate \(drops.duplicate), backwards \(drops.backwards), "
      + "nonfinite \(drops.nonfinite), stale \(drops.stale), "
      + "skipped \(drops.skipped), behind \(drops.behind), lost \(drops.lost)"
  }

  private static func latency(_ latency: StatusMessage.LatencyStatus) -> String {
    switch latency {
    case .none(let reason): "none: \(reason)"
    case .measured(let p50, let p99, let max):
      "p50 \(milliseconds(p50)), p99 \(milliseconds(p99)), max \(milliseconds(max))"
    }
  }

  private static func animation(_ animation: StatusMessage.Animation) -> String {
    let name = animation.id + (animation.layer.map { " on \($0)" } ?? "")
    return switch animation.state {
    case .playing, .paused, .stopped: "\(name), \(animation.state.rawValue)"
    case .ended: "\(name), ended; its final pose stays until 'parallax stop'"
    }
  }

  private static func milliseconds(_ seconds: Double) -> String {
    Figures.short(seconds * 1_000, 3) + " ms"
  }
}
