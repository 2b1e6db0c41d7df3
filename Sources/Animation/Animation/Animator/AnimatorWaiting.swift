// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase
import Synchronization

extension PropertyAnimator {
  /// Waits until it ends, on the actor of the caller, which goes on calling `advance(to:)`.
  ///
  ///     try animator.start(at: now)
  ///     if await animator.finished() == .end { ... }
  ///
  /// One that has not started is waited for until it has started and ended. If the task is cancelled, the animator ends
  /// where it is.
  ///
  /// - Returns: Where it has ended.
  public nonisolated(nonsending) func finished() async -> AnimationPosition {
    await ending {}
  }

  /// Waits until it ends. `begin` may already end it.
  fileprivate nonisolated(nonsending) func ending<Failure: Error>(
    after begin: () throws(Failure) -> Void
  ) async throws(Failure) -> AnimationPosition {
    let result = Waiter<AnimationPosition>()
    addCompletion { result.send($0) }
    try begin()
    if let position = await result.value() { return position }
    end(at: .current, at: animated.now)
    return .current
  }
}

extension AnimatedPose {
  /// Plays an animation and waits until it ends, on the actor of the caller, which goes on calling `advance(to:)`.
  ///
  /// What comes next can depend on anything:
  ///
  ///     while await card.play(nudge) == .end, isWanted {
  ///       await card.play(.delay(.seconds(1)))
  ///     }
  ///
  /// If the task is cancelled, the animation ends where it is.
  ///
  /// - Parameters:
  ///   - animation: It begins at once.
  ///   - now: The time of the call. Default: the latest time that any call has given.
  /// - Returns: Where it has ended.
  @discardableResult
  public nonisolated(nonsending) func play(
    _ animation: Animation, at now: MotionInstant? = nil
  ) async -> AnimationPosition {
    let animator = PropertyAnimator(self)
    do {
      try animator.add(animation)
      return try await animator.ending { () throws(AnimatorError) in
        try animator.start(at: now ?? self.now)
      }
    } catch {
      // A new animator allows both.
      return .current
    }
  }
}

extension SpringAnimator {
  /// Moves to a target and waits until it is at rest there, on the actor of the caller, which goes on calling
  /// `advance(to:)`. If the task is cancelled, the spring stops where it is.
  ///
  /// - Parameters:
  ///   - target: The new target; a number that is not finite is ignored.
  ///   - time: The time of the call.
  /// - Returns: `end` at rest, `current` if another target or a stop came first.
  @discardableResult
  public nonisolated(nonsending) func reached(
    _ target: Value, at time: MotionInstant
  ) async -> AnimationPosition {
    let result = Waiter<AnimationPosition>()
    animate(to: target, at: time) { result.send($0) }
    if let position = await result.value() { return position }
    stop(at: .current, at: time)
    return .current
  }
}

/// A value that one task waits for.
private final class Waiter<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case waiting(CheckedContinuation<Value?, Never>)
    /// nil: cancelled.
    case full(Value?)
  }

  private let state = Mutex(State.empty)

  /// Sends the value; only the first one counts.
  func send(_ value: Value?) {
    let continuation = state.withLock { state -> CheckedContinuation<Value?, Never>? in
      switch state {
      case .full: return nil
      case .empty:
        state = .full(value)
        return nil
      case .waiting(let continuation):
        state = .full(value)
        return continuation
      }
    }
    continuation?.resume(returning: value)
  }

  /// Waits for the value.
  ///
  /// - Returns: nil if the task is cancelled before.
  nonisolated(nonsending) func value() async -> Value? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> Value?? in
          if case .full(let value) = state { return .some(value) }
          state = .waiting(continuation)
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      send(nil)
    }
  }
}
