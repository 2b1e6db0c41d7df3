import ParallaxWire

/// What the desktop, the battery and the device's position say, and what of it reaches the daemon.
extension DoctorFacts {
  /// Nothing where nobody asked the buses.
  var sessionFindings: [Finding] {
    guard let session else { return [] }
    return [
      portalFinding(session.portal), agentFinding(session), powerFinding(session.power),
      turnFinding(session.sensorProxy),
    ].compactMap { $0 } + gateFindings(session)
  }

  // -- Reduced motion

  private func portalFinding(_ portal: Portal) -> Finding {
    let check = "portal"
    switch portal {
    case .noBus(let why):
      return .ok(check, "\(why), so what the desktop wants is not known here")
    case .absent:
      return .warn(
        check, "none on the session bus: what the desktop wants is not known",
        mend: "systemctl --user start xdg-desktop-portal (sudo apt install xdg-desktop-portal "
          + "where there is none), or 'parallax set reduce-motion on' by hand")
    case .silent(let seconds):
      return .warn(
        check, "it has not answered for \(seconds) s: what the desktop wants is not known",
        mend: "systemctl --user restart xdg-desktop-portal")
    case .there(let version, let reduced, let animations):
      let name = version.map { "version \($0)" } ?? "there"
      if let reduced {
        return .ok(check, "\(name), " + (reduced ? "less motion is wanted" : "motion is welcome"))
      }
      let before = "\(name), without reduced-motion (xdg-desktop-portal has it from 1.21 on)"
      guard let animations else {
        return .ok(check, "\(before); 'parallax set reduce-motion on' says it by hand")
      }
      return .ok(
        check, "\(before); GNOME's enable-animations is \(animations ? "on" : "off")")
    }
  }

  private func agentFinding(_ session: Session) -> Finding? {
    guard case .running(let status) = daemon, let owner = session.daemonUser else { return nil }
    let check = "agent"
    if user.isRoot {
      let agents = status.agents.map { "uid \($0.uid): \(StatusText.agent($0))" }
      return .ok(
        check, agents.isEmpty ? "no user's agent is connected" : agents.joined(separator: "; "))
    }
    if owner == user.id { return .ok(check, "not needed: the daemon is this user's own") }
    if let own = status.agents.first(where: { $0.uid == user.id }) {
      return .ok(check, "connected, tells \(StatusText.agent(own))")
    }
    return .warn(
      check, "none: the daemon is another user's and cannot see what this desktop wants",
      mend: "systemctl --user enable --now parallax-agent")
  }

  // -- Power and position

  private func powerFinding(_ power: Power) -> Finding {
    let check = "power"
    switch power {
    case .noBus(let why): return .ok(check, "\(why), so the battery's state in /sys decides")
    case .absent:
      return .ok(
        check, "neither a profile daemon nor UPower: the battery's state in /sys decides")
    case .profile(let profile):
      return .ok(check, "profile \(profile)" + (profile == "power-saver" ? ": power is low" : ""))
    case .upower(let level):
      return .ok(
        check, "UPower, without a profile daemon: " + (level >= 3 ? "power is low" : "no warning"))
    case .silent(let seconds):
      return .warn(
        check, "who knows of it has not answered for \(seconds) s",
        mend: "sudo systemctl restart power-profiles-daemon upower")
    }
  }

  private func turnFinding(_ proxy: SensorProxy) -> Finding {
    let decided: String? =
      if case .running(let status) = daemon {
        "\(status.orientation.rawValue), by \(status.orientationSource.rawValue)"
      } else {
        nil
      }
    let has =
      switch proxy {
      case .noBus(let why): why
      case .absent: "iio-sensor-proxy does not run"
      case .there(true): "iio-sensor-proxy has an accelerometer"
      case .there(false): "iio-sensor-proxy has no accelerometer"
      case .silent(let seconds): "iio-sensor-proxy has not answered for \(seconds) s"
      }
    return .ok("turned", [decided, has].compactMap { $0 }.joined(separator: "; "))
  }

  // -- The gate

  /// A line a reason; what the device's own checks tell is left to them.
  private func gateFindings(_ session: Session) -> [Finding] {
    guard case .running(let status) = daemon else { return [] }
    let gate = status.gate
    let reasons = gate.reasons.filter { !$0.hasPrefix("device:") }
    guard !reasons.isEmpty else {
      guard gate.reasons.isEmpty else { return [] }
      // While it sleeps it follows neither bus.
      let text =
        status.device.state == .idle
        ? "open; the daemon asks the desktop and about power while somebody subscribes"
        : "open: nothing holds motion back"
      return [.ok("gate", text)]
    }
    // Only root, the daemon's user and whom it names may change a setting.
    let isOurs = session.daemonUser.map { $0 == user.id } ?? true
    let set = (user.isRoot || isOurs ? "" : "sudo ") + "parallax set"
    return reasons.map { reason in
      let (why, mend) = GateAdvice.advice(for: reason, set: set, inhibitors: status.inhibitors)
      let state = gate.open ? "lowered" : "closed"
      return .warn("gate", "\(state) by \(reason): \(why)", mend: mend)
    }
  }
}

/// What each reason means to a person, and what opens the gate.
enum GateAdvice {
  /// - Parameter set: how this user says `parallax set`.
  static func advice(
    for reason: String, set: String, inhibitors: [StatusMessage.Inhibitor]
  ) -> (why: String, mend: String?) {
    let moveAnyway = "'\(set) reduce-motion off' for now"
    let lowAnyway = "'\(set) low-power off' for now"
    switch reason {
    case "reduce-motion:portal":
      return ("the desktop wants less motion", "change that in its settings, or \(moveAnyway)")
    case "reduce-motion:gnome":
      return (
        "GNOME's animations are switched off",
        "gsettings set org.gnome.desktop.interface enable-animations true, or \(moveAnyway)"
      )
    case "reduce-motion:agent":
      return (
        "this user's agent says that the desktop wants less motion",
        "change that in the desktop's settings, or \(moveAnyway)"
      )
    case "reduce-motion:config":
      return (
        "gates.reduce-motion is \"on\" in the configuration",
        "make it \"auto\" and run 'parallax reload', or \(moveAnyway)"
      )
    case "reduce-motion:set":
      return ("'parallax set reduce-motion on' was said", "'\(set) reduce-motion auto'")
    case "low-power:profile":
      return (
        "the profile power-saver is active", "powerprofilesctl set balanced, or \(lowAnyway)"
      )
    case "low-power:upower", "low-power:sysfs":
      return ("the battery is low", "plug the charger in, or \(lowAnyway)")
    case "low-power:config":
      return (
        "gates.low-power is \"on\" in the configuration",
        "make it \"auto\" and run 'parallax reload', or \(lowAnyway)"
      )
    case "low-power:set":
      return ("'parallax set low-power on' was said", "'\(set) low-power auto'")
    case "paused":
      return ("'parallax set paused on' was said", "'\(set) paused off'")
    case "sleep":
      return ("the machine is about to sleep", nil)
    case "inactive":
      return (
        "this user's sessions are all in the background", "switch to one; it opens by itself"
      )
    case "inhibit":
      let who = inhibitors.map { "uid \($0.uid) (\($0.reason))" }.joined(separator: ", ")
      return (
        "a program holds everything still" + (who.isEmpty ? "" : ", of \(who)"),
        who.isEmpty
          ? "it opens when that program ends; 'sudo parallax status' tells whose it is"
          : "it opens when that program ends"
      )
    default:
      return ("this release does not know the reason", "'parallax status' with the newer release")
    }
  }
}
