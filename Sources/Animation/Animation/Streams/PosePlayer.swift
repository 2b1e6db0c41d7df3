// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase

/// What moves a pose as time passes: an ``AnimatedPose`` or a ``SpringAnimator``.
public protocol PosePlayer: AnyObject {
  /// The pose at the latest time that any call has given.
  var pose: Pose { get }
  /// Whether it moves, or will by itself.
  var isMoving: Bool { get }
  /// Moves to a time.
  func advance(to time: MotionInstant)
  /// Ends all motion where it is.
  func endWhereItIs(at time: MotionInstant)
}

extension AnimatedPose: PosePlayer {}

extension SpringAnimator: PosePlayer where Value == Pose {
  /// Ends the motion where it is.
  public func endWhereItIs(at time: MotionInstant) { stop(at: .current, at: time) }
}

extension PosePlayer {
  /// Returns the poses at a steady rate until it comes to rest, for `for await` on the actor of the caller.
  ///
  ///     try animator.start(at: now)
  ///     for await pose in card.poses(every: .seconds(1) / 60, at: now) { draw(pose) }
  ///
  /// The first pose comes at once, the next ones an interval apart; the last one is at rest. If the task is cancelled, the motion ends
  /// where it is.
  ///
  /// - Parameters:
  ///   - interval: Time from one pose to the next, from 1 ns to a day.
  ///   - now: The time of the first pose. The times of the others are as much later as the clock says.
  ///   - clock: The clock on which time passes. Default: real time.
  public func poses<C: Clock>(
    every interval: Duration, at now: MotionInstant, clock: C = ContinuousClock()
  ) -> PlayerPoses<Pose, C> where C.Duration == Duration {
    PlayerPoses([self], every: interval, at: now, clock) { self.pose }
  }
}

/// Returns the poses of several players at a steady rate until all of them are at rest, for `for await` on the actor of the
/// caller.
///
/// - Parameters:
///   - players: Each pose has the place of its player.
///   - interval: Time from one frame to the next, from 1 ns to a day.
///   - now: The time of the first frame.
///   - clock: The clock on which time passes. Default: real time.
public func poses<C: Clock>(
  of players: [any PosePlayer], every interval: Duration, at now: MotionInstant,
  clock: C = ContinuousClock()
) -> PlayerPoses<[Pose], C> where C.Duration == Duration {
  PlayerPoses(players, every: interval, at: now, clock) { players.map(\.pose) }
}

/// The poses of players at a steady rate.
public struct PlayerPoses<Element, C: Clock>: AsyncSequence where C.Duration == Duration {
  /// The sequence never throws.
  public typealias Failure = Never

  private let players: [any PosePlayer]
  private let interval: Duration
  private let now: MotionInstant
  private let clock: C
  private let read: () -> Element

  init(
    _ players: [any PosePlayer], every interval: Duration, at now: MotionInstant, _ clock: C,
    read: @escaping () -> Element
  ) {
    self.players = players
    self.interval = interval
    self.now = now
    self.clock = clock
    self.read = read
  }

  /// Starts. The first pose is for the time of this call.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      players: players, now: now, read: read, pacer: FramePacer(every: interval, clock: clock))
  }

  /// Waits for one frame after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let players: [any PosePlayer]
    fileprivate var now: MotionInstant
    fileprivate let read: () -> Element
    fileprivate var pacer: FramePacer<C>
    private var isOver = false
    private let start: MotionInstant

    fileprivate init(
      players: [any PosePlayer], now: MotionInstant, read: @escaping () -> Element,
      pacer: FramePacer<C>
    ) {
      self.players = players
      self.now = now
      start = now
      self.read = read
      self.pacer = pacer
    }

    /// Waits for the next frame.
    ///
    /// - Returns: nil after the last one, and when the task is cancelled.
    public nonisolated(nonsending) mutating func next() async -> Element? {
      await next(isolation: #isolation)
    }

    /// Waits for the next frame without leaving an actor.
    ///
    /// - Parameter isolation: The actor of the caller.
    /// - Returns: nil after the last one, and when the task is cancelled.
    public mutating func next(isolation: isolated (any Actor)?) async -> Element? {
      guard !isOver else { return nil }
      guard let time = await pacer.next(isolation: isolation) else {
        for player in players { player.endWhereItIs(at: now) }
        isOver = true
        return nil
      }
      now = start.advanced(by: time)
      for player in players { player.advance(to: now) }
      isOver = !players.contains { $0.isMoving }
      return read()
    }
  }
}
