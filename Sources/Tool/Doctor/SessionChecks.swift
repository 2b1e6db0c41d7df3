// SPDX-License-Identifier: Apache-2.0

import ParallaxGates
import ParallaxProtocol

// The desktop's settings, power and the orientation, and what the daemon makes of them.
extension DoctorFacts {
  /// Empty if the buses were not asked.
  var sessionFindings: [Finding] {
    guard let session else { return [] }
    return [
      portalFinding(session.portal), agentFinding(session), powerFinding(session.power),
      orientationFinding(session.sensorProxy),
    ].compactMap { $0 } + gateFindings(session)
  }

  // MARK: - Reduced motion

  private func portalFinding(_ portal: Portal) -> Finding {
    let check = "portal"
    switch portal {
    case .noBus(let why):
      return .note(check, "\(why), so the desktop's setting is unknown")
    case .absent:
      return .warn(
        check, "none on the session bus, so the desktop's setting is unknown",
        fix: "systemctl --user start xdg-desktop-portal (if missing: sudo apt install "
          + "xdg-desktop-portal), or set it by hand with 'parallax set reduce-motion on'")
    case .silent(let seconds):
      return .warn(
        check, "no answer for \(seconds) s, so the desktop's setting is unknown",
        fix: "systemctl --user restart xdg-desktop-portal")
    case .there(let version, let reduced, let animations):
      let name = version.map { "version \($0)" } ?? "present"
      if let reduced {
        return .ok(check, "\(name), reduced motion is \(reduced ? "on" : "off")")
      }
      let before = "\(name), without reduced-motion (added in xdg-desktop-portal 1.21)"
      guard let animations else {
        return .note(check, "\(before); set it by hand with 'parallax set reduce-motion on'")
      }
      return .ok(
        check, "\(before); GNOME's enable-animations is \(animations ? "on" : "off")")
    }
  }

  private func agentFinding(_ session: Session) -> Finding? {
    guard case .running(let status) = daemon, let owner = session.daemonUser else { return nil }
    let check = "agent"
    if user.isRoot {
      let agents = status.agents.map { "uid \($0.uid): \($0.text)" }
      return agents.isEmpty
        ? .note(check, "no agent is connected") : .ok(check, agents.joined(separator: "; "))
    }
    if owner == user.id { return .ok(check, "not needed: this user runs the daemon") }
    if let own = status.agents.first(where: { $0.uid == user.id }) {
      return .ok(check, "connected, reports \(own.text)")
    }
    return .warn(
      check, "none: another user runs the daemon, which cannot see this desktop's settings",
      fix: "systemctl --user enable --now parallax-agent")
  }

  // MARK: - Power and orientation

  private func powerFinding(_ power: Power) -> Finding {
    let check = "power"
    switch power {
    case .noBus(let why): return .note(check, "\(why), so the battery's state in /sys decides")
    case .absent:
      return .ok(
        check, "neither a profile daemon nor UPower: the battery's state in /sys decides")
    case .profile(let profile):
      return profile == "power-saver"
        ? .note(check, "profile \(profile): power is low") : .ok(check, "profile \(profile)")
    case .upower(let level):
      let name = "UPower, without a profile daemon"
      return level >= 3
        ? .note(check, "\(name): power is low") : .ok(check, "\(name): no warning")
    case .silent(let seconds):
      return .warn(
        check, "no answer for \(seconds) s",
        fix: "sudo systemctl restart power-profiles-daemon upower")
    }
  }

  private func orientationFinding(_ proxy: SensorProxy) -> Finding {
    let inEffect: String? =
      if case .running(let status) = daemon {
        "\(status.orientation.rawValue), by \(status.orientationSource.rawValue)"
      } else {
        nil
      }
    let sensor =
      switch proxy {
      case .noBus(let why): why
      case .absent: "iio-sensor-proxy is not running"
      case .there(true): "iio-sensor-proxy has an accelerometer"
      case .there(false): "iio-sensor-proxy has no accelerometer"
      case .silent(let seconds): "no answer from iio-sensor-proxy for \(seconds) s"
      }
    let text = [inEffect, sensor].compactMap { $0 }.joined(separator: "; ")
    return proxy == .there(hasAccelerometer: true)
      ? .ok("orientation", text) : .note("orientation", text)
  }

  // MARK: - The gate

  /// One finding per reason. Reasons of the device have their own checks.
  private func gateFindings(_ session: Session) -> [Finding] {
    guard case .running(let status) = daemon else { return [] }
    let gate = status.gate
    let reasons = gate.reasons.filter { GateReason(rawValue: $0)?.kind != .device }
    guard !reasons.isEmpty else {
      guard gate.reasons.isEmpty else { return [] }
      // An idle daemon follows neither bus.
      let text =
        status.device.state == .idle
        ? "open; the daemon follows the desktop and power only while a client is subscribed"
        : "open: no gate reason applies"
      return [.ok("gate", text)]
    }
    // Only privileged control clients may change a setting.
    let isOwnDaemon = session.daemonUser.map { $0 == user.id } ?? true
    let set = (user.isRoot || isOwnDaemon ? "" : "sudo ") + "parallax set"
    return reasons.map { reason in
      if case .silent = session.portal, GateReason(rawValue: reason) == .reduceMotionPortal {
        return .warn(
          "gate", "\(gate.open ? "lowered" : "closed") by \(reason): the portal does not answer",
          fix: "systemctl --user restart xdg-desktop-portal")
      }
      let (why, fix) = GateAdvice.advice(for: reason, set: set, inhibitors: status.inhibitors)
      let state = gate.open ? "lowered" : "closed"
      return .warn("gate", "\(state) by \(reason): \(why)", fix: fix)
    }
  }
}

/// The meaning of each gate reason, and what opens the gate.
enum GateAdvice {
  /// - Parameter set: The command by which this user changes a setting, `parallax set` or `sudo
  ///   parallax set`.
  static func advice(
    for reason: String, set: String, inhibitors: [StatusMessage.Inhibitor]
  ) -> (why: String, fix: String?) {
    let moveAnyway = "override it with '\(set) reduce-motion off'"
    let lowAnyway = "override it with '\(set) low-power off'"
    switch GateReason(rawValue: reason) {
    case .reduceMotionPortal:
      return (
        "reduced motion is on in the desktop's settings", "turn it off there, or \(moveAnyway)"
      )
    case .reduceMotionGnome:
      return (
        "GNOME's animations are off",
        "gsettings set org.gnome.desktop.interface enable-animations true, or \(moveAnyway)"
      )
    case .reduceMotionAgent:
      return (
        "this user's agent reports that reduced motion is on in the desktop's settings",
        "turn it off there, or \(moveAnyway)"
      )
    case .reduceMotionConfig:
      return (
        "gates.reduce-motion is \"on\" in the configuration",
        "set it to \"auto\" and run 'parallax reload', or \(moveAnyway)"
      )
    case .reduceMotionSet:
      return ("it was set by 'parallax set reduce-motion on'", "'\(set) reduce-motion auto'")
    case .lowPowerProfile:
      return (
        "the power profile power-saver is active", "powerprofilesctl set balanced, or \(lowAnyway)"
      )
    case .lowPowerUpower, .lowPowerSysfs:
      return ("the battery is low", "connect the charger, or \(lowAnyway)")
    case .lowPowerConfig:
      return (
        "gates.low-power is \"on\" in the configuration",
        "set it to \"auto\" and run 'parallax reload', or \(lowAnyway)"
      )
    case .lowPowerSet:
      return ("it was set by 'parallax set low-power on'", "'\(set) low-power auto'")
    case .paused:
      return ("it was set by 'parallax set paused on'", "'\(set) paused off'")
    case .sleep:
      return ("the machine is about to sleep", nil)
    case .inactive:
      return (
        "all of this user's sessions are in the background", "switch to one of them"
      )
    case .inhibit:
      let users = inhibitors.map { "uid \($0.uid) (\($0.reason))" }.joined(separator: ", ")
      return (
        "a program inhibits motion" + (users.isEmpty ? "" : ": \(users)"),
        users.isEmpty
          ? "wait until that program ends; 'sudo parallax status' shows whose it is"
          : "wait until that program ends"
      )
    case nil, .deviceNone, .deviceBusy, .deviceDenied, .deviceLost:
      return (
        "this release does not know the reason", "use the daemon's release of parallax doctor"
      )
    }
  }
}
