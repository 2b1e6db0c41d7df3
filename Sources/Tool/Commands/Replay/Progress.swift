// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import Synchronization

/// The progress of a long replay, on one line of a terminal that is overwritten and finally cleared.
/// Nothing is shown in the first half second.
final class Progress: Sendable {
  private let totalBytes: Int
  private let isShown: Bool
  private let start: MotionInstant
  private let doneBytes = Atomic(0)
  /// When the line is due, in nanoseconds of CLOCK_MONOTONIC.
  private let due: Atomic<Int64>

  private static let firstDelay: MotionDuration = .milliseconds(500)
  private static let interval: MotionDuration = .milliseconds(200)

  /// - Parameter totalBytes: The size of all traces; 0 if it is unknown.
  init(totalBytes: Int, isShown: Bool) {
    self.totalBytes = totalBytes
    self.isShown = isShown
    start = MonotonicClock.now()
    due = Atomic((start + Self.firstDelay).nanoseconds)
  }

  /// Adds bytes of traces that are done.
  func add(bytes: Int) {
    guard isShown else { return }
    let done = doneBytes.wrappingAdd(bytes, ordering: .relaxed).newValue
    let now = MonotonicClock.now()
    let due = due.load(ordering: .relaxed)
    // One of several threads shows the line.
    guard now.nanoseconds >= due,
      self.due.compareExchange(
        expected: due, desired: (now + Self.interval).nanoseconds, ordering: .relaxed
      ).exchanged
    else { return }
    show(done: done, seconds: (now - start).seconds)
  }

  /// Clears the line.
  func finish() {
    guard isShown, MonotonicClock.now() >= start + Self.firstDelay else { return }
    Console.writeError("\r\u{1B}[K")
  }

  private func show(done: Int, seconds: Double) {
    let megabytes = done / 1_000_000
    let rate = Int(Double(done) / 1e6 / seconds)
    if totalBytes > 0 {
      let percent = min(100, done * 100 / totalBytes)
      let left = Int(seconds * Double(max(0, totalBytes - done)) / Double(max(1, done)))
      Console.writeError(
        "\r\u{1B}[Kreplay: \(percent) % of \(totalBytes / 1_000_000) MB, \(rate) MB/s, \(left) s left"
      )
    } else {
      Console.writeError("\r\u{1B}[Kreplay: \(megabytes) MB, \(rate) MB/s")
    }
  }
}
