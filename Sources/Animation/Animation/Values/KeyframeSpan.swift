// SPDX-License-Identifier: Apache-2.0

/// A change during a part of a duration, as UIKit's `addKeyframe(withRelativeStartTime:relativeDuration:animations:)`.
public struct KeyframeSpan: Equatable, Sendable {
  /// The share of the whole duration at which it begins, 0...1.
  public var start: Double
  /// The share of the whole duration that it takes.
  public var duration: Double
  /// What changes.
  public var change: PoseChange
  /// The curve of the change.
  public var curve: Curve

  /// Creates a span.
  ///
  /// - Parameters:
  ///   - start: Share of the whole duration at which it begins, clamped to 0...1.
  ///   - duration: Share of the whole duration that it takes, clamped to what is left.
  ///   - change: What changes.
  ///   - curve: Default: ``Curve/linear``.
  public init(start: Double, duration: Double, _ change: PoseChange, curve: Curve = .linear) {
    self.start = start > 0 ? min(start, 1) : 0
    self.duration = duration > 0 ? min(duration, 1 - self.start) : 0
    self.change = change
    self.curve = curve
  }
}

extension Animation {
  /// Plays changes, each during a part of the whole duration. Those of one property form a track, one after the other; tracks play
  /// at once. Where spans of one property overlap, their differences add.
  ///
  /// - Parameters:
  ///   - duration: Duration of the whole.
  ///   - spans: In any order.
  public static func keyframes(duration: Duration, _ spans: KeyframeSpan...) -> Animation {
    let seconds = duration.inSeconds
    var tracks: [(channels: PoseChannels, end: Double, parts: [Animation])] = []
    for span in spans.sorted(by: { $0.start < $1.start }) {
      let channels = span.change.channels
      let track =
        tracks.firstIndex { $0.end <= span.start && !$0.channels.isDisjoint(with: channels) }
        ?? tracks.endIndex
      if track == tracks.endIndex { tracks.append((channels, 0, [])) }
      let pause = (span.start - tracks[track].end) * seconds
      if pause > 0 { tracks[track].parts.append(.delay(seconds: pause)) }
      let step = AnimationStep(
        span.change, durationSeconds: span.duration * seconds, curve: span.curve)
      tracks[track].parts.append(.step(step))
      tracks[track].channels.formUnion(channels)
      tracks[track].end = span.start + span.duration
    }
    return .parallel(tracks.map { .sequence($0.parts) } + [.delay(seconds: seconds)])
  }
}
