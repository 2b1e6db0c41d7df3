// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// STATUS: the daemon's status, as seen by the user who asks. Times are in seconds, rates in Hz.
package struct StatusMessage: Equatable, Sendable {
  /// `release`: the release of parallaxd.
  package var release: String
  /// `uptime`: the time since the daemon started; on the wire, in seconds with 3 decimals.
  package var uptime: MotionDuration
  /// `device`: the fields of a DEVICE line; its `rate` is the granted one.
  package var device: DeviceMessage
  /// `device.measured_rate`: kept samples per second over the last seconds; nil while none arrive.
  package var measuredRateHertz: Double?
  /// `gate`: the fields of a GATE line for the user who asks, with every reason.
  package var gate: GateMessage
  /// `orientation`: `value` and `source`.
  package var orientation: Orientation
  package var orientationSource: OrientationSource
  /// `bias`: `mode` and, once there is an estimate, `x`, `y`, `z` in rad/s with 6 decimals.
  package var bias: BiasStatus
  /// `subscribers`: connections to the stream. Privileged users see all, others only their own.
  package var subscribers: Int
  /// `frames`: frames since the daemon started.
  package var frames: UInt64
  /// `drops`: counts by cause.
  package var drops: DropCounts
  /// `latency`: from the sensor's timestamp to the return of send().
  package var latency: LatencyStatus
  /// `inhibitors`: `uid` and `reason` of each, for privileged users; omitted if there are none.
  package var inhibitors: [Inhibitor]
  /// `agents`: `uid`, `reduce_motion` and `orientation` of each. Privileged users see all, others
  /// only their own; omitted if there are none.
  package var agents: [Agent]
  /// `animations`: `id`, `layer` and `state` of those that play or have left a final pose; omitted if
  /// there are none.
  package var animations: [Animation]
  /// `settings`: the settings of SET that the configuration has, with the values in effect.
  package var settings: [Setting]
  /// `overrides`: the keys whose values are from SET; omitted if there are none.
  package var overrides: [String]

  /// Where the orientation comes from, in order of precedence.
  package enum OrientationSource: String, CaseIterable, Equatable, Sendable {
    case set
    case configuration
    case agent
    case sensorProxy = "sensor-proxy"
    case accelerometer
    /// `normal`, because no other source knows it.
    case builtIn = "default"
    /// The header of the recording being played.
    case trace
  }

  /// The bias of the gyroscope.
  package struct BiasStatus: Equatable, Sendable {
    /// `mode`: true for `auto`, false for `off`.
    package var isAuto: Bool
    /// `x`, `y`, `z`; nil before the first estimate.
    package var estimate: AngularRate?

    package init(isAuto: Bool, estimate: AngularRate?) {
      self.isAuto = isAuto
      self.estimate = estimate
    }

    /// Creates a status with an estimate from the fields of a line, in rad/s.
    package init(isAuto: Bool, x: Double, y: Double, z: Double) {
      self.init(isAuto: isAuto, estimate: AngularRate(x: x, y: y, z: z))
    }
  }

  /// Samples that do not count or are too old to show, and lines not sent.
  package struct DropCounts: Equatable, Sendable {
    /// `duplicate`: samples with the same time as the previous one.
    package var duplicate: UInt64
    /// `backwards`: samples earlier than the previous one.
    package var backwards: UInt64
    /// `nonfinite`: NaN and infinite samples.
    package var nonfinite: UInt64
    /// `stale`: samples over 0.25 s old when their turn came, which are not shown.
    package var stale: UInt64
    /// `skipped`: frames more than two periods late, not sent because a newer one was due.
    package var skipped: UInt64
    /// `behind`: OFFSET lines not sent to slow subscribers.
    package var behind: UInt64

    package init(
      duplicate: UInt64 = 0, backwards: UInt64 = 0, nonfinite: UInt64 = 0, stale: UInt64 = 0,
      skipped: UInt64 = 0, behind: UInt64 = 0
    ) {
      self.duplicate = duplicate
      self.backwards = backwards
      self.nonfinite = nonfinite
      self.stale = stale
      self.skipped = skipped
      self.behind = behind
    }
  }

  package enum LatencyStatus: Equatable, Sendable {
    /// `p50`, `p99`, `max`: seconds, 6 decimals.
    case measured(p50: Double, p99: Double, max: Double)
    /// `reason`: why it is unknown.
    case none(reason: String)
  }

  package struct Inhibitor: Equatable, Sendable {
    package var uid: UInt32
    package var reason: String

    package init(uid: UInt32, reason: String) {
      self.uid = uid
      self.reason = reason
    }
  }

  package struct Agent: Equatable, Sendable {
    package var uid: UInt32
    /// nil: not reported.
    package var reduceMotion: Bool?
    /// nil: unknown.
    package var orientation: Orientation?

    package init(uid: UInt32, reduceMotion: Bool?, orientation: Orientation?) {
      self.uid = uid
      self.reduceMotion = reduceMotion
      self.orientation = orientation
    }
  }

  /// A setting in effect, in the form in which SET takes it.
  package typealias Setting = SetRequest

  /// An animation that plays or has left its final pose.
  package struct Animation: Equatable, Sendable {
    package enum State: String, CaseIterable, Equatable, Sendable {
      case playing
      case paused
      /// Stopped where it is.
      case stopped
      /// Ended; its final pose remains until STOP.
      case ended
    }

    package var id: String
    /// nil: all layers.
    package var layer: String?
    package var state: State

    package init(id: String, layer: String?, state: State) {
      self.id = id
      self.layer = layer
      self.state = state
    }
  }

  package init(
    release: String = ParallaxRelease.version, uptime: MotionDuration, device: DeviceMessage,
    measuredRateHertz: Double?, gate: GateMessage, orientation: Orientation,
    orientationSource: OrientationSource, bias: BiasStatus, subscribers: Int, frames: UInt64,
    drops: DropCounts, latency: LatencyStatus, inhibitors: [Inhibitor] = [],
    agents: [Agent] = [], animations: [Animation] = [], settings: [Setting] = [],
    overrides: [String] = []
  ) {
    self.release = release
    self.uptime = uptime
    self.device = device
    self.measuredRateHertz = measuredRateHertz
    self.gate = gate
    self.orientation = orientation
    self.orientationSource = orientationSource
    self.bias = bias
    self.subscribers = subscribers
    self.frames = frames
    self.drops = drops
    self.latency = latency
    self.inhibitors = inhibitors
    self.agents = agents
    self.animations = animations
    self.settings = settings
    self.overrides = overrides
  }
}

extension OutputBuffer {
  /// Appends a STATUS on one line; see `StatusMessage` for its fields.
  package mutating func appendLine(_ status: StatusMessage, tag: RequestTag? = nil) {
    append(class: "STATUS")
    append(tag: tag)
    append(field: "release", text: status.release)
    append(field: "uptime")
    append(scaled: status.uptime.nanoseconds / 1_000_000, trimmedDecimals: 3)
    append(objectField: "device") { buffer in
      buffer.appendFields(of: status.device)
      buffer.append(field: "measured_rate", value: status.measuredRateHertz, trimmedDecimals: 3)
    }
    append(objectField: "gate") { $0.appendFields(of: status.gate) }
    append(objectField: "orientation") { buffer in
      buffer.append(field: "value", text: status.orientation.rawValue)
      buffer.append(field: "source", text: status.orientationSource.rawValue)
    }
    append(objectField: "bias") { buffer in
      buffer.append(field: "mode", text: status.bias.isAuto ? "auto" : "off")
      buffer.append(field: "x", value: status.bias.estimate?.x, trimmedDecimals: 6)
      buffer.append(field: "y", value: status.bias.estimate?.y, trimmedDecimals: 6)
      buffer.append(field: "z", value: status.bias.estimate?.z, trimmedDecimals: 6)
    }
    append(field: "subscribers", integer: Int64(status.subscribers))
    append(field: "frames", unsigned: status.frames)
    append(objectField: "drops") { buffer in
      buffer.append(field: "duplicate", unsigned: status.drops.duplicate)
      buffer.append(field: "backwards", unsigned: status.drops.backwards)
      buffer.append(field: "nonfinite", unsigned: status.drops.nonfinite)
      buffer.append(field: "stale", unsigned: status.drops.stale)
      buffer.append(field: "skipped", unsigned: status.drops.skipped)
      buffer.append(field: "behind", unsigned: status.drops.behind)
    }
    append(objectField: "latency") { buffer in
      switch status.latency {
      case .measured(let p50, let p99, let max):
        buffer.append(field: "p50", value: p50, trimmedDecimals: 6)
        buffer.append(field: "p99", value: p99, trimmedDecimals: 6)
        buffer.append(field: "max", value: max, trimmedDecimals: 6)
      case .none(let reason):
        buffer.append(field: "reason", text: reason)
      }
    }
    append(list: "inhibitors", status.inhibitors) { buffer, inhibitor in
      buffer.append(field: "uid", unsigned: UInt64(inhibitor.uid))
      buffer.append(field: "reason", text: inhibitor.reason)
    }
    append(list: "agents", status.agents) { buffer, agent in
      buffer.append(field: "uid", unsigned: UInt64(agent.uid))
      if let reduceMotion = agent.reduceMotion {
        buffer.append(field: "reduce_motion")
        buffer.append(jsonBool: reduceMotion)
      }
      buffer.append(field: "orientation", text: agent.orientation?.rawValue)
    }
    append(list: "animations", status.animations) { buffer, animation in
      buffer.append(field: "id", text: animation.id)
      buffer.append(field: "layer", text: animation.layer)
      buffer.append(field: "state", text: animation.state.rawValue)
    }
    if !status.settings.isEmpty {
      append(objectField: "settings") { buffer in
        for (index, setting) in status.settings.enumerated() {
          if index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
          buffer.append(jsonString: setting.key)
          buffer.append(byte: UInt8(ascii: ":"))
          buffer.append(setting.value)
        }
      }
    }
    if !status.overrides.isEmpty {
      append(field: "overrides")
      append(jsonStrings: status.overrides)
    }
    appendLineEnd()
  }

  /// Appends `,"key":[{...},{...}]`; nothing for an empty list.
  private mutating func append<Element>(
    list key: StaticString, _ elements: [Element],
    fields: (inout OutputBuffer, Element) -> Void
  ) {
    guard !elements.isEmpty else { return }
    append(field: key)
    append(byte: UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      append(index == 0 ? "{" : ",{")
      fields(&self, element)
      append(byte: UInt8(ascii: "}"))
    }
    append(byte: UInt8(ascii: "]"))
  }
}
