// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTrace

/// What a recording source reports.
enum RecordingEvent {
  /// The recording begins: its header, and a note for the user. Always the first event.
  case header(TraceHeader, note: String?)
  /// A sample that the time rule kept. Its time is on CLOCK_MONOTONIC; times strictly increase.
  case sample(GyroSample)
  /// A note for the user. The recording continues.
  case note(String)
  /// No samples come for now, and why: the gate is closed.
  case paused(reasons: [String])
  /// Samples come again, after `.paused`.
  case resumed
  /// The source has delivered its last sample. This is not an error.
  case ended(reason: String)
}

/// A daemon or a gyroscope that can be recorded.
///
/// A source never waits, so that its user can wait for other things too. All instants are on
/// CLOCK_MONOTONIC.
protocol RecordingSource: AnyObject {
  /// Readable (poll(2)) when `next(at:)` may have an event.
  var descriptor: Int32 { get }
  /// When to call `next(at:)` even if the descriptor is not readable; nil means never.
  var deadline: MotionInstant? { get }
  /// Starts to deliver events.
  func start(at now: MotionInstant) throws(CommandFailure)
  /// Returns the next event; nil if there is none yet.
  ///
  /// - Throws: `CommandFailure` if samples are missing and no more will come.
  func next(at now: MotionInstant) throws(CommandFailure) -> RecordingEvent?
  /// Releases the sensor. Waits briefly for a driver to finish.
  func stop()
}
