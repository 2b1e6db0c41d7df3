import ParallaxConfig
import ParallaxDevice

extension DoctorFacts {
  /// Everything that was found, in the order in which things depend on each other.
  var diagnosis: Diagnosis {
    var findings: [Finding] = sourceFindings
    findings.append(libraryFinding)
    guard case .success = library else { return Diagnosis(findings: findings + lastFindings) }
    if isLocal { findings.append(kernelFinding) }
    let (gyro, finding) = chosen
    findings.append(finding)
    if let gyro {
      findings += [
        driverFinding(gyro), scaleFinding(gyro), matrixFinding(gyro), triggerFinding(gyro),
        rateFinding(gyro), accessFinding(gyro),
      ]
      findings += readingFindings(gyro) + holderFindings(gyro)
    }
    return Diagnosis(findings: findings + lastFindings)
  }

  /// What no gyroscope is needed for.
  private var lastFindings: [Finding] { daemonFindings + sessionFindings }

  /// The gyroscope that is used.
  var chosen: (gyro: GyroDescription?, finding: Finding) {
    let check = "device"
    switch search {
    case .failed(let trouble):
      return (
        nil, .fail(check, trouble.reason, mend: "correct --uri or the configuration's source.uri")
      )
    case .silent(let seconds):
      return (
        nil,
        .fail(
          check, "a driver has not answered for \(seconds) s",
          mend: "unplug the sensor or unload its driver, and plug it in or load it again")
      )
    case .found(let found):
      do throws(DeviceTrouble) {
        let choice = try GyroChoice.choose(from: found, named: configuration.source.device)
        let gyro = found[choice.index]
        let count = found.count > 1 ? " of \(found.count) gyroscopes" : ""
        return (gyro, .ok(check, "\(gyro.name) (\(gyro.id))\(count): \(choice.reason)"))
      } catch {
        return (nil, noDevice(error, isEmpty: found.isEmpty))
      }
    }
  }

  private func noDevice(_ trouble: DeviceTrouble, isEmpty: Bool) -> Finding {
    guard isEmpty else {
      return .fail(
        "device", trouble.reason, mend: "correct --device or the configuration's source.device")
    }
    let others =
      kernel.otherDevices.isEmpty
      ? "" : ", only \(kernel.otherDevices.joined(separator: ", "))"
    return .fail(
      "device", "there is no gyroscope with three axes\(others)",
      mend: loadModule ?? "plug one in or load its driver; without one, "
        + "'parallax run --source synthetic' moves by itself")
  }

  private var loadModule: String? {
    kernel.driverless.first.map { "sudo modprobe \($0.module)" }
  }

  var isLocal: Bool { configuration.source.uri.map { $0 == "local:" } ?? true }

  // -- What has to be there

  private var sourceFindings: [Finding] {
    switch configuration.source.kind {
    case .iio, .automatic: []
    case .trace, .synthetic:
      [
        .warn(
          "source", "the configuration plays \(configuration.source.kind.text), no gyroscope",
          mend: "set source.kind to \"iio\"")
      ]
    }
  }

  private var libraryFinding: Finding {
    switch library {
    case .success(let version): .ok("libiio", version)
    case .failure(let trouble): .fail("libiio", trouble.reason, mend: "sudo apt install libiio0")
    }
  }

  private var kernelFinding: Finding {
    let missing = kernel.driverless.map { "\($0.device) has no driver" }
    if !missing.isEmpty {
      return .warn("kernel", missing.joined(separator: ", "), mend: loadModule)
    }
    // Without one the check of the device says what to do.
    return .ok("kernel", kernel.hasIIO ? "has IIO" : "no driver of an IIO device is loaded")
  }

  private func driverFinding(_ gyro: GyroDescription) -> Finding {
    guard let driver = gyro.driver else {
      return .ok("driver", isLocal ? "not named by sysfs" : "the other side's")
    }
    let module = device?.module.map { ", module \($0)" } ?? ", built into the kernel"
    return .ok("driver", driver + module)
  }

  // -- What the driver says

  private func scaleFinding(_ gyro: GyroDescription) -> Finding {
    guard let scale = gyro.scale else {
      return .fail(
        "scale", "the driver says none, so its values have no unit",
        mend: "use another gyroscope (--device), or a kernel whose driver has a scale")
    }
    return .ok(
      "scale",
      "\(GyroText.number(scale)) rad/s"
        + (gyro.offset == 0 ? "" : " behind an offset of \(GyroText.number(gyro.offset))"))
  }

  private func matrixFinding(_ gyro: GyroDescription) -> Finding {
    if let own = configuration.motion.mountMatrix {
      return .ok("matrix", "\(GyroText.matrix(own)), from the configuration")
    }
    switch gyro.mountMatrix {
    case .rotation(let matrix): return .ok("matrix", GyroText.matrix(matrix))
    case .absent:
      return .ok(
        "matrix",
        "none: the sensor's axes are taken for the device's; if the picture moves the wrong way, "
          + "'parallax doctor --calibrate' finds it")
    case .refused(let text, let why):
      return .warn(
        "matrix", "'\(text)' is ignored: \(why)",
        mend: "run 'parallax doctor --calibrate' and set motion.mount-matrix")
    }
  }

  private func triggerFinding(_ gyro: GyroDescription) -> Finding {
    guard gyro.hasBuffer else {
      return .warn("trigger", "the driver has no buffer: the axes are polled, less evenly")
    }
    return switch gyro.trigger {
    case .current(let name): .ok("trigger", name)
    case .own(let name): .ok("trigger", "\(name), set when streaming begins")
    case .notNeeded: .ok("trigger", "not needed")
    case .none:
      .warn(
        "trigger",
        "none (its interrupt line is not wired, as a rule): the axes are polled, less evenly")
    }
  }

  private func rateFinding(_ gyro: GyroDescription) -> Finding {
    let now = gyro.rate.map { "\(GyroText.number($0)) Hz now" } ?? "none set now"
    guard let wanted = wantedRateHertz(isBuffered: gyro.reading == .buffered) else {
      return .ok("rate", "\(now); kept, since sampling.rate is \"native\"")
    }
    let rate = RateChoice.rate(wanted: wanted, from: gyro.availableRates)
    let text =
      "\(now); \(GyroText.number(wanted)) Hz wanted, \(GyroText.number(rate)) Hz will be asked for"
    if rate < wanted * 0.98 {
      return .warn(
        "rate", "\(text): it has no more", mend: "lower sampling.rate or sampling.oversample")
    }
    return .ok("rate", text)
  }

  /// Hz; nil: the device's own.
  private func wantedRateHertz(isBuffered: Bool) -> Double? {
    GyroWish(
      frameRate: configuration.motion.frameRate, oversample: configuration.sampling.oversample,
      mode: configuration.motion.mode
    ).wantedRateHertz(isStreaming: isBuffered)
  }
}
