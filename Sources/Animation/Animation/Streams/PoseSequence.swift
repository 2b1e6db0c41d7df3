// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The poses of a stream at a steady rate, for `for await`.
///
///     for await pose in AnimationStream(nudge).poses(every: .seconds(1) / 60) {
///       draw(pose)
///     }
///
/// The first pose is that at the start, without delay. The next ones are one interval apart, and the
/// last one is the first at or after the end of the stream. A program that is slower than the interval
/// misses poses; none wait. The sequence also ends when its task is cancelled.
///
/// Each iterator plays the stream from its start. Time passes on the clock: with a ``ManualClock``, a
/// test sets it and never sleeps.
public struct PoseSequence<C: Clock>: AsyncSequence, Sendable where C.Duration == Duration {
  /// What the sequence consists of.
  public typealias Element = Pose
  /// The sequence never throws.
  public typealias Failure = Never

  /// The stream that it plays.
  public let stream: AnimationStream
  /// The pose at the start.
  public let start: Pose
  /// The time from one pose to the next, from 1 ns to a day.
  public let interval: Duration
  /// The clock on which time passes.
  public let clock: C

  /// Starts to play. The time of this call is the start.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Plays the stream once.
  public struct Iterator: AsyncIteratorProtocol {
    private var player: StreamPlayer
    private var pacer: FramePacer<C>
    private var isOver = false

    init(_ sequence: PoseSequence) {
      player = StreamPlayer(sequence.stream, from: sequence.start, at: .zero)
      pacer = FramePacer(every: sequence.interval, clock: sequence.clock)
    }

    /// Waits for the next pose.
    ///
    /// - Returns: nil after the last pose, and when the task is cancelled.
    public mutating func next() async -> Pose? {
      await next(isolation: #isolation)
    }

    /// Waits for the next pose without leaving an actor.
    ///
    /// - Parameter isolation: The actor of the caller.
    /// - Returns: nil after the last pose, and when the task is cancelled.
    public mutating func next(isolation: isolated (any Actor)?) async -> Pose? {
      guard !isOver, let time = await pacer.next(isolation: isolation) else { return nil }
      player.advance(to: MotionInstant.zero.advanced(by: time))
      _ = player.takeEvents()
      isOver = player.isFinished
      return player.pose
    }
  }
}

extension AnimationStream {
  /// Returns the poses of this stream at a steady rate.
  ///
  /// - Parameters:
  ///   - interval: Time from one pose to the next, such as `.seconds(1) / 60`, from 1 ns to a day.
  ///   - start: The pose at the start. Default: ``Pose/rest``.
  ///   - clock: The clock on which time passes.
  public func poses<C: Clock>(
    every interval: Duration, from start: Pose = .rest, clock: C
  ) -> PoseSequence<C> where C.Duration == Duration {
    PoseSequence(
      stream: self, start: start, interval: FramePacer<C>.valid(interval), clock: clock)
  }

  /// Returns the poses of this stream at a steady rate, in real time.
  ///
  /// - Parameters:
  ///   - interval: Time from one pose to the next, such as `.seconds(1) / 60`, from 1 ns to a day.
  ///   - start: The pose at the start. Default: ``Pose/rest``.
  public func poses(
    every interval: Duration, from start: Pose = .rest
  ) -> PoseSequence<ContinuousClock> {
    poses(every: interval, from: start, clock: ContinuousClock())
  }
}
