// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxProtocol

/// RECORD: sends every sample for as long as the connection lasts, except while the gate is closed for
/// its user.
extension ControlService {
  /// Lines that may wait for the reader of a recording, beyond the kernel's buffer: 4096 samples are
  /// 10 s at 400 Hz, and none may be lost.
  private static let recordingLimit = 4096
  /// The size of those lines: a SAMPLE has at most 120 bytes.
  private static let recordingByteLimit = 512 << 10

  /// What the recordings together need.
  package var demand: SourceStateMachine.Demand {
    var demand = SourceStateMachine.Demand.noSubscriber
    guard recordings > 0 else { return demand }
    for client in clients where client.isRecording && !client.channel.isClosed {
      demand = max(demand, client.isRecordingOpen ? .needed : .gated)
    }
    return demand
  }

  func record(
    _ client: ControlSession, tag: RequestTag?, at now: MotionInstant
  ) -> ControlAnswer? {
    if client.isRecording {
      return .error(
        ErrorMessage(message: "this connection is already recording", code: .unavailable), tag: tag)
    }
    client.recording = .waiting(tag)
    let user = hub.enter(uid: client.peer.userID)
    client.recordingUser = user
    hub.engine.startRecording()
    hub.update(at: now)
    client.wasRecordingOpen = user.isOpen
    if !user.isOpen { reply(.gate(user.gate), to: client, at: now) }
    beginRecordings(at: now)
    // One that finds no device has ended, and needs the source no longer.
    if !client.isRecording { hub.update(at: now) }
    return nil
  }

  /// Takes note that a client records no more.
  func endRecording(of client: ControlSession) {
    client.recording = .none
    if let user = client.recordingUser { hub.leave(user) }
    client.recordingUser = nil
  }

  /// Sends GATE to the user's recordings when they pause or go on, and to those whose animation plays.
  /// DEVICE reports what is wrong with the source.
  func gateChanged(of user: UserState, at now: MotionInstant) {
    for client in clients {
      let isRecordingChanged =
        client.recordingUser === user && client.wasRecordingOpen != user.isOpen
      if isRecordingChanged { client.wasRecordingOpen = user.isOpen }
      guard isRecordingChanged || client.playUser === user else { continue }
      reply(.gate(user.gate), to: client, at: now)
    }
  }

  /// Sends DEVICE to the recordings, since samples may have stopped for now or for good, and to the feed,
  /// whose samples may be needed or not.
  func deviceChanged(at now: MotionInstant) {
    for client in clients {
      if case .running(let driver, let name) = client.recording {
        guard
          hub.device.state != .streaming || (driver, name) == (hub.device.driver, hub.device.name)
        else {
          client.channel.finish(
            ErrorMessage(
              message: "the source has changed; start a new recording", code: .unavailable),
            at: now)
          continue
        }
      } else if !client.isFeeding {
        continue
      }
      reply(.device(hub.device), to: client, at: now)
    }
    beginRecordings(at: now)
  }

  /// Begins the recordings that wait for the source, or reports that it does not stream.
  private func beginRecordings(at now: MotionInstant) {
    for client in clients {
      guard case .waiting(let tag) = client.recording else { continue }
      switch hub.device.state {
      case .streaming:
        client.recording = .running(driver: hub.device.driver, name: hub.device.name)
        client.channel.setLimits(events: Self.recordingLimit, bytes: Self.recordingByteLimit)
        reply(.ack(AckMessage(header: header), tag: tag), to: client, at: now)
      case .idle: break
      case .busy, .denied, .lost, .none, .ended:
        endRecording(of: client)
        let why = hub.device.reason ?? "the source has ended"
        reply(
          .error(
            ErrorMessage(message: "cannot record: \(why)", code: .unavailable), tag: tag),
          to: client, at: now)
      }
    }
  }

  func sourceWasReplaced(at now: MotionInstant) {
    for client in clients where client.isRecording {
      client.channel.finish(
        ErrorMessage(
          message: "the configuration changed the source; start a new recording",
          code: .unavailable), at: now)
    }
    endUnreadFeed(at: now)
  }

  func sampleKept(_ sample: SampleMessage, at now: MotionInstant) {
    guard recordings > 0 else { return }
    for client in clients {
      guard case .running = client.recording, client.isRecordingOpen else { continue }
      reply(.sample(sample), to: client, at: now)
    }
  }

  private var header: RecordingHeader {
    RecordingHeader(
      device: hub.device.name, rateHertz: hub.device.rateHertz,
      mountMatrix: hub.source.mountMatrix.text(number: \.description),
      orientation: hub.engine.orientation(of: .common),
      bias: hub.engine.biasState.text(number: \.description))
  }
}
