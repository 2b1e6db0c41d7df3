// SPDX-License-Identifier: Apache-2.0

/// When changed files are read again: once they rest, since programs write a file in several steps.
package struct ReloadSchedule: Equatable, Sendable {
  /// How long the files must have rested.
  package static let restNanoseconds: Int64 = 200_000_000

  /// When to read; nil while nothing has changed.
  private var due: Int64?

  package init() {}

  /// Takes note of a change.
  package mutating func changed(at nanoseconds: Int64) {
    due = nanoseconds + Self.restNanoseconds
  }

  /// Returns how long to wait at most, in ms, rounded up; -1 while nothing has changed.
  package func timeoutMilliseconds(at nanoseconds: Int64) -> Int32 {
    guard let due else { return -1 }
    return Int32(clamping: max(0, (due - nanoseconds + 999_999) / 1_000_000))
  }

  /// Returns whether to read the files now; true once.
  package mutating func isDue(at nanoseconds: Int64) -> Bool {
    guard let due, nanoseconds >= due else { return false }
    self.due = nil
    return true
  }
}
