// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxMotion

/// Opens a gyroscope: through its buffer if possible, else for polling.
///
/// Everything here waits for drivers, so it runs on a thread that may block.
package enum GyroOpener {
  /// Finds the requested gyroscope and opens it.
  package static func open(_ request: GyroRequest) throws(DeviceError) -> OpenedGyro {
    let found = try GyroFinder.find(request.interface, uri: request.uri)
    var all = found.gyroscopes
    // A controller without permission must not replace the synthetic motion of `auto`.
    if request.interface == nil { all.removeAll { $0.interface == .evdev && !$0.access.node } }
    let description = all[try GyroChoice.choose(from: all, named: request.name).index]
    if description.interface == .evdev { return try open(inputDevice: description) }
    guard let device = found.context?.devices.first(where: { $0.id == description.id }) else {
      throw .lost("\(description.name) was unplugged")
    }
    guard let scale = description.scale else {
      throw .denied(
        "the driver of \(description.name) reports no scale, so its values have no unit; use another gyroscope"
      )
    }
    let opening = Opening(
      device: device, description: description, request: request,
      scale: RawScale(offset: description.offset, scale: scale))
    return try opening.open()
  }

  private static func open(
    inputDevice description: GyroDescription
  ) throws(DeviceError) -> OpenedGyro {
    awaitRules(of: description.node)
    do throws(DriverError) {
      let gyro = try EvdevGyro(node: description.node, model: description.model)
      let matrix: MountMatrix? =
        if case .rotation(let matrix) = description.mountMatrix { matrix } else { nil }
      return OpenedGyro(
        facts: GyroFacts(
          id: description.id, interface: .evdev, name: description.name,
          place: description.place, mountMatrix: matrix, clock: gyro.clock,
          isHandheld: description.model?.isScreen != true),
        transport: .streaming(gyro))
    } catch {
      switch error.number {
      case EACCES, EPERM:
        throw .denied(
          "this user has no permission to read \(description.name) (\(description.node)); "
            + "'parallax doctor' shows the fix")
      case ENOENT, ENODEV: throw .lost("\(description.name) was unplugged")
      default: throw .lost("\(description.name) cannot be opened: \(error)")
      }
    }
  }
}

extension GyroOpener {
  /// The age from which a node has the permissions that udev's rules give it.
  private static let settledSeconds = 2
  private static let stepMicroseconds: UInt32 = 50_000

  /// Waits until a new node may be read: udev's rules come after the kernel's node.
  private static func awaitRules(of node: String) {
    var status = stat()
    while access(node, R_OK) != 0, errno == EACCES, stat(node, &status) == 0,
      time(nil) - status.st_ctim.tv_sec < settledSeconds
    { usleep(stepMicroseconds) }
  }
}

/// The steps of opening one gyroscope.
private struct Opening {
  let device: IIODevice
  let description: GyroDescription
  let request: GyroRequest
  let scale: RawScale

  private var isLocal: Bool { device.context.isLocal }
  private var node: String { "/dev/\(device.id)" }

  func open() throws(DeviceError) -> OpenedGyro {
    if let reason = reasonToPoll {
      return try poll(because: reason)
    }
    do throws(DriverError) {
      return try stream()
    } catch {
      switch error.number {
      case EBUSY: throw busy
      case EACCES, EPERM: return try poll(because: noAccess)
      case EINVAL, ENODEV, ENOENT, ENOSYS, EOPNOTSUPP, EIO:
        // If the buffer was not the cause, reading the values shows the error.
        return try poll(because: "polled: its buffer cannot be used (\(error))")
      default: throw .lost("\(description.name) cannot be opened: \(error)")
      }
    }
  }

  // MARK: - Streaming

  /// Why its buffer is not usable; nil: it may be.
  private var reasonToPoll: String? {
    guard description.hasBuffer else { return "polled: \(description.name) has no buffer" }
    if description.trigger == .none {
      return
        "polled: \(description.name) has no usable trigger (usually its interrupt line is not wired)"
    }
    return nil
  }

  private var noAccess: String {
    "polled: no permission to use the buffer of \(isLocal ? node : description.name); "
      + "'parallax doctor' shows the fix"
  }

  private var busy: DeviceError {
    .busy(
      "another program streams from \(description.name) (\(device.id)); 'parallax doctor' shows which"
    )
  }

  private func stream() throws(DriverError) -> OpenedGyro {
    try checkNode()
    let rate = setRate(isStreaming: true)
    let clock = setClock()
    if case .own(let name) = description.trigger {
      guard let trigger = device.context.devices.first(where: { $0.isTrigger && $0.name == name })
      else { throw DriverError(number: EINVAL, action: "finding the trigger \(name)") }
      try device.set(trigger: trigger)
    }
    let (gyro, accelerometer) = try streamingGyro(rateHertz: rate)
    var facts = facts(
      rateHertz: rate, clock: clock, pollingReason: nil, accelerometer: accelerometer)
    if !gyro.hasTimestamps {
      facts.clock = .reading("the device sends no timestamps")
    }
    guard isLocal else { return OpenedGyro(facts: facts, transport: .remote(gyro)) }
    do throws(DriverError) {
      try gyro.setNonblocking()
    } catch {
      gyro.close()
      throw error
    }
    return OpenedGyro(facts: facts, transport: .streaming(gyro))
  }

  private func streamingGyro(
    rateHertz: Double?
  ) throws(DriverError) -> (StreamingGyro, AccelUse) {
    guard let accelerometer = description.accelerometer else {
      return (try StreamingGyro(device, scale: scale, accelScale: nil), .elsewhere)
    }
    if request.readsAccelerometer {
      align(accelerometerTo: rateHertz)
      let accelScale = RawScale(offset: accelerometer.offset, scale: accelerometer.scale)
      do throws(DriverError) {
        return (
          try StreamingGyro(device, scale: scale, accelScale: accelScale),
          .readAlong(matrix: accelerometer.matrix)
        )
      } catch {
        // The driver may not support both in one scan. Other errors would come again.
        guard [EINVAL, EIO, ENOSPC].contains(error.number) else { throw error }
      }
    }
    return (try StreamingGyro(device, scale: scale, accelScale: nil), .conflicting)
  }

  /// Sets the accelerometer to the same rate: one with its own rate, as bmi160's, would fire the
  /// trigger at that.
  private func align(accelerometerTo hertz: Double?) {
    let name = "sampling_frequency"
    guard let hertz, let axis = device.channel(AccelDescription.axes[0]), axis.hasAttribute(name)
    else { return }
    let rates = (try? axis.read("sampling_frequency_available")).map { RateList(parsing: $0) }
    // If this fails, there are more scans than needed, which does no harm.
    try? axis.write(
      name, SettingText.text(RateChoice.rate(atLeast: hertz, from: rates ?? .unknown)))
  }

  /// Checks that the device node is available. libiio would stop another program's stream before it
  /// found the device busy.
  private func checkNode() throws(DriverError) {
    guard isLocal else { return }
    let descriptor = Glibc.open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("opening \(node)") }
    close(descriptor)
  }

  /// Requests the rate and reads back what was granted, Hz; nil: the device states none.
  ///
  /// This comes first: at its default rate, a device may state 0 or hang.
  private func setRate(isStreaming: Bool) -> Double? {
    let requested =
      request.requestedRateHertz(isStreaming: isStreaming)
      ?? (description.rate == nil ? request.frameRate.timeRuleHertz : nil)
    if let requested {
      let rate = RateChoice.rate(atLeast: requested, from: description.availableRates)
      // If the driver or this user's permissions do not allow it, the rate stays as it is.
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
    guard isLocal else { return .foreign("its timestamps are from another machine's clock") }
    let name = "current_timestamp_clock"
    try? device.write(name, "monotonic")
    if description.hasDeviceTimestamps {
      return .foreign("its timestamps are from the sensor's own clock")
    }
    guard let clock = try? device.read(name) else {
      return .foreign("its timestamps are from a clock that the driver does not name")
    }
    return clock == "monotonic"
      ? .monotonic : .foreign("its timestamps are from the clock \(clock)")
  }

  // MARK: - Polling

  private func poll(because reason: String) throws(DeviceError) -> OpenedGyro {
    // Another program that streams from the accelerometer in the same device would block these
    // readings. Reading the accelerometer here makes that unnecessary.
    let accelerometer = description.canStream ? description.accelerometer : nil
    let accelScale =
      request.readsAccelerometer
      ? accelerometer.map { RawScale(offset: $0.offset, scale: $0.scale) } : nil
    guard let gyro = PolledGyro(device, scale: scale, accelScale: accelScale) else {
      throw .none("\(description.name) does not have all three axes")
    }
    let ownHertz = setRate(isStreaming: false)
    do throws(DriverError) {
      _ = try gyro.read()
    } catch {
      throw deviceError(error)
    }
    let rate =
      request.requestedRateHertz(isStreaming: false) ?? ownHertz
      ?? request.frameRate.timeRuleHertz
    let facts = facts(
      // Each reading costs three requests, and faster ones are not visible.
      rateHertz: min(rate, Self.maxPollingHertz),
      clock: .reading("it is polled, so its values have no timestamps"), pollingReason: reason,
      accelerometer: accelerometer.map {
        accelScale == nil ? .conflicting : .readAlong(matrix: $0.matrix)
      } ?? .elsewhere)
    return OpenedGyro(facts: facts, transport: .polled(gyro))
  }

  private static let maxPollingHertz = 200.0

  private func deviceError(_ error: DriverError) -> DeviceError {
    switch error.number {
    case EACCES, EPERM:
      .denied(
        "this user has no permission to read \(description.name) (\(device.id)); "
          + "'parallax doctor' shows the fix")
    case EBUSY: busy
    case ENOENT, ENODEV: .lost("\(description.name) was unplugged")
    default: .lost("\(description.name) does not answer: \(error)")
    }
  }

  // MARK: - Facts

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
      id: description.id, name: description.name, place: description.place,
      rateHertz: rateHertz, mountMatrix: matrix, clock: clock, pollingReason: pollingReason,
      warnings: warnings, accelerometer: accelerometer)
  }
}
