// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxDevice

extension DoctorFacts {
  /// All findings. A finding comes after those that it depends on.
  var diagnosis: Diagnosis {
    var findings: [Finding] = sourceFindings
    if configuration.source.kind == .feed { return Diagnosis(findings: findings + lastFindings) }
    let (gyro, choice) = chosen
    if configuration.source.kind != .evdev, gyro?.interface != .evdev {
      findings.append(libraryFinding)
      guard case .success = library else { return Diagnosis(findings: findings + lastFindings) }
      if isLocal { findings.append(kernelFinding) }
    }
    if gyro == nil, isLocal, configuration.source.kind != .evdev { findings += placeFindings }
    findings += choice
    if let gyro {
      findings += [
        driverFinding(gyro), scaleFinding(gyro), matrixFinding(gyro), triggerFinding(gyro),
        rateFinding(gyro), accessFinding(gyro),
      ]
      findings += readingFindings(gyro) + holderFindings(gyro)
    }
    return Diagnosis(findings: findings + lastFindings)
  }

  /// The checks that need no gyroscope.
  private var lastFindings: [Finding] { daemonFindings + sessionFindings }

  /// The gyroscope that is used, and the findings about the choice.
  var chosen: (gyro: GyroDescription?, findings: [Finding]) {
    let check = "device"
    switch search {
    case .failed(let error):
      return (
        nil, [.fail(check, error.reason, fix: "correct --uri or the configuration's source.uri")]
      )
    case .silent(let seconds):
      return (
        nil,
        [
          .fail(
            check, "a driver has not answered for \(seconds) s",
            fix: "unplug the sensor and plug it in again, or reload its driver")
        ]
      )
    case .found(let found):
      do throws(DeviceError) {
        let source = configuration.source
        let choice = try GyroChoice.choose(
          from: found, named: source.device, interface: source.kind.gyroInterface)
        let gyro = found[choice.index]
        let count = found.count > 1 ? " of \(found.count) gyroscopes" : ""
        return (gyro, [.ok(check, "\(gyro.name) (\(gyro.id))\(count): \(choice.reason)")])
      } catch {
        return (nil, noDevice(error, found))
      }
    }
  }

  private func noDevice(_ error: DeviceError, _ found: [GyroDescription]) -> [Finding] {
    let wanted = configuration.source.kind.gyroInterface
    if let other = found.first, !found.contains(where: { wanted == nil || $0.interface == wanted })
    {
      return leftOutFindings(other)
    }
    guard found.isEmpty else {
      return [
        .fail("device", error.reason, fix: "correct --device or the configuration's source.device")
      ]
    }
    return missingGyroFindings
  }

  var isLocal: Bool { configuration.source.uri.map { $0 == "local:" } ?? true }

  // MARK: - Requirements

  private var sourceFindings: [Finding] {
    switch configuration.source.kind {
    case .gyroscope, .iio, .evdev, .automatic: []
    case .feed:
      [
        .note(
          "source",
          "source.kind is \"feed\": a phone ('parallax phone') or a program sends the samples")
      ]
    case .trace, .synthetic:
      [
        .warn(
          "source", "source.kind is \"\(configuration.source.kind.text)\", so no gyroscope is used",
          fix: "set source.kind to \"gyroscope\"")
      ]
    }
  }

  private var libraryFinding: Finding {
    switch library {
    case .success(let version): .ok("libiio", version)
    case .failure(let error): .fail("libiio", error.reason, fix: "sudo apt install libiio0")
    }
  }

  private var kernelFinding: Finding {
    let missing = kernel.driverless.map { "\($0.device) has no driver" }
    if !missing.isEmpty {
      return .warn("kernel", missing.joined(separator: ", "), fix: loadModule)
    }
    // The finding about the device has the fix.
    return kernel.hasIIO
      ? .ok("kernel", "supports IIO") : .warn("kernel", "no IIO driver is loaded")
  }

  private func driverFinding(_ gyro: GyroDescription) -> Finding {
    guard let driver = gyro.driver else {
      return .note("driver", isLocal ? "not named by sysfs" : "on the remote machine")
    }
    let module = device?.module.map { ", module \($0)" } ?? ", built into the kernel"
    return .ok("driver", driver + module)
  }

  // MARK: - Properties of the gyroscope

  private func scaleFinding(_ gyro: GyroDescription) -> Finding {
    guard let scale = gyro.scale else {
      if gyro.interface == .evdev, !gyro.access.node {
        return .note("scale", "known to those who may read it")
      }
      return .fail(
        "scale", "the driver reports none, so the values have no unit",
        fix: "use another gyroscope (--device), or a kernel whose driver reports a scale")
    }
    return .ok(
      "scale",
      "\(SettingText.text(scale)) rad/s"
        + (gyro.offset == 0 ? "" : " after an offset of \(SettingText.text(gyro.offset))"))
  }

  private func matrixFinding(_ gyro: GyroDescription) -> Finding {
    if let own = configuration.motion.mountMatrix {
      return .ok("matrix", "\(own.text), from the configuration")
    }
    switch gyro.mountMatrix {
    case .rotation(let matrix): return .ok("matrix", matrix.text)
    case .absent:
      return .note(
        "matrix",
        "none: the sensor's axes count as the device's; if the picture moves the wrong way, "
          + "run 'parallax doctor --calibrate'")
    case .refused(let text, let why):
      return .warn(
        "matrix", "'\(text)' is ignored: \(why)",
        fix: "run 'parallax doctor --calibrate' and set motion.mount-matrix")
    }
  }

  private func triggerFinding(_ gyro: GyroDescription) -> Finding {
    guard gyro.hasBuffer else {
      return .warn(
        "trigger", "the driver has no buffer: the axes are polled, which is less regular")
    }
    return switch gyro.trigger {
    case .current(let name): .ok("trigger", name)
    case .own(let name): .ok("trigger", "\(name), set when streaming starts")
    case .notNeeded: .ok("trigger", "not needed")
    case .none:
      .warn(
        "trigger",
        "none (usually its interrupt line is not wired): the axes are polled, which is less regular"
      )
    }
  }

  private func rateFinding(_ gyro: GyroDescription) -> Finding {
    if gyro.interface == .evdev { return .ok("rate", "its own, which cannot be changed") }
    let now = gyro.rate.map { "\(SettingText.text($0)) Hz now" } ?? "none set now"
    var request = GyroRequest(
      frameRate: configuration.motion.frameRate, oversample: configuration.sampling.oversample)
    guard let wanted = request.requestedRateHertz(isStreaming: gyro.reading == .buffered) else {
      return .ok("rate", "\(now); kept, since sampling.rate is \"native\"")
    }
    // More than one sample per frame is better, but not needed unless the configuration says so.
    request.oversample = request.oversample ?? 1
    let needed = request.requestedRateHertz(isStreaming: false) ?? wanted
    let rate = RateChoice.rate(atLeast: wanted, from: gyro.availableRates)
    let text =
      "\(now); \(SettingText.text(needed)) Hz needed, \(SettingText.text(rate)) Hz will be requested"
    if rate < needed * 0.98 {
      return .warn(
        "rate", "\(text): it has no higher rate", fix: "lower sampling.rate or sampling.oversample")
    }
    return .ok("rate", text)
  }
}
