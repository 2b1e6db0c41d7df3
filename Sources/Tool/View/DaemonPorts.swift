// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxClient
import ParallaxProtocol

/// The connections of a view: the stream, the control socket, and a recording for the raw rates.
final class DaemonPorts {
  private let streamPaths: [String]
  private let controlPaths: [String]
  private(set) var stream: LinePort?
  private(set) var control: LinePort?
  private(set) var recording: LinePort?

  private let wantsRates: Bool

  /// - Parameter wantsRates: Whether to record the raw rates, if the daemon permits that.
  init(streamPaths: [String], controlPaths: [String], wantsRates: Bool = true) {
    self.wantsRates = wantsRates
    self.streamPaths = streamPaths
    self.controlPaths = controlPaths
  }

  var isConnected: Bool { stream != nil }

  /// Connects to the stream, and to the control socket if that works.
  func connect(_ model: inout WatchModel) throws(ParallaxError) {
    close()
    let stream = try LinePort(toFirstOf: streamPaths)
    // At rest no lines come, and the view sleeps.
    try stream.send(WatchMessage(onChange: .anyChange))
    self.stream = stream
    do {
      control = try LinePort(toFirstOf: controlPaths)
      guard wantsRates else { return }
      recording = try LinePort(toFirstOf: controlPaths)
      try recording?.send(.record)
    } catch {
      model.ratesRefused("no control socket: \(error)")
      recording = nil
    }
  }

  func close() {
    stream = nil
    control = nil
    recording = nil
  }

  /// Reads all that has arrived.
  ///
  /// - Throws: the reason why the stream has ended.
  func read(into model: inout WatchModel, at now: MotionInstant) throws(ParallaxError) {
    try stream?.readMessages { model.receive($0) }
    readRecording(into: &model)
    do {
      try control?.readAnswers { answer in
        switch answer {
        case .status(let status, _): model.receive(status, at: now)
        case .error(let error, _): model.show(error.message, isError: true, at: now)
        case .ack(let ack, _): if let note = ack.note { model.show(note, at: now) }
        default: break
        }
      }
    } catch {
      control = nil
      model.show("the control connection has ended: \(error)", isError: true, at: now)
    }
  }

  private func readRecording(into model: inout WatchModel) {
    do {
      try recording?.readAnswers { answer in
        switch answer {
        case .ack: model.ratesGranted()
        case .sample(let sample): model.receive(sample)
        case .error(let error, _): model.ratesRefused(error.message)
        default: break
        }
      }
    } catch {
      recording = nil
      if model.rates == .shown { model.ratesRefused("the recording has ended") }
    }
  }

  /// Sends a request, whose answer comes with a later `read`.
  func send(_ request: ControlRequest, _ model: inout WatchModel, at now: MotionInstant) {
    guard let control else {
      return model.show("no control socket: keys have no effect", isError: true, at: now)
    }
    do {
      try control.send(request)
    } catch {
      self.control = nil
      model.show("\(error)", isError: true, at: now)
    }
  }
}
