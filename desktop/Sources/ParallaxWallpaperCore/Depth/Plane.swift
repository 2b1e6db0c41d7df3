// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A grid of values in memory of its own.
///
/// Unchecked: several threads fill one plane, each of them other rows, and read only planes that are complete.
final class Plane<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  let width: Int
  let height: Int
  private let start: UnsafeMutablePointer<Element>

  init(width: Int, height: Int, repeating value: Element) {
    self.width = width
    self.height = height
    start = .allocate(capacity: max(1, width * height))
    start.initialize(repeating: value, count: width * height)
  }

  deinit { start.deallocate() }

  /// Returns the values of a row.
  func row(_ y: Int) -> UnsafeMutablePointer<Element> { start + y * width }
}

/// Calls a function for parts of `0..<count` on all processors, and returns after the last of them.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Range<Int>) -> Void) {
  let parts = max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 8, count / 16))
  let threads = (1..<max(1, parts)).compactMap { part -> pthread_t? in
    let range = count * part / parts..<count * (part + 1) / parts
    let work = Unmanaged.passRetained(ThreadWork { body(range) })
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, work.toOpaque())
    guard result == 0 else {
      work.takeRetainedValue().run()
      return nil
    }
    return thread
  }
  body(0..<count / parts)
  for thread in threads { pthread_join(thread, nil) }
}

private final class ThreadWork: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

extension Plane where Element: Comparable {
  /// Returns the smallest or largest value within `radius` of each one, in both directions.
  ///
  /// - Parameter largest: The largest value; false: the smallest.
  func extremes(radius: Int, largest: Bool) -> Plane<Element> {
    guard radius > 0, width > 0, height > 0 else { return self }
    let (width, height) = (width, height)
    let across = Plane(width: width, height: height, repeating: row(0)[0])
    inParallel(height) { [self] rows in
      // A window of twice the length is two shorter ones. Beyond an end the last value continues.
      let count = width + 2 * radius
      let line = UnsafeMutablePointer<Element>.allocate(capacity: count)
      defer { line.deallocate() }
      for y in rows {
        let from = row(y)
        line.update(repeating: from[0], count: radius)
        (line + radius).update(from: from, count: width)
        (line + radius + width).update(repeating: from[width - 1], count: radius)
        var length = 1
        while length < 2 * radius + 1 {
          let step = min(length, 2 * radius + 1 - length)
          Self.join(line, line + step, count: count - step, largest: largest)
          length += step
        }
        across.row(y).update(from: line, count: width)
      }
    }
    let result = Plane(width: width, height: height, repeating: row(0)[0])
    inParallel(height) { rows in
      // The same down the columns, whole rows at a time, and as many as the cache has room for.
      let band = max(32, 2 * radius)
      let lines = Plane(width: width, height: band + 2 * radius, repeating: across.row(0)[0])
      for top in stride(from: rows.lowerBound, to: rows.upperBound, by: band) {
        let last = min(top + band, rows.upperBound)
        let count = last - top + 2 * radius
        for y in 0..<count {
          lines.row(y).update(
            from: across.row(min(max(0, top + y - radius), height - 1)), count: width)
        }
        var length = 1
        while length < 2 * radius + 1 {
          let step = min(length, 2 * radius + 1 - length)
          for y in 0..<(count - step) {
            Self.join(lines.row(y), lines.row(y + step), count: width, largest: largest)
          }
          length += step
        }
        for y in top..<last { result.row(y).update(from: lines.row(y - top), count: width) }
      }
    }
    return result
  }

  /// Replaces values by the larger or smaller ones of two rows.
  private static func join(
    _ a: UnsafeMutablePointer<Element>, _ b: UnsafeMutablePointer<Element>, count: Int,
    largest: Bool
  ) {
    if largest {
      for x in 0..<count { a[x] = max(a[x], b[x]) }
    } else {
      for x in 0..<count { a[x] = min(a[x], b[x]) }
    }
  }
}
