// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase
import Synchronization

/// A clock that stands still until it is set, for tests.
///
///     let clock = ManualClock()
///     var poses = stream.poses(every: .milliseconds(100), clock: clock).makeAsyncIterator()
///     let first = await poses.next()
///     clock.advance(by: .milliseconds(100))
///     let second = await poses.next()
public final class ManualClock: Clock {
  /// A task that sleeps.
  private struct Sleeper {
    let deadline: MotionInstant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now: MotionInstant
    /// The number of the next sleeper.
    var next: UInt64 = 0
    var sleepers: [UInt64: Sleeper] = [:]
    /// Sleepers that were cancelled before they slept.
    var cancelled: Set<UInt64> = []
  }

  private let state: Mutex<State>

  /// Creates a clock that shows a time.
  ///
  /// - Parameter now: Default: 0.
  public init(now: MotionInstant = MotionInstant(nanoseconds: 0)) {
    state = Mutex(State(now: now))
  }

  /// The time to which the clock is set.
  public var now: MotionInstant { state.withLock { $0.now } }

  /// The smallest step: 1 ns.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// The number of tasks that sleep.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Sets the clock forward and wakes the tasks whose time has come. A negative duration changes nothing.
  public func advance(by duration: Duration) {
    advance(to: now.advanced(by: duration))
  }

  /// Sets the clock to a time and wakes the tasks whose time has come. An earlier time changes nothing.
  public func advance(to time: MotionInstant) {
    let woken = state.withLock { state in
      state.now = max(state.now, time)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      // In the order of their times; at one time, in the order in which they went to sleep.
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
        .map(\.value.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Waits until the clock is set to a time, or beyond it.
  ///
  /// - Parameters:
  ///   - deadline: The time.
  ///   - tolerance: Ignored.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: MotionInstant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isDue: Bool? = state.withLock { state in
          if state.cancelled.remove(number) != nil { return false }
          if deadline <= state.now { return true }
          state.sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
          return nil
        }
        if isDue == true { continuation.resume() }
        if isDue == false { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        guard let sleeper = state.sleepers.removeValue(forKey: number) else {
          state.cancelled.insert(number)
          return nil as CheckedContinuation<Void, any Error>?
        }
        return sleeper.continuation
      }
      continuation?.resume(throwing: CancellationError())
    }
    state.withLock { _ = $0.cancelled.remove(number) }
  }
}
