import ParallaxClient
import ParallaxMotion
import ParallaxTrace

/// The daemon's RECORD on its control socket: ACK with the header, then a SAMPLE for each kept
/// sample. The daemon keeps its sensor on as long as this lives.
final class DaemonRecording: RecordingSource {
  private var connection: LineConnection
  private let decoder = AnswerDecoder()
  private var isBegun = false
  private var lastTime = Int64.min

  /// Classes that have to be readable: without them a sample or the end would be missing.
  private static let needed = ["ACK", "SAMPLE", "ERROR", "DEVICE"]

  /// Connects to the first of the paths that answers.
  init(toFirstOf paths: [String]) throws(ParallaxError) {
    connection = try LineConnection(toFirstOf: paths)
  }

  var descriptor: Int32 { connection.descriptor }

  /// The daemon says when nothing comes any more.
  var deadlineNanoseconds: Int64? { nil }

  /// It has ended with the connection.
  func stop() {}

  func start(atNanoseconds now: Int64) throws(CommandFailure) {
    do {
      try connection.send(ControlRequest.record.line(tag: .integer(1)))
    } catch .closed {
      // Whoever is refused is told so and cut off before we speak: that is read next.
    } catch {
      throw CommandFailure(error)
    }
  }

  func next(atNanoseconds now: Int64) throws(CommandFailure) -> RecordingEvent? {
    while true {
      let arrival: LineConnection.Arrival
      do {
        arrival = try connection.nextLine()
      } catch {
        throw CommandFailure(error)
      }
      switch arrival {
      case .none: return nil
      case .end: throw CommandFailure(ParallaxError.closed)
      case .line(let line):
        if let event = try event(of: line) { return event }
      }
    }
  }

  /// What a line means here; nil where nothing, as for classes of later releases.
  private func event(of line: ArraySlice<UInt8>) throws(CommandFailure) -> RecordingEvent? {
    guard let answer = decoder.answer(line) else {
      let name = LineClass.name(of: line)
      guard !name.isEmpty, !Self.needed.contains(name) else { throw Self.malformed }
      return nil
    }
    switch answer {
    case .ack(let ack, _):
      guard !isBegun, let header = ack.header.flatMap(TraceHeader.init) else {
        throw Self.malformed
      }
      isBegun = true
      return .header(header, note: ack.note)
    case .sample(let sample):
      guard isBegun, sample.timeNanoseconds > lastTime, sample.timeNanoseconds >= 0,
        sample.rateRadPerSec.isFinite
      else { throw Self.malformed }
      lastTime = sample.timeNanoseconds
      return .sample(
        GyroSample(
          timeNanoseconds: sample.timeNanoseconds, rateRadPerSec: sample.rateRadPerSec))
    case .device(let device): return try event(of: device)
    case .error(let error, _): throw CommandFailure(error)
    case .status, .wanted, .animation: return nil
    }
  }

  private func event(of device: DeviceMessage) throws(CommandFailure) -> RecordingEvent? {
    let name = device.name.map { "'\($0)' " } ?? ""
    switch device.state {
    case .streaming: return device.reason.map { .note("the device \(name)streams: \($0)") }
    case .idle: return nil
    case .ended: return .ended(reason: "the source \(name)has ended")
    case .busy, .denied, .lost, .none:
      // The daemon goes on trying. A recording is of one run of the sensor: behind a loss the
      // picture fades in anew, and it may be another sensor that comes.
      throw CommandFailure(
        .unavailable,
        "the device \(name)is \(device.state.rawValue)" + (device.reason.map { ": \($0)" } ?? ""))
    }
  }

  private static let malformed = CommandFailure(ParallaxError.malformed)
}

extension TraceHeader {
  /// nil where the daemon's words are none of a header's.
  fileprivate init?(_ header: RecordingHeader) {
    if let hertz = header.rateHertz, !(hertz > 0 && hertz.isFinite) { return nil }
    self.init(
      device: header.device, rateHertz: header.rateHertz, orientation: header.orientation)
    do {
      try take(key: "mount-matrix", value: header.mountMatrix)
      try take(key: "bias", value: header.bias)
    } catch {
      return nil
    }
  }
}
