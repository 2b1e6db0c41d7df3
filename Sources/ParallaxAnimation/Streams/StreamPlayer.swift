/// Plays a stream: pulls the next animation when the one before has ended, and says where the pose is.
/// Driven by whoever has ticks; an animation begins at the very instant when the one before has ended,
/// whenever the tick comes. A frame in which none ends allocates nothing.
///
/// Each animation begins where the one before has left the pose.
package struct StreamPlayer: Sendable {
  package enum Event: Equatable, Sendable {
    /// The animation of this number, from 0, begins.
    case began(Int)
    case ended(Int, AnimationPosition)
    /// The stream itself: once, and the last that is told.
    case finished(AnimationPosition)
  }

  private enum State: Sendable {
    /// Nothing has been pulled yet.
    case waiting(beginNanoseconds: Int64)
    /// An animation is under way.
    case playing(Playing)
    /// All has been told.
    case finished
  }

  private struct Playing: Sendable {
    let timeline: Timeline
    let start: Pose
    var sinceNanoseconds: Int64

    /// nil: never.
    var endNanoseconds: Int64? {
      instant(sinceNanoseconds, plusSeconds: timeline.durationSeconds)
    }
  }

  /// Where the pose is since the last call that took a time.
  package private(set) var pose: Pose
  /// Its change a second.
  package private(set) var velocity = Pose.zero

  private let start: Pose
  private var cursor: StreamCursor
  private var state: State
  private var nowNanoseconds = Int64.min
  /// Animations that were pulled.
  private var count = 0
  private var events: [Event] = []

  /// - Parameters:
  ///   - start: the pose where it begins.
  ///   - begin: when it begins; the first `advance` to then, or later, pulls.
  package init(_ stream: AnimationStream, from start: Pose = .rest, atNanoseconds begin: Int64) {
    cursor = StreamCursor(stream)
    self.start = start
    pose = start
    state = .waiting(beginNanoseconds: begin)
  }

  package var isFinished: Bool { if case .finished = state { true } else { false } }

  /// When the next animation ends or the first begins; nil: nothing happens by itself.
  package var nextEventNanoseconds: Int64? {
    switch state {
    case .waiting(let begin): begin
    case .playing(let playing): playing.endNanoseconds
    case .finished: nil
    }
  }

  /// What has happened since the last call.
  package mutating func takeEvents() -> [Event] {
    if events.isEmpty { return [] }
    defer { events = [] }
    return events
  }

  /// Lets the time go on. A time that goes back counts as the latest.
  package mutating func advance(toNanoseconds now: Int64) {
    nowNanoseconds = max(nowNanoseconds, now)
    if case .waiting(let begin) = state, begin <= nowNanoseconds {
      pull(after: AnimationEnding(position: .start, pose: start), atNanoseconds: begin)
    }
    var ended = 0
    while case .playing(let playing) = state, let end = playing.endNanoseconds,
      end <= nowNanoseconds
    {
      ended += 1
      guard ended <= Self.animationsATick else {
        // The rest of what it has missed, or of what takes no time, is not made up for.
        state = .playing(
          Playing(
            timeline: playing.timeline, start: playing.start, sinceNanoseconds: nowNanoseconds))
        break
      }
      let ending = AnimationEnding(
        position: .end, pose: playing.timeline.end(from: playing.start),
        seconds: playing.timeline.durationSeconds)
      events.append(.ended(count - 1, .end))
      pull(after: ending, atNanoseconds: end)
    }
    stand()
  }

  /// Ends it at once: as all was before it began; where it is; or at its end, as a closed gate does: what
  /// is still to come is begun and ended too, each in no time (a choice that never ends is cut).
  package mutating func end(at position: AnimationPosition, atNanoseconds now: Int64) {
    advance(toNanoseconds: now)
    if position == .end { return hurry() }
    guard !isFinished else { return }
    if case .playing = state { events.append(.ended(count - 1, position)) }
    if position == .start { pose = start }
    finish(position)
  }

  private mutating func hurry() {
    if case .waiting = state {
      pull(
        after: AnimationEnding(position: .start, pose: start, isHurried: true),
        atNanoseconds: nowNanoseconds)
    }
    var ended = 0
    while case .playing(let playing) = state {
      ended += 1
      pose = playing.timeline.end(from: playing.start)
      events.append(.ended(count - 1, .end))
      guard ended < Self.animationsATick else { return finish(.end) }
      pull(
        after: AnimationEnding(position: .end, pose: pose, isHurried: true),
        atNanoseconds: nowNanoseconds)
    }
  }

  /// As many end at most within one call: what is chosen one by one may take no time, without end.
  private static let animationsATick = 1000

  private mutating func pull(after ending: AnimationEnding, atNanoseconds begin: Int64) {
    pose = ending.pose
    guard let animation = cursor.next(after: ending) else { return finish(.end) }
    state = .playing(
      Playing(timeline: Timeline(animation), start: ending.pose, sinceNanoseconds: begin))
    events.append(.began(count))
    count += 1
  }

  private mutating func finish(_ position: AnimationPosition) {
    state = .finished
    velocity = .zero
    events.append(.finished(position))
  }

  private mutating func stand() {
    guard case .playing(let playing) = state else { return }
    let seconds = seconds(from: playing.sinceNanoseconds, to: nowNanoseconds)
    pose = playing.timeline.pose(at: seconds, from: playing.start)
    velocity = playing.timeline.velocity(at: seconds, from: playing.start)
  }
}
