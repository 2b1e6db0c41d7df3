// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase

/// Plays a stream: pulls the next animation when the previous one has ended, and computes the pose.
///
/// Its caller supplies the ticks. An animation starts at the very instant when the previous one
/// ends, whenever the tick comes, and from the pose that it left. A frame in which no animation
/// ends does not allocate.
public struct StreamPlayer: Sendable {
  /// What has happened in a stream.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Event: Equatable, Sendable {
    /// The animation with this number, from 0, has started.
    case began(Int)
    /// The animation with this number has ended there.
    case ended(Int, AnimationPosition)
    /// The stream has ended. Sent once, as the last event.
    case finished(AnimationPosition)
  }

  private enum State: Sendable {
    /// No animation has been pulled.
    case waiting(begin: MotionInstant)
    /// An animation runs.
    case playing(Playing)
    /// The stream has ended.
    case finished
  }

  private struct Playing: Sendable {
    let timeline: Timeline
    let start: Pose
    var since: MotionInstant

    /// nil: the animation has no end.
    var end: MotionInstant? { since.adding(seconds: timeline.durationSeconds) }
  }

  /// The pose at the time of the last call.
  public private(set) var pose: Pose
  /// The change of the pose per second.
  public private(set) var velocity = Pose.zero

  private let start: Pose
  private var cursor: StreamCursor
  private var state: State
  private var now = MotionInstant.distantPast
  /// The number of animations pulled.
  private var count = 0
  private var events: [Event] = []

  /// Creates a player at the start of a stream.
  ///
  /// - Parameters:
  ///   - stream: The stream to play.
  ///   - start: The pose at the start. Default: ``Pose/rest``.
  ///   - begin: The start. The first `advance` to then, or later, pulls the first animation.
  public init(_ stream: AnimationStream, from start: Pose = .rest, at begin: MotionInstant) {
    cursor = StreamCursor(stream)
    self.start = start
    pose = start
    state = .waiting(begin: begin)
  }

  /// Whether the stream has ended.
  public var isFinished: Bool { if case .finished = state { true } else { false } }

  /// The end of the current animation or the start of the first one; nil if there is none.
  public var nextEvent: MotionInstant? {
    switch state {
    case .waiting(let begin): begin
    case .playing(let playing): playing.end
    case .finished: nil
    }
  }

  /// Returns the events since the last call.
  public mutating func takeEvents() -> [Event] {
    if events.isEmpty { return [] }
    defer { events = [] }
    return events
  }

  /// Advances to a time. One that goes back counts as the latest.
  public mutating func advance(to time: MotionInstant) {
    now = max(now, time)
    if case .waiting(let begin) = state, begin <= now {
      pull(after: AnimationEnding(position: .start, pose: start), at: begin)
    }
    var ended = 0
    while case .playing(let playing) = state, let end = playing.end,
      end <= now
    {
      ended += 1
      guard ended <= Self.maxAnimationsPerCall else {
        // Too many at once: continue from now instead of catching up.
        state = .playing(
          Playing(
            timeline: playing.timeline, start: playing.start, since: now))
        break
      }
      let ending = AnimationEnding(
        position: .end, pose: playing.timeline.end(from: playing.start),
        seconds: playing.timeline.durationSeconds)
      events.append(.ended(count - 1, .end))
      pull(after: ending, at: end)
    }
    updatePose()
  }

  /// Ends the stream at once, at its start, where it is or at its end.
  ///
  /// At its end, as a closed gate requires, the remaining animations start and end as well, in no
  /// time. A choice that never ends is cut off.
  public mutating func end(at position: AnimationPosition, at time: MotionInstant) {
    advance(to: time)
    if position == .end { return skipToEnd() }
    guard !isFinished else { return }
    if case .playing = state { events.append(.ended(count - 1, position)) }
    if position == .start { pose = start }
    finish(position)
  }

  private mutating func skipToEnd() {
    if case .waiting = state {
      pull(
        after: AnimationEnding(position: .start, pose: start, isSkipped: true),
        at: now)
    }
    var ended = 0
    while case .playing(let playing) = state {
      ended += 1
      pose = playing.timeline.end(from: playing.start)
      events.append(.ended(count - 1, .end))
      guard ended < Self.maxAnimationsPerCall else { return finish(.end) }
      pull(
        after: AnimationEnding(position: .end, pose: pose, isSkipped: true),
        at: now)
    }
  }

  /// The most animations that end within one call: `flat` may choose animations without a duration,
  /// endlessly.
  private static let maxAnimationsPerCall = 1000

  private mutating func pull(after ending: AnimationEnding, at begin: MotionInstant) {
    pose = ending.pose
    guard let animation = cursor.next(after: ending) else { return finish(.end) }
    state = .playing(
      Playing(timeline: Timeline(animation), start: ending.pose, since: begin))
    events.append(.began(count))
    count += 1
  }

  private mutating func finish(_ position: AnimationPosition) {
    state = .finished
    velocity = .zero
    events.append(.finished(position))
  }

  private mutating func updatePose() {
    guard case .playing(let playing) = state else { return }
    let seconds = now.seconds(since: playing.since)
    pose = playing.timeline.pose(at: seconds, from: playing.start)
    velocity = playing.timeline.velocity(at: seconds, from: playing.start)
  }
}
