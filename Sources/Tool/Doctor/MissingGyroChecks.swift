// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig
import ParallaxDevice

// The findings if there is no usable gyroscope, and the substitutes for it.
extension DoctorFacts {
  /// Whether the daemon has no motion without a gyroscope.
  private var needsGyro: Bool {
    switch configuration.source.kind {
    case .gyroscope, .iio, .evdev: true
    case .automatic, .feed, .trace, .synthetic: false
    }
  }

  /// The daemon's source if it gives motion, as in `synthetic seed 1`; nil: there is none.
  private var sourceOfDaemon: String? {
    guard case .running(let status) = daemon else { return nil }
    switch status.device.state {
    case .streaming, .idle, .ended: return status.device.sourceText
    case .none, .busy, .denied, .lost: return nil
    }
  }

  /// The findings if `source.kind` leaves out every gyroscope that was found.
  func leftOutFindings(_ gyro: GyroDescription) -> [Finding] {
    let what = gyro.interface == .evdev ? "controller" : "gyroscope"
    let kind = configuration.source.kind.text
    var finding = Finding.fail(
      "device", "a \(what) was found: \(gyro.name) (\(gyro.id)), but source.kind is \"\(kind)\"",
      fix: "put the lines below into the configuration")
    finding.attachment = """
      # ~/.config/parallax/parallax.toml, or for the service /etc/parallax/parallax.toml
      [source]
      kind = "\(gyro.interface.rawValue)"
      """
    if let source = sourceOfDaemon {
      finding.level = .note
      finding.text += "; the daemon's source is \(source)"
    }
    // The next obstacle. The daemon's own is in its state.
    let access = gyro.interface == .evdev && !gyro.access.node ? [accessFinding(gyro)] : []
    return [finding] + access
  }

  /// The findings if no gyroscope was found.
  var missingGyroFindings: [Finding] {
    let others =
      kernel.otherDevices.isEmpty
      ? "" : ", only \(kernel.otherDevices.joined(separator: ", "))"
    let what =
      configuration.source.kind == .evdev
      ? "no controller with a gyroscope was found" : "there is no gyroscope with three axes"
    var finding = Finding.fail(
      "device", what + others,
      fix: loadModule ?? places.advice
        ?? "\(phoneStep)tilt your phone: parallax phone")
    if let source = sourceOfDaemon {
      finding.level = .note
      finding.text += "; the daemon's source is \(source)"
    } else if !needsGyro {
      let isAutomatic = configuration.source.kind == .automatic
      finding.level = isAutomatic ? .warn : .note
      if isAutomatic { finding.text += ": synthetic motion takes its place" }
    }
    return [finding] + substituteFindings
  }

  /// The substitutes for a gyroscope of this machine.
  private var substituteFindings: [Finding] {
    let needsKind = configuration.source.kind.takesFeed ? "" : ", if source.kind is \"gyroscope\""
    return [
      .note("phone", "tilt your phone: parallax phone\(needsKind)"),
      .note(
        "controller",
        "none was found; a DualSense, DualShock 4, Switch Pro controller or Joy-Con has a gyroscope"
      ),
      .note("program", "send samples from a program: parallax feed\(needsKind)"),
    ]
  }

  /// The step before `parallax phone`, if `source.kind` refuses a phone.
  private var phoneStep: String {
    configuration.source.kind.takesFeed ? "" : "set source.kind to \"gyroscope\" and "
  }

  /// The places that were searched, if no gyroscope was found.
  var placeFindings: [Finding] {
    [
      .note("machine", places.machine ?? "unknown to the firmware"),
      .note("looked at", places.summary),
    ]
  }

  var loadModule: String? {
    kernel.driverless.first.map { "sudo modprobe \($0.module)" }
  }
}
