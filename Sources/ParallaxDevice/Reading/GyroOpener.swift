import Glibc
import ParallaxMotion

/// Opens a gyroscope as well as it can be: through its buffer, else by polling.
///
/// Everything here waits for drivers, so it belongs to a thread that may.
package enum GyroOpener {
  /// Finds the gyroscope that is wished for and opens it.
  package static func open(_ wish: GyroWish) throws(DeviceTrouble) -> OpenedGyro {
    let context = try GyroFinder.context(uri: wish.uri)
    let all = context.map { GyroFinder.gyroscopes(of: $0) } ?? []
    let description = all[try GyroChoice.choose(from: all, named: wish.name).index]
    guard let device = context?.devices.first(where: { $0.id == description.id }) else {
      throw .lost("\(description.name) was unplugged")
    }
    guard let scale = description.scale else {
      throw .denied(
        "\(description.name) says no scale, so its values have no unit; its driver needs one")
    }
    let opening = Opening(
      device: device, description: description, wish: wish,
      scale: RawScale(offset: description.offset, scale: scale))
    return try opening.open()
  }
}

/// One gyroscope on its way to be opened.
private struct Opening {
  let device: IIODevice
  let description: GyroDescription
  let wish: GyroWish
  let scale: RawScale

  private var isLocal: Bool { device.context.isLocal }
  private var node: String { "/dev/\(device.id)" }

  func open() throws(DeviceTrouble) -> OpenedGyro {
    if let reason = reasonToPoll {
      return try poll(because: reason)
    }
    do throws(IIOError) {
      return try stream()
    } catch {
      switch error.number {
      case EBUSY: throw busy
      case EACCES, EPERM: return try poll(because: noAccess)
      case EINVAL, ENODEV, ENOENT, ENOSYS, EOPNOTSUPP, EIO:
        // What made it fail shows when its values are asked for, if it was not the buffer.
        return try poll(because: "polled: its buffer cannot be used (\(error))")
      default: throw .lost("\(description.name) cannot be opened: \(error)")
      }
    }
  }

  // -- Streaming

  /// Why its buffer is out of the question; nil: it may work.
  private var reasonToPoll: String? {
    guard description.hasBuffer else { return "polled: \(description.name) has no buffer" }
    if description.trigger == .none {
      return "polled: \(description.name) has no usable trigger (no interrupt line, as a rule)"
    }
    return nil
  }

  private var noAccess: String {
    "polled, for want of access to the buffer of \(isLocal ? node : description.name); "
      + "'parallax doctor' tells the line that mends it"
  }

  private var busy: DeviceTrouble {
    .busy(
      "another program streams from \(description.name) (\(device.id)); 'parallax doctor' tells which"
    )
  }

  private func stream() throws(IIOError) -> OpenedGyro {
    try checkNode()
    let rate = setRate(isStreaming: true)
    let clock = setClock()
    if case .own(let name) = description.trigger {
      guard let trigger = device.context.devices.first(where: { $0.isTrigger && $0.name == name })
      else { throw IIOError(number: EINVAL, action: "finding the trigger \(name)") }
      try device.set(trigger: trigger)
    }
    let (gyro, accelerometer) = try streamingGyro(rateHertz: rate)
    var facts = facts(
      rateHertz: rate, clock: clock, pollingReason: nil, accelerometer: accelerometer)
    if !gyro.hasTimestamps {
      facts.clock = .reading("the device gives no timestamps")
    }
    guard isLocal else { return OpenedGyro(facts: facts, reader: .remote(gyro)) }
    do throws(IIOError) {
      try gyro.setNonblocking()
    } catch {
      gyro.close()
      throw error
    }
    return OpenedGyro(facts: facts, reader: .streaming(gyro))
  }

  private func streamingGyro(
    rateHertz: Double?
  ) throws(IIOError) -> (StreamingGyro, AccelUse) {
    guard let accelerometer = description.accelerometer else {
      return (try StreamingGyro(device, scale: scale, accelScale: nil), .elsewhere)
    }
    if wish.readsAccelerometer {
      align(accelerometerTo: rateHertz)
      let accelScale = RawScale(offset: accelerometer.offset, scale: accelerometer.scale)
      do throws(IIOError) {
        return (
          try StreamingGyro(device, scale: scale, accelScale: accelScale),
          .readAlong(matrix: accelerometer.matrix)
        )
      } catch {
        // A driver may not be able to hold both in a scan; the others would fail again.
        guard [EINVAL, EIO, ENOSPC].contains(error.number) else { throw error }
      }
    }
    return (try StreamingGyro(device, scale: scale, accelScale: nil), .inTheWay)
  }

  /// An accelerometer with a rate of its own, as bmi160's, would fire the trigger at it.
  private func align(accelerometerTo hertz: Double?) {
    let name = "sampling_frequency"
    guard let hertz, let axis = device.channel(AccelDescription.axes[0]), axis.hasAttribute(name)
    else { return }
    let rates = (try? axis.read("sampling_frequency_available")).map { RateList(parsing: $0) }
    // Where it cannot be set there are more scans than samples are wanted, no worse.
    try? axis.write(name, SettingText.text(RateChoice.rate(wanted: hertz, from: rates ?? .unknown)))
  }

  /// libiio stops whoever streams before it finds out that the device is taken: so it is asked first
  /// whether the node can be had.
  private func checkNode() throws(IIOError) {
    guard isLocal else { return }
    let descriptor = Glibc.open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("opening \(node)") }
    close(descriptor)
  }

  /// Asks for the rate that is wanted and reads back what was granted, Hz. A device may answer 0 at
  /// its default, or hang there: so the rate comes before everything else.
  private func setRate(isStreaming: Bool) -> Double? {
    let wanted =
      wish.wantedRateHertz(isStreaming: isStreaming)
      ?? (description.rate == nil ? wish.frameRate.timeRuleHertz : nil)
    if let wanted {
      let rate = RateChoice.rate(wanted: wanted, from: description.availableRates)
      // A driver may not let it be set, or not by this user: then it stays as it is.
      let text = SettingText.text(rate)
      if let axis = rateAxis {
        try? axis.write("sampling_frequency", text)
      } else if device.hasAttribute("sampling_frequency") {
        try? device.write("sampling_frequency", text)
      }
    }
    let answer =
      rateAxis.map { axis in try? axis.read("sampling_frequency") }
      ?? (try? device.read("sampling_frequency"))
    return answer.flatMap { $0 }.flatMap { SettingText.number($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  private var rateAxis: IIOChannel? {
    for id in GyroAttributes.axes {
      if let axis = device.channel(id), axis.hasAttribute("sampling_frequency") { return axis }
    }
    return nil
  }

  private func setClock() -> SampleClock {
    guard isLocal else { return .foreign("its timestamps are another machine's") }
    let name = "current_timestamp_clock"
    try? device.write(name, "monotonic")
    if description.hasDeviceTimestamps {
      return .foreign("its timestamps count the sensor's own time")
    }
    guard let clock = try? device.read(name) else {
      return .foreign("its timestamps are of a clock that the driver does not name")
    }
    return clock == "monotonic" ? .monotonic : .foreign("its timestamps are of the clock \(clock)")
  }

  // -- Polling

  private func poll(because reason: String) throws(DeviceTrouble) -> OpenedGyro {
    // Another program that used the buffer, for the accelerometer, would keep our values from being
    // read: so we read that one, too.
    let accelerometer = description.canStream ? description.accelerometer : nil
    let accelScale =
      wish.readsAccelerometer
      ? accelerometer.map { RawScale(offset: $0.offset, scale: $0.scale) } : nil
    guard let gyro = PolledGyro(device, scale: scale, accelScale: accelScale) else {
      throw .none("\(description.name) has not all three axes")
    }
    let own = setRate(isStreaming: false)
    do throws(IIOError) {
      _ = try gyro.read()
    } catch {
      throw trouble(of: error)
    }
    let rate = wish.wantedRateHertz(isStreaming: false) ?? own ?? wish.frameRate.timeRuleHertz
    let facts = facts(
      // No more than people can see: every reading costs three requests.
      rateHertz: min(rate, Self.fastestPollingHertz),
      clock: .reading("it is polled, so its values carry no timestamps"), pollingReason: reason,
      accelerometer: accelerometer.map {
        accelScale == nil ? .inTheWay : .readAlong(matrix: $0.matrix)
      } ?? .elsewhere)
    return OpenedGyro(facts: facts, reader: .polled(gyro))
  }

  private static let fastestPollingHertz = 200.0

  private func trouble(of error: IIOError) -> DeviceTrouble {
    switch error.number {
    case EACCES, EPERM:
      .denied(
        "\(description.name) (\(device.id)) may not be read by this user; "
          + "'parallax doctor' tells the line that mends it")
    case EBUSY: busy
    case ENOENT, ENODEV: .lost("\(description.name) was unplugged")
    default: .lost("\(description.name) does not answer: \(error)")
    }
  }

  // -- Both

  private func facts(
    rateHertz: Double?, clock: SampleClock, pollingReason: String?, accelerometer: AccelUse
  ) -> GyroFacts {
    var warnings: [String] = []
    var matrix: MountMatrix?
    switch description.mountMatrix {
    case .absent: break
    case .rotation(let rotation): matrix = rotation
    case .refused(let text, let why):
      warnings.append(
        "\(description.name): the driver's mount matrix '\(text)' is ignored: \(why); set "
          + "motion.mount-matrix, or find it with 'parallax doctor --calibrate'")
    }
    if case .readAlong = accelerometer, let warning = description.accelerometer?.warning {
      warnings.append("\(description.name): \(warning)")
    }
    return GyroFacts(
      id: description.id, name: description.name, parentPath: description.parentPath,
      rateHertz: rateHertz, mountMatrix: matrix, clock: clock, pollingReason: pollingReason,
      warnings: warnings, accelerometer: accelerometer)
  }
}
