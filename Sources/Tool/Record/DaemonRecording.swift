// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxClient
import ParallaxGates
import ParallaxMotion
import ParallaxTrace

/// RECORD on the daemon's control socket: ACK with the header, then a SAMPLE for each kept sample.
///
/// The daemon keeps its sensor running as long as the connection lasts.
final class DaemonRecording: RecordingSource {
  private var connection: LineConnection
  private var hasHeader = false
  private var lastTime = MotionInstant.distantPast
  private var isPaused = false

  /// Classes that must be readable: without one of them, a sample or the end would be missing.
  private static let requiredClasses = ["ACK", "SAMPLE", "ERROR", "DEVICE"]

  /// Connects to the first of the paths at which a daemon answers.
  init(toFirstOf paths: [String]) throws(ParallaxError) {
    connection = try LineConnection(toFirstOf: paths)
  }

  /// The path of the socket that answered.
  var path: String { connection.path }

  var descriptor: Int32 { connection.descriptor }

  /// nil: the daemon reports when no more samples come.
  var deadline: MotionInstant? { nil }

  /// Does nothing: the recording ends with the connection.
  func stop() {}

  func start(at now: MotionInstant) throws(CommandFailure) {
    connection.send(.record)
  }

  func next(at now: MotionInstant) throws(CommandFailure) -> RecordingEvent? {
    while let arrival = connection.next(at: now) {
      switch arrival {
      case .line(let line):
        if let event = try event(of: line) { return event }
      case .lost(let error), .ended(let error?): throw CommandFailure(error)
      case .connecting, .connected, .ended(nil): break
      }
    }
    return nil
  }

  /// Returns the event of a line; nil for lines without one, as classes of later releases.
  private func event(of line: ArraySlice<UInt8>) throws(CommandFailure) -> RecordingEvent? {
    guard let answer = ControlAnswer(line: line) else {
      let name = LineClass.name(of: line)
      guard !name.isEmpty, !Self.requiredClasses.contains(name) else { throw Self.malformed }
      return nil
    }
    switch answer {
    case .ack(let ack, _):
      guard !hasHeader, let header = ack.header.flatMap(TraceHeader.init) else {
        throw Self.malformed
      }
      hasHeader = true
      return .header(header, note: ack.note)
    case .sample(let sample):
      guard hasHeader, sample.time > lastTime, sample.time >= .zero,
        sample.rateRadPerSec.isFinite
      else { throw Self.malformed }
      lastTime = sample.time
      return .sample(GyroSample(time: sample.time, rateRadPerSec: sample.rateRadPerSec))
    case .device(let device): return try event(of: device)
    case .gate(let gate): return event(of: gate)
    case .error(let error, _): throw CommandFailure(error)
    case .status, .wanted, .animation: return nil
    }
  }

  private func event(of gate: GateMessage) -> RecordingEvent? {
    // DEVICE reports what is wrong with the source.
    let reasons = gate.reasons.filter { GateReason(rawValue: $0)?.kind != .device }
    if gate.open {
      defer { isPaused = false }
      return isPaused ? .resumed : nil
    }
    guard !reasons.isEmpty else { return nil }
    isPaused = true
    return .paused(reasons: reasons)
  }

  private func event(of device: DeviceMessage) throws(CommandFailure) -> RecordingEvent? {
    let name = device.name.map { "'\($0)' " } ?? ""
    switch device.state {
    case .streaming: return device.reason.map { .note("the device \(name)streams: \($0)") }
    case .idle: return nil
    case .ended: return .ended(reason: "the source \(name)has ended")
    case .busy, .denied, .lost, .none:
      // The daemon keeps trying, but a recording is of one run of one sensor: after a loss the motion
      // fades in again, and another sensor may take over.
      let reason = device.reason.map { ": \($0)" } ?? ""
      throw CommandFailure(
        .unavailable, "the device \(name)is \(device.state.rawValue)\(reason)")
    }
  }

  private static let malformed = CommandFailure(ParallaxError.malformed)
}

extension TraceHeader {
  /// Creates a header from the daemon's; nil if a value is invalid.
  fileprivate init?(_ header: RecordingHeader) {
    if let hertz = header.rateHertz, !(hertz > 0 && hertz.isFinite) { return nil }
    guard let matrix = try? MountMatrix(parsing: header.mountMatrix),
      let bias = try? BiasState(parsing: header.bias)
    else { return nil }
    self.init(
      device: header.device, rateHertz: header.rateHertz, mountMatrix: matrix,
      orientation: header.orientation, bias: bias)
  }
}
