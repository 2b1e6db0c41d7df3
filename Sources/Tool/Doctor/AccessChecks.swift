// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDevice
import ParallaxProtocol

extension DoctorFacts {
  /// Whether the daemon streams from the gyroscope, so that this user needs no access. A daemon that
  /// polls because it lacks access reports a reason.
  private var daemonStreams: Bool {
    guard case .running(let status) = daemon else { return false }
    let device = status.device
    return device.driver == chosen.gyro?.interface.rawValue && device.state == .streaming
      && device.reason == nil
  }

  /// Whether the daemon polls a gyroscope that this user could stream from.
  private var daemonPollsNeedlessly: Bool {
    guard case .running(let status) = daemon, status.device.driver == "iio",
      status.device.state == .streaming, status.device.reason != nil
    else { return false }
    return chosen.gyro?.canStream ?? false
  }

  func accessFinding(_ gyro: GyroDescription) -> Finding {
    guard isLocal else { return .ok("access", "decided by the remote machine") }
    if gyro.interface == .evdev { return inputAccessFinding(gyro) }
    let access = gyro.access
    let needsBuffer = gyro.canStream
    let lacksBuffer = needsBuffer && !(access.node && access.settings)
    guard lacksBuffer || !access.raw && !needsBuffer else {
      let what = needsBuffer ? "/dev/\(gyro.id) and its settings" : "the raw values"
      return .ok("access", "\(user.name) may use \(what)")
    }
    let (line, attachment) = AccessFix.fix(
      for: user.name, group: device?.group, rawIsRefused: !access.raw)
    var refused: [String] = []
    if needsBuffer {
      if !access.node { refused.append("/dev/\(gyro.id)") }
      let settings = access.refusedSettings
      if let first = settings.first {
        refused.append(settings.count > 1 ? "\(settings.count) settings (\(first), ...)" : first)
      }
    }
    if !access.raw { refused.append("its raw values") }
    let text = "\(user.name) may not use \(refused.joined(separator: " and "))"
    if daemonStreams { return .note("access", text + ", but the daemon does") }
    if access.raw {
      return Finding(
        check: "access", level: .warn,
        text: text + ": it is polled instead of streaming, which is less regular", fix: line,
        attachment: attachment)
    }
    return Finding(
      check: "access", level: .fail, text: text, fix: line, isPermission: true,
      attachment: attachment)
  }

  private func inputAccessFinding(_ gyro: GyroDescription) -> Finding {
    guard !gyro.access.node else { return .ok("access", "\(user.name) may read \(gyro.node)") }
    let text = "\(user.name) may not read \(gyro.node)"
    if daemonStreams { return .note("access", text + ", but the daemon does") }
    let (line, attachment) = AccessFix.inputFix(for: user.name, group: device?.group)
    return Finding(
      check: "access", level: .fail, text: text, fix: line, isPermission: true,
      attachment: attachment)
  }

  /// How long one reading takes, for a gyroscope that can only be polled.
  func readingFindings(_ gyro: GyroDescription) -> [Finding] {
    guard gyro.reading == .polled, let device else { return [] }
    switch device.timing {
    case .notTried: return []
    case .took(let milliseconds):
      let text =
        "reading three axes takes \(SettingText.text((milliseconds * 10).rounded() / 10)) ms"
      // At 30 Hz a reading has 33 ms.
      return [
        milliseconds <= 30
          ? .ok("polling", text)
          : .warn(
            "polling", "\(text): fewer than 30 readings per second", fix: "lower sampling.rate")
      ]
    case .failed(let why):
      return [
        .fail(
          "polling", "the raw values cannot be read: \(why)", fix: "unplug it and plug it in again")
      ]
    case .silent(let seconds):
      return [
        .fail(
          "polling", "it does not answer: no value within \(seconds) s",
          fix: "unplug it and plug it in again, or reload its driver"
            + (device.module.map { ": sudo modprobe -r \($0) && sudo modprobe \($0)" } ?? ""))
      ]
    }
  }

  func holderFindings(_ gyro: GyroDescription) -> [Finding] {
    guard let device, gyro.canStream, gyro.interface == .iio else { return [] }
    func text(_ holder: Holder) -> String { "\(holder.program) (process \(holder.process))" }
    if let other = device.holders.first(where: { $0.program != "parallaxd" }) {
      return [
        .fail("held by", "\(text(other)): only one program can stream", fix: "end \(text(other))")
      ]
    }
    if let daemon = device.holders.first { return [.ok("held by", text(daemon))] }
    if !device.bufferIsOn {
      return [
        .ok("held by", device.seesEveryProcess ? "no program" : "no program that this user can see")
      ]
    }
    if daemonStreams { return [.ok("held by", "the daemon")] }
    if device.seesEveryProcess {
      return [
        .note(
          "held by",
          "no program; a killed program left its buffer on, which is harmless")
      ]
    }
    return [
      .warn(
        "held by", "its buffer is on, but this user cannot see other users' programs",
        fix: "'sudo parallax doctor' shows the program")
    ]
  }

  // MARK: - The daemon and its sockets

  var daemonFindings: [Finding] {
    switch daemon {
    case .absent:
      return [.note("daemon", "not running at \(stream.path); 'parallax run' starts it")]
    case .silent(let seconds):
      return [
        .fail("daemon", "no answer for \(seconds) s", fix: "restart it")
      ]
    case .refused(let message):
      var finding = Finding.fail(
        "daemon", message, fix: "log in on the device itself, or join the daemon's group")
      finding.isPermission = true
      return [finding]
    case .running(let status):
      return [daemonFinding(status), streamFinding]
    }
  }

  private func daemonFinding(_ status: StatusMessage) -> Finding {
    let source = status.device
    let reason = source.reason.map { ": \($0)" } ?? ""
    let text = "release \(status.release), \(source.sourceText), \(source.state.rawValue)\(reason)"
    switch source.state {
    case .streaming where daemonPollsNeedlessly:
      return .warn(
        "daemon", text,
        fix: "run 'parallax doctor' as the daemon's user, which may not use the buffer")
    case .streaming, .idle: return .ok("daemon", text)
    case .ended: return .note("daemon", text)
    case .none where source.driver == GyroInterface.feed.rawValue: return .note("daemon", text)
    case .denied:
      var finding = Finding.fail(
        "daemon", text, fix: "give the daemon's user access, as described under 'access'")
      finding.isPermission = true
      return finding
    case .none, .lost, .busy:
      return .fail(
        "daemon", text, fix: "fix the problem that it reports; the daemon then tries again")
    }
  }

  private var streamFinding: Finding {
    switch stream.outcome {
    case .greeted: return .ok("sockets", stream.path)
    case .refused(let message):
      var finding = Finding.fail(
        "sockets", "\(stream.path): \(message)",
        fix: "log in on the device itself, or join the daemon's group")
      finding.isPermission = true
      return finding
    case .absent(let why):
      return .fail("sockets", "\(stream.path): \(why)", fix: "restart the daemon")
    case .silent(let seconds):
      return .fail(
        "sockets", "\(stream.path): no greeting for \(seconds) s", fix: "restart the daemon")
    }
  }
}
