// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion
import ParallaxTrace

/// Plays a recording at its own pace: a sample is due at the start plus its time. If no descriptor or no
/// memory is left to open it, tries again after 1, 2, 4 ... 60 s.
package final class TraceSource: MotionSource {
  package let driver = "trace"
  package let name: String?

  private let path: String
  private let settings: MotionSettings
  private let loops: Bool
  private let warn: (String) -> Void
  private var trace: OpenedTrace?
  private var schedule: TraceSchedule
  private var upcoming: Upcoming?
  private var lastDue = MotionInstant.zero
  private var hasWarned = false
  /// When to open the recording again; nil unless that failed for a lack of descriptors or memory.
  private var retry: MotionInstant?
  private var backoff = Backoff()

  /// Bytes per read.
  private static let blockBytes = 32 << 10

  /// The next event and its time.
  private struct Upcoming {
    var event: SourceEvent
    var due: MotionInstant
  }

  /// - Parameters:
  ///   - settings: What the samples are for.
  ///   - loops: Whether to repeat the recording.
  ///   - warn: Receives a warning about the recording, at most once.
  package init(
    path: String, settings: MotionSettings, loops: Bool, warn: @escaping (String) -> Void
  ) {
    self.path = path
    self.settings = settings
    self.loops = loops
    self.warn = warn
    name = path.split(separator: "/").last.map(String.init)
    schedule = TraceSchedule(frameRate: settings.frameRate, start: .zero)
  }

  package var due: MotionInstant? { upcoming?.due ?? retry }

  package func start(at now: MotionInstant) -> SourceEvent? {
    do throws(TraceError) {
      // z is kept for RECORD even if the motion does not use it.
      let trace = try OpenedTrace(
        path: path, settings: settings, isRegular: true, blockSize: Self.blockBytes)
      let start = SourceStart(
        rateHertz: trace.nominalRateHertz, mountMatrix: trace.reader.header.mountMatrix,
        bias: trace.bias, orientation: trace.reader.header.orientation)
      self.trace = consume trace
      retry = nil
      backoff.reset()
      schedule = TraceSchedule(frameRate: settings.frameRate, start: now)
      advance()
      return .streaming(start)
    } catch {
      guard error.kind == .shortage else { return .failed(.none, reason: error.description) }
      retry = now + backoff.next()
      return .waiting(.none, reason: error.description)
    }
  }

  package func stop() {
    trace = nil
    upcoming = nil
    retry = nil
    backoff.reset()
  }

  package func next(at now: MotionInstant) -> SourceEvent? {
    if let retry, retry <= now { return start(at: now) }
    guard let current = upcoming, current.due <= now else { return nil }
    lastDue = current.due
    advance()
    return current.event
  }

  package func lateness(at now: MotionInstant) -> MotionDuration { now - lastDue }

  /// Finds the next event.
  private func advance() {
    do throws(TraceError) {
      if let sample = try trace?.reader.next() {
        let placed = schedule.place(sample)
        upcoming = Upcoming(event: .sample(placed.sample), due: placed.due)
        warnOnce()
      } else if loops, schedule.hasKept {
        // A pass without a valid sample would repeat forever.
        try trace?.reader.rewind()
        schedule.restart()
        upcoming = Upcoming(event: .segment(continuing: true), due: schedule.due)
      } else if case .ended = upcoming?.event {
        upcoming = nil
      } else {
        upcoming = Upcoming(event: .ended, due: schedule.due)
      }
    } catch {
      upcoming = Upcoming(
        event: .failed(.none, reason: error.description), due: schedule.due)
    }
  }

  private func warnOnce() {
    guard !hasWarned, let warning = trace?.reader.warning else { return }
    hasWarned = true
    warn(warning.description)
  }
}
