// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// Limits how many lines of each kind a log takes: a burst, then one per second.
///
/// Of the lines that come too fast the last one is kept, and comes out once its kind is due again: the
/// log ends with the present state. Pure: time is an argument, on CLOCK_MONOTONIC.
package struct LogLimiter<Kind: Hashable, Line> {
  /// Lines of one kind that may come at once.
  package static var burst: Int { 20 }
  /// The pause between two lines of a kind after the burst.
  package static var period: MotionDuration { .seconds(1) }

  /// A line to write.
  package struct Admitted {
    package var line: Line
    /// The number of lines of its kind that were left out before it.
    package var leftOut: Int
  }

  private struct Bucket {
    /// When the kind's burst is available again in full.
    var full: MotionInstant
    /// The last line that was not written.
    var last: Line?
    /// Lines not written since the last one that was.
    var leftOut = 0
  }

  private var buckets: [Kind: Bucket] = [:]
  /// The number of kinds with a line that waits.
  package private(set) var waiting = 0

  package init() {}

  /// Takes a line; returns it if it may be written now.
  package mutating func admit(
    _ line: Line, kind: Kind, at now: MotionInstant
  ) -> Admitted? {
    var bucket = buckets[kind] ?? Bucket(full: now)
    defer { buckets[kind] = bucket }
    let admitted = Self.take(&bucket, at: now)
    guard admitted else {
      if bucket.leftOut == 0 { waiting += 1 }
      bucket.last = line
      bucket.leftOut += 1
      return nil
    }
    if bucket.leftOut > 0 { waiting -= 1 }
    defer { (bucket.last, bucket.leftOut) = (nil, 0) }
    return Admitted(line: line, leftOut: bucket.leftOut)
  }

  /// Returns the lines that have waited and may be written now, in no particular order.
  ///
  /// - Parameter all: Whether to return every line that waits, at the end of the program.
  package mutating func due(at now: MotionInstant, all: Bool = false) -> [Admitted] {
    guard waiting > 0 else { return [] }
    var lines: [Admitted] = []
    for (kind, found) in buckets {
      var bucket = found
      guard let last = bucket.last, Self.take(&bucket, at: now) || all else { continue }
      lines.append(Admitted(line: last, leftOut: bucket.leftOut - 1))
      (bucket.last, bucket.leftOut) = (nil, 0)
      buckets[kind] = bucket
      waiting -= 1
    }
    return lines
  }

  /// Takes one line's share of the burst; returns whether there was one.
  private static func take(_ bucket: inout Bucket, at now: MotionInstant) -> Bool {
    let full = max(bucket.full, now).addingSaturated(period)
    guard full <= now.addingSaturated(period * Int64(burst)) else { return false }
    bucket.full = full
    return true
  }
}
