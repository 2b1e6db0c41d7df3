// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxMotion

/// Runs the calibration dialogue on the terminal, with the samples of a live sensor.
struct CalibrationTerminal {
  let source: any RecordingSource
  /// A descriptor that becomes readable when the user presses Ctrl-C.
  let interruption: Int32
  let clock: any RecordingClock = SystemRecordingClock()

  /// The longest wait for a sample: the sensor may have to be opened, and the daemon to find it.
  private static let sampleTimeout: MotionDuration = .seconds(10)

  /// - Returns: The result, and the mount matrix in effect.
  func run() throws -> (calibration: MountCalibration, current: MountMatrix?) {
    defer { source.stop() }
    var dialogue = CalibrationDialogue()
    var current: MountMatrix?
    var lastSample = clock.now
    var readsInput = true
    try source.start(at: lastSample)
    while true {
      let now = clock.now
      while let event = try source.next(at: now) {
        switch event {
        case .header(let header, let note):
          current = header.mountMatrix
          for line in CalibrationDialogue.greeting { try Console.print(line) }
          if let note { Console.report(note) }
        case .note(let note): Console.report(note)
        case .paused(let reasons):
          throw CommandFailure(
            .unavailable,
            "the gate is closed (\(reasons.joined(separator: ", "))); calibrate when it is open")
        case .resumed: break
        case .ended(let reason): throw CommandFailure(.unavailable, reason)
        case .sample(let sample):
          lastSample = now
          if let result = try answer(dialogue.handle(sample)) { return (result, current) }
        }
      }
      let deadline = lastSample + Self.sampleTimeout
      guard now < deadline else {
        throw CommandFailure(
          .unavailable, "no samples arrive; see 'parallax doctor' and 'parallax status'")
      }
      var entries = [
        pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
        pollfd(fd: readsInput ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
      ]
      clock.poll(&entries, until: MotionInstant.earlier(deadline, source.deadline))
      if entries[1].revents != 0 {
        throw CommandFailure(.unavailable, "interrupted: nothing was measured, nothing has changed")
      }
      if entries[2].revents != 0 {
        var line = [UInt8](repeating: 0, count: 256)
        readsInput = read(STDIN_FILENO, &line, line.count) > 0
        if readsInput, let result = try answer(dialogue.handleEnter()) { return (result, current) }
      }
    }
  }

  /// Prints the lines and returns the result, if there is one.
  private func answer(_ events: [CalibrationDialogue.Event]) throws -> MountCalibration? {
    for event in events {
      switch event {
      case .say(let line): try Console.print(line)
      case .done(let calibration): return calibration
      }
    }
    return nil
  }
}
