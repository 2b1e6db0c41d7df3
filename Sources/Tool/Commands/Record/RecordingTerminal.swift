// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Shows a recording's notes and progress on standard error. The progress is one line that is
/// overwritten and finally cleared.
final class RecordingTerminal: RecordingDisplay {
  private let verbosity: Verbosity
  private var isOnScreen = false

  init(_ verbosity: Verbosity) {
    self.verbosity = verbosity
  }

  func show(note: String) {
    clearProgress()
    verbosity.note(note)
  }

  func show(_ tally: RecordingTally, of duration: MotionDuration?) {
    isOnScreen = true
    Console.writeError("\r\u{1B}[Krecord: \(Self.text(of: tally, duration))")
  }

  func clearProgress() {
    if isOnScreen { Console.writeError("\r\u{1B}[K") }
    isOnScreen = false
  }

  /// `12.3 of 60.0 s, 1234 samples, 100.2 Hz`
  static func text(of tally: RecordingTally, _ duration: MotionDuration?) -> String {
    let whole = duration.map { " of \(Figures.fixed($0.seconds, 1))" } ?? ""
    let rate = tally.rateHertz.map { ", \(Figures.fixed($0, 1)) Hz" } ?? ""
    return "\(Figures.fixed(tally.span.seconds, 1))\(whole) s, \(tally.samples) samples\(rate)"
  }
}
