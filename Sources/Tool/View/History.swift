// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// A value over the last seconds, for a graph.
struct History: Equatable, Sendable {
  /// What the widest graph shows.
  static let span = MotionDuration.seconds(12)

  private(set) var points: [(time: MotionInstant, value: SIMD3<Double>)] = []
  /// The first point that counts; those before are removed now and then.
  private var start = 0

  static func == (left: History, right: History) -> Bool {
    left.points.elementsEqual(right.points) { $0 == $1 } && left.start == right.start
  }

  /// Adds a value. A point that is not later than the last one starts over: the stream is a new one.
  mutating func add(_ value: SIMD3<Double>, at time: MotionInstant) {
    if let last = points.last, time <= last.time {
      points.removeAll(keepingCapacity: true)
      start = 0
    }
    points.append((time, value))
    while start < points.count - 1, time - points[start].time > Self.span { start += 1 }
    if start > 4_096 {
      points.removeFirst(start)
      start = 0
    }
  }

  mutating func removeAll() {
    points.removeAll()
    start = 0
  }

  var last: (time: MotionInstant, value: SIMD3<Double>)? { points.last }

  /// The points from an instant on, preceded by the last one before it.
  func points(
    since instant: MotionInstant
  ) -> ArraySlice<(time: MotionInstant, value: SIMD3<Double>)> {
    var (low, high) = (start, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].time < instant { low = middle + 1 } else { high = middle }
    }
    return points[max(start, low - 1)...]
  }
}
