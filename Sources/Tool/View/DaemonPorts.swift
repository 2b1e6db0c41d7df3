// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxClient
import ParallaxProtocol

/// The connections of a view: the stream, the control socket, and a recording for the raw rates. None of them
/// waits.
final class DaemonPorts {
  private let controlPaths: [String]
  private let wantsRates: Bool
  private(set) var stream: LineConnection
  private var control: LineConnection?
  private var recording: LineConnection?

  /// - Parameter wantsRates: Whether to record the raw rates, if the daemon permits that.
  init(streamPaths: [String], controlPaths: [String], wantsRates: Bool = true) {
    self.wantsRates = wantsRates
    self.controlPaths = controlPaths
    stream = LineConnection(
      to: streamPaths, policy: .exponential(from: .milliseconds(500), to: .milliseconds(500)))
  }

  var isConnected: Bool { stream.isConnected }

  var hasControl: Bool { control != nil }

  /// For poll(), which ignores -1: there is no control connection.
  var controlDescriptor: Int32 {
    switch control {
    case .some(let connection): connection.descriptor
    case nil: -1
    }
  }

  /// Makes the first connection.
  func connect(_ model: inout WatchModel) throws(ParallaxError) {
    try stream.connect()
    begin(&model)
  }

  /// Requests frames, and connects to the control socket if that works.
  private func begin(_ model: inout WatchModel) {
    // At rest no lines come, and the view sleeps.
    stream.send(WatchMessage.drawing.line())
    do throws(ParallaxError) {
      control = try LineConnection(toFirstOf: controlPaths)
      guard wantsRates else { return }
      recording = try LineConnection(toFirstOf: controlPaths)
      recording?.send(.record)
    } catch {
      model.ratesRefused("no control socket: \(error)")
    }
  }

  /// Reads all that has arrived, and connects again when that is due.
  ///
  /// - Returns: Whether the connection was made or lost.
  func update(_ model: inout WatchModel, at now: MotionInstant) -> Bool {
    var isChanged = false
    while let event = stream.next(at: now) {
      switch event {
      case .connecting: break
      case .line(let line):
        if let message = StreamMessage(line: line) { model.receive(message) }
      case .connected:
        isChanged = true
        begin(&model)
      case .lost(let error):
        isChanged = true
        control = nil
        recording = nil
        model.lostConnection("\(error)")
      case .ended: break
      }
    }
    readRecording(into: &model, at: now)
    readControl(into: &model, at: now)
    return isChanged
  }

  private func readControl(into model: inout WatchModel, at now: MotionInstant) {
    while let event = control?.next(at: now) {
      switch event {
      case .line(let line):
        switch ControlAnswer(line: line) {
        case .status(let status, _)?: model.receive(status, at: now)
        case .error(let error, _)?: model.show(error.message, isError: true, at: now)
        case .ack(let ack, _)?: if let note = ack.note { model.show(note, at: now) }
        default: break
        }
      case .lost(let error), .ended(let error?):
        control = nil
        model.show("the control connection has ended: \(error)", isError: true, at: now)
      case .connecting, .connected, .ended(nil): break
      }
    }
  }

  private func readRecording(into model: inout WatchModel, at now: MotionInstant) {
    while let event = recording?.next(at: now) {
      switch event {
      case .line(let line):
        switch ControlAnswer(line: line) {
        case .ack?: model.ratesGranted()
        case .sample(let sample)?: model.receive(sample)
        case .error(let error, _)?: model.ratesRefused(error.message)
        default: break
        }
      case .lost, .ended:
        recording = nil
        if model.rates == .shown { model.ratesRefused("the recording has ended") }
      case .connecting, .connected: break
      }
    }
  }

  /// Sends a request, whose answer comes with a later `update`.
  func send(_ request: ControlRequest, _ model: inout WatchModel, at now: MotionInstant) {
    guard hasControl else {
      return model.show("no control socket: keys have no effect", isError: true, at: now)
    }
    control?.send(request)
  }
}
