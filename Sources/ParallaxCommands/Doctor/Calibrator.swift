import Glibc
import ParallaxClient
import ParallaxMotion
import ParallaxTrace

/// Runs the dialogue of a calibration over a live sensor, for a person at a terminal.
struct Calibrator {
  let source: any RecordingSource
  /// Readable once the user wants an end.
  let interruption: Int32
  /// Where Enter comes from.
  var input: Int32 = STDIN_FILENO
  var clock: () -> Int64 = { MonotonicInstant.now.nanoseconds }
  /// Prints a line.
  var say: (String) throws -> Void = { try Console.print($0) }

  /// A sensor may have to be opened, and the daemon may have to find it.
  private static let patience: Int64 = 10_000_000_000

  /// - Returns: what was measured, and the matrix that holds now.
  func run() throws -> (calibration: MountCalibration, current: MountMatrix?) {
    defer { source.stop() }
    var dialogue = CalibrationDialogue()
    var current: MountMatrix?
    var lastSample = clock()
    var hasInput = true
    try source.start(atNanoseconds: lastSample)
    while true {
      let now = clock()
      while let event = try source.next(atNanoseconds: now) {
        switch event {
        case .header(let header, let note):
          current = header.mountMatrix
          for line in CalibrationDialogue.greeting { try say(line) }
          if let note { Console.report(note) }
        case .note(let note): Console.report(note)
        case .ended(let reason): throw CommandFailure(.unavailable, reason)
        case .sample(let sample):
          lastSample = now
          if let done = try answer(dialogue.take(sample)) { return (done, current) }
        }
      }
      guard now - lastSample < Self.patience else {
        throw CommandFailure(
          .unavailable, "no samples come; see 'parallax doctor' and 'parallax status'")
      }
      var entries = [
        pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
        pollfd(fd: hasInput ? input : -1, events: Int16(POLLIN), revents: 0),
      ]
      let due = min(source.deadlineNanoseconds ?? .max, lastSample + Self.patience)
      _ = poll(&entries, 3, Int32(clamping: max(0, (due - now + 999_999) / 1_000_000)))
      if entries[1].revents != 0 {
        throw CommandFailure(.unavailable, "interrupted: nothing was measured, nothing is changed")
      }
      if entries[2].revents != 0 {
        var line = [UInt8](repeating: 0, count: 256)
        hasInput = read(input, &line, line.count) > 0
        if hasInput, let done = try answer(dialogue.takeEnter()) { return (done, current) }
      }
    }
  }

  private func answer(_ events: [CalibrationDialogue.Event]) throws -> MountCalibration? {
    for event in events {
      switch event {
      case .say(let line): try say(line)
      case .done(let calibration): return calibration
      }
    }
    return nil
  }

  /// What to do with what was measured.
  ///
  /// - Parameter file: the configuration that the daemon reads.
  static func advice(
    _ calibration: MountCalibration, current: MountMatrix?, file: String?
  ) -> [String] {
    let matrix = GyroText.matrix(calibration.matrix)
    let kind =
      calibration.isAlongAxes
      ? "The sensor's axes lie along the device's."
      : "The sensor's axes lie askew in the device; make it twice, and take the mean if they differ."
    if let current, agrees(current, calibration.matrix) {
      return [kind, "The mount matrix \(matrix) holds already: nothing is to be done."]
    }
    return [
      kind, "Put this into \(file ?? "the configuration"), then 'parallax reload':", "", "[motion]",
      "mount-matrix = \"\(matrix)\"",
    ]
  }

  /// Hands are not more exact than this, for any entry.
  private static let handsTolerance = 0.1

  private static func agrees(_ one: MountMatrix, _ other: MountMatrix) -> Bool {
    zip(one.rowMajor, other.rowMajor).allSatisfy { ($0 - $1).magnitude <= handsTolerance }
  }
}
