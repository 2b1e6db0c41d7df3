// SPDX-License-Identifier: Apache-2.0

/// Waits for frames at a steady rate. A program that is slower than the interval misses frames; none wait.
struct FramePacer<C: Clock> where C.Duration == Duration {
  private let clock: C
  private let interval: Duration
  private let start: C.Instant
  /// The number of intervals from the start to the next frame.
  private var frame: Int64 = 0

  /// - Parameter interval: From 1 ns to a day.
  init(every interval: Duration, clock: C) {
    self.clock = clock
    self.interval = Self.valid(interval)
    start = clock.now
  }

  static func valid(_ interval: Duration) -> Duration {
    min(max(interval, .nanoseconds(1)), .seconds(86_400))
  }

  /// Waits for the next frame.
  ///
  /// - Returns: The time since the start; nil when the task is cancelled.
  mutating func next(isolation: isolated (any Actor)?) async -> Duration? {
    guard !Task.isCancelled else { return nil }
    let due = start.advanced(by: interval * frame)
    if clock.now < due {
      do {
        try await clock.sleep(until: due, tolerance: nil)
      } catch {
        return nil
      }
    }
    // Of the frames that are due, the newest counts.
    let passed = start.duration(to: clock.now) / interval
    if passed >= Double(frame + 1), passed < 9e15 { frame = Int64(passed) }
    defer { frame += 1 }
    return interval * frame
  }
}
