import ParallaxMotion
package import ParallaxWire

/// RECORD: the samples themselves, without a hole, for as long as the connection lasts.
extension ControlService {
  /// Lines that a recording's reader may be behind, beyond the kernel's buffer: no sample may be
  /// left out, and 4096 of them are 10 s at 400 Hz.
  private static let recordingLimit = 4096

  package var isRecording: Bool {
    clients.contains { $0.isRecording && !$0.channel.isClosed }
  }

  func record(
    _ client: ControlClient, tag: RequestTag?, atNanoseconds now: Int64
  ) -> ControlAnswer? {
    if client.isRecording {
      return .error(
        ErrorMessage(message: "this connection records already", code: .unavailable), tag: tag)
    }
    client.recording = .waiting(tag)
    hub.startRecording()
    hub.demandChanged(atNanoseconds: now)
    beginRecordings(atNanoseconds: now)
    return nil
  }

  /// Whoever records hears what became of the source: samples may stop for now or for good.
  package func deviceChanged(atNanoseconds now: Int64) {
    for client in clients {
      guard case .running = client.recording else { continue }
      reply(.device(hub.device), to: client, atNanoseconds: now)
    }
    beginRecordings(atNanoseconds: now)
  }

  /// Begins the recordings that wait for the source, or says that there will be none.
  private func beginRecordings(atNanoseconds now: Int64) {
    for client in clients {
      guard case .waiting(let tag) = client.recording else { continue }
      switch hub.device.state {
      case .streaming:
        client.recording = .running
        client.channel.allow(waitingEvents: Self.recordingLimit)
        reply(.ack(AckMessage(header: header), tag: tag), to: client, atNanoseconds: now)
      case .idle: break
      case .busy, .denied, .lost, .none, .ended:
        client.recording = .none
        let why = hub.device.reason ?? "the source has ended"
        reply(
          .error(
            ErrorMessage(message: "nothing can be recorded: \(why)", code: .unavailable), tag: tag),
          to: client, atNanoseconds: now)
      }
    }
  }

  package func sourceWasReplaced(atNanoseconds now: Int64) {
    for client in clients where client.isRecording {
      client.channel.finish(
        ErrorMessage(
          message: "the configuration changed the source; begin another recording",
          code: .unavailable), atNanoseconds: now)
    }
  }

  package func sampleKept(_ sample: SampleMessage, atNanoseconds now: Int64) {
    for client in clients {
      guard case .running = client.recording else { continue }
      reply(.sample(sample), to: client, atNanoseconds: now)
    }
  }

  private var header: RecordingHeader {
    RecordingHeader(
      device: hub.device.name, rateHertz: hub.device.rateHertz,
      mountMatrix: hub.mountMatrix.text, orientation: hub.engine.orientation(of: .common),
      bias: hub.engine.biasState.text)
  }
}
