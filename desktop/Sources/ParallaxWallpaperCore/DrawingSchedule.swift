// SPDX-License-Identifier: Apache-2.0

/// When an output draws: while the offset changes, and a little longer. Then nothing happens until the
/// stream speaks again.
package struct DrawingSchedule: Equatable, Sendable {
  /// How long the offset may rest before drawing stops: longer than a client follows a frame's velocity
  /// (50 ms) and than the longest pause between two frames of a slow stream.
  package static let patienceNanoseconds: Int64 = 150_000_000

  /// Whether a frame callback is awaited.
  package private(set) var isAwaitingFrame = false
  private var lastChange: Int64 = .min

  package init() {}

  /// Takes note of a line of the stream, or of a new picture. Returns whether to draw now; otherwise the
  /// compositor's next frame callback does.
  package mutating func wake(at nanoseconds: Int64) -> Bool {
    lastChange = max(lastChange, nanoseconds)
    guard !isAwaitingFrame else { return false }
    isAwaitingFrame = true
    return true
  }

  /// The compositor is ready for another frame. Returns whether to draw it.
  package mutating func frame(at nanoseconds: Int64) -> Bool {
    isAwaitingFrame = nanoseconds - lastChange <= Self.patienceNanoseconds
    return isAwaitingFrame
  }

  /// A drawn picture differed from the one before.
  package mutating func drew(at nanoseconds: Int64) {
    lastChange = max(lastChange, nanoseconds)
  }
}
