// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Where a recording shows its notes and its progress.
protocol RecordingDisplay: AnyObject {
  /// Shows a note to the user.
  func show(note: String)
  /// Shows how far the recording is.
  ///
  /// - Parameter duration: The requested length; nil for a recording without one.
  func show(_ tally: RecordingTally, of duration: MotionDuration?)
  /// Removes the progress from the screen.
  func clearProgress()
}

/// When to show the progress of a recording: after half a second, then five times per second.
struct ProgressSchedule {
  /// When the progress is due; nil if it is never shown.
  private(set) var due: MotionInstant?

  private static let firstDelay: MotionDuration = .milliseconds(500)
  private static let interval: MotionDuration = .milliseconds(200)

  init(start: MotionInstant, isShown: Bool) {
    due = isShown ? start + Self.firstDelay : nil
  }

  /// Returns whether the progress is due now, and schedules the next time if it is.
  mutating func isDue(at now: MotionInstant) -> Bool {
    guard let due, now >= due else { return false }
    self.due = now + Self.interval
    return true
  }
}
