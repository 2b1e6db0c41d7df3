// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// A question to a program on a bus that is repeated until it is answered. Ends when it is dropped.
package final class BusQuestion {
  /// How patient the asker is. Tests use shorter times.
  package struct Timing: Sendable {
    /// How long an answer may take before the program counts as silent. Default 1 s: services answer
    /// within milliseconds.
    package var patience: MotionDuration
    /// The pause after the first failure; see `Backoff`. Default 1 s.
    package var firstPause: MotionDuration
    /// When a call without an answer fails. Default 25 s, as usual on D-Bus: a desktop that starts may
    /// take that long.
    package var timeoutMilliseconds: Int

    package init(
      patience: MotionDuration = .seconds(1), firstPause: MotionDuration = .seconds(1),
      timeoutMilliseconds: Int = 25_000
    ) {
      self.patience = patience
      self.firstPause = firstPause
      self.timeoutMilliseconds = timeoutMilliseconds
    }
  }

  private var schedule: QuestionSchedule
  private let ask: () -> Void
  private let silence: () -> Void
  private var timer: TimerSource?

  /// - Parameters:
  ///   - ask: Sends the question; then call `answered` or `failed`.
  ///   - silence: Called once per silence, when nothing is known yet.
  package init(
    _ bus: Bus, _ timing: Timing, ask: @escaping () -> Void, silence: @escaping () -> Void
  ) {
    schedule = QuestionSchedule(patience: timing.patience, firstPause: timing.firstPause)
    self.ask = ask
    self.silence = silence
    // Without a timer, for lack of memory, the question is asked once.
    timer = try? bus.timer { [weak self] in
      guard let self else { return }
      perform(schedule.advance(at: MonotonicClock.now()))
    }
  }

  package func start() { perform(schedule.start(at: MonotonicClock.now())) }

  package func failed() { perform(schedule.failed(at: MonotonicClock.now())) }

  /// Also for the end of the program that was asked.
  package func answered() {
    schedule.stop()
    timer?.disarm()
  }

  private func perform(_ actions: [QuestionSchedule.Action]) {
    if let deadline = schedule.deadline { timer?.arm(at: deadline) } else { timer?.disarm() }
    for action in actions {
      switch action {
      case .ask: ask()
      case .reportSilence: silence()
      }
    }
  }
}
