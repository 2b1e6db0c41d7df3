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
    /// Nothing has been pulled.
    case waiting(begin: MotionInstant)
    case playing(PlayingElement)
    case finished
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
    case .playing(let element): element.nextEvent
    case .finished: nil
    }
  }

  /// The end of the stream; nil unless it is finished.
  private(set) var finish: MotionInstant?

  /// Returns the events since the last call, the newest 100,000 of them.
  public mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events.suffix(Self.maxEvents)
  }

  private static let maxEvents = 100_000

  private mutating func report(_ event: Event) {
    if events.count == 2 * Self.maxEvents { events.removeFirst(Self.maxEvents) }
    events.append(event)
  }

  /// Advances to a time. One that goes back counts as the latest.
  ///
  /// At most 1000 animations end in one call. One that has more to catch up with goes on from there at the next
  /// call.
  public mutating func advance(to time: MotionInstant) {
    now = max(now, time)
    if case .waiting(let begin) = state, begin <= now {
      pull(after: AnimationEnding(position: .start, pose: start), at: begin)
    }
    var ended = 0
    while ended < Self.maxAnimationsPerCall, case .playing(var element) = state {
      element.advance(to: now)
      guard let end = element.end, end <= now else {
        state = .playing(element)
        break
      }
      ended += 1
      report(.ended(count - 1, .end))
      pull(
        after: AnimationEnding(
          position: .end, pose: element.endPose, seconds: end.seconds(since: element.since)),
        at: end)
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
    if case .playing = state { report(.ended(count - 1, position)) }
    if position == .start { pose = start }
    finish(position, at: now)
  }

  private mutating func skipToEnd() {
    if case .waiting = state {
      pull(
        after: AnimationEnding(position: .start, pose: start, isSkipped: true),
        at: now)
    }
    var ended = 0
    while case .playing(var element) = state {
      ended += 1
      element.skipToEnd(at: now)
      pose = element.endPose
      report(.ended(count - 1, .end))
      guard ended < Self.maxAnimationsPerCall else { return finish(.end, at: now) }
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
    guard let element = cursor.next(after: ending) else { return finish(.end, at: begin) }
    state = .playing(PlayingElement(element, from: ending.pose, since: begin))
    report(.began(count))
    count += 1
  }

  private mutating func finish(_ position: AnimationPosition, at time: MotionInstant) {
    state = .finished
    finish = time
    velocity = .zero
    report(.finished(position))
  }

  private mutating func updatePose() {
    guard case .playing(let element) = state else { return }
    (pose, velocity) = element.motion(at: now)
  }
}

/// What a stream plays now.
private struct PlayingElement: Sendable {
  private enum Content: Sendable {
    case timeline(Timeline<Pose>)
    case merged([StreamPlayer])
  }

  let since: MotionInstant
  private let start: Pose
  private var content: Content

  init(_ element: StreamElement, from start: Pose, since: MotionInstant) {
    self.start = start
    self.since = since
    content =
      switch element {
      case .animation(let animation): .timeline(Timeline(animation))
      case .merged(let streams):
        .merged(streams.map { StreamPlayer($0, from: start, at: since) })
      }
  }

  mutating func advance(to now: MotionInstant) {
    guard case .merged(var players) = content else { return }
    for index in players.indices { players[index].advance(to: now) }
    content = .merged(players)
  }

  mutating func skipToEnd(at now: MotionInstant) {
    guard case .merged(var players) = content else { return }
    for index in players.indices { players[index].end(at: .end, at: now) }
    content = .merged(players)
  }

  /// nil: without an end, or not known yet.
  var end: MotionInstant? {
    switch content {
    case .timeline(let timeline): return since.adding(seconds: timeline.durationSeconds)
    case .merged(let players):
      var end = since
      for player in players {
        guard let own = player.finish else { return nil }
        end = max(end, own)
      }
      return end
    }
  }

  var nextEvent: MotionInstant? {
    guard case .merged(let players) = content else { return end }
    return players.reduce(nil) { MotionInstant.earlier($0, $1.nextEvent) }
  }

  var endPose: Pose {
    switch content {
    case .timeline(let timeline): timeline.end(from: start)
    case .merged(let players): sum(players)
    }
  }

  func motion(at now: MotionInstant) -> (pose: Pose, velocity: Pose) {
    switch content {
    case .timeline(let timeline):
      let seconds = now.seconds(since: since)
      return (
        timeline.pose(at: seconds, from: start), timeline.velocity(at: seconds, from: start)
      )
    case .merged(let players):
      return (sum(players), players.reduce(.zero) { $0 + $1.velocity })
    }
  }

  private func sum(_ players: [StreamPlayer]) -> Pose {
    players.reduce(start) { $0 + $1.pose - start }
  }
}
