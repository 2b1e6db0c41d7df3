// SPDX-License-Identifier: Apache-2.0

/// The motion of one number, or of several that move together, from keyframe to keyframe.
struct KeyframeLane<Value: Animatable>: Sendable {
  /// A keyframe.
  struct Stop {
    var share: Double
    var value: Value
    var curve: Curve
  }

  /// The motion from one keyframe to the next. Times are shares of the duration.
  private struct Segment {
    var begin: Double
    /// After `begin`.
    var end: Double
    /// nil: the value at the start.
    var from: Value?
    var to: Value?
    var curve: Curve
  }

  /// At least one, covering 0 to 1 without a gap.
  private let segments: [Segment]
  /// The value at the end; nil: the value at the start.
  let end: Value?
  let isEmpty: Bool

  /// - Parameter stops: In the order in which they play.
  init(_ stops: [Stop]) {
    var segments: [Segment] = []
    var (place, value): (Double, Value?) = (0, nil)
    for stop in stops {
      // Of several at one place, the motion goes to the first and continues from the last.
      let share = stop.share > 0 ? min(stop.share, 1) : 0
      if share > place {
        segments.append(
          Segment(begin: place, end: share, from: value, to: stop.value, curve: stop.curve))
      }
      (place, value) = (share, stop.value)
    }
    if place < 1 {
      segments.append(Segment(begin: place, end: 1, from: value, to: nil, curve: .linear))
    }
    self.segments = segments
    end = place < 1 ? nil : value
    isEmpty = stops.isEmpty
  }

  /// The value to which it jumps at the start; nil if it does not.
  var begin: Value? { segments[0].from }

  /// Where the motion is between two keyframes, for any start.
  struct Place {
    /// nil: the value at the start.
    fileprivate var from: Value?
    fileprivate var to: Value?
    /// The progress, or the progress per second.
    fileprivate var progress: Double

    /// Returns the value, if `progress` is the progress.
    func value(from start: Value) -> Value {
      (from ?? start) + difference(from: start)
    }

    /// Returns the share of the way between the keyframes.
    func difference(from start: Value) -> Value {
      (to ?? start).minus(from ?? start).scaled(by: progress)
    }
  }

  /// Returns the place at a share of the duration, in 0..<1.
  func place(at share: Double, _ durationSeconds: Double) -> Place {
    place(at: share, durationSeconds) { $0.value(at: $1, durationSeconds: $2) }
  }

  /// Returns the place with the progress per second at a share of the duration, in 0..<1.
  func pace(at share: Double, _ durationSeconds: Double) -> Place {
    place(at: share, durationSeconds) { $0.velocity(at: $1, durationSeconds: $2) }
  }

  @inline(__always)
  private func place(
    at share: Double, _ durationSeconds: Double, _ progress: (Curve, Double, Double) -> Double
  ) -> Place {
    let segment = segments[activeSegment(at: share)]
    let width = segment.end - segment.begin
    return Place(
      from: segment.from, to: segment.to,
      progress: progress(
        segment.curve, (share - segment.begin) / width, width * durationSeconds))
  }

  /// Returns the last segment that has started.
  private func activeSegment(at share: Double) -> Int {
    var low = 0
    var high = segments.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if segments[middle].begin <= share { low = middle } else { high = middle }
    }
    return low
  }
}
