// SPDX-License-Identifier: Apache-2.0

/// When an output draws: while the offset changes, and a little longer. Then nothing happens until the
/// stream speaks again.
package struct DrawingSchedule: Equatable, Sendable {
  /// How long the offset may rest before drawing stops: longer than a client follows a frame's velocity
  /// (50 ms) and than the longest pause between two frames of a slow stream.
  package static let patienceNanoseconds: Int64 = 150_000_000

  /// How long a frame callback may take. The compositor sends none while no one sees the picture: under a
  /// fullscreen window, or on an output that sleeps.
  package static let hiddenNanoseconds: Int64 = 1_000_000_000

  /// Since when a frame callback is awaited; nil while none is.
  private var awaitedSince: Int64?
  private var lastChange: Int64 = .min

  package init() {}

  /// Whether a frame callback is awaited.
  package var isAwaitingFrame: Bool { awaitedSince != nil }

  /// The instant from which on the picture counts as hidden unless a frame callback arrives before; nil while
  /// none is awaited.
  package var hiddenFrom: Int64? { awaitedSince.map { $0 + Self.hiddenNanoseconds } }

  /// Returns whether no one sees the picture.
  package func isHidden(at nanoseconds: Int64) -> Bool {
    hiddenFrom.map { $0 <= nanoseconds } ?? false
  }

  /// Takes note of a line of the stream, or of a new picture. Returns whether to draw now; otherwise the
  /// compositor's next frame callback does.
  package mutating func wake(at nanoseconds: Int64) -> Bool {
    lastChange = max(lastChange, nanoseconds)
    guard awaitedSince == nil else { return false }
    awaitedSince = nanoseconds
    return true
  }

  /// The compositor is ready for another frame. Returns whether to draw it.
  package mutating func frame(at nanoseconds: Int64) -> Bool {
    // A picture that was hidden is where it was then.
    if isHidden(at: nanoseconds) { lastChange = max(lastChange, nanoseconds) }
    let goesOn = nanoseconds - lastChange <= Self.patienceNanoseconds
    awaitedSince = goesOn ? nanoseconds : nil
    return goesOn
  }

  /// A drawn picture differed from the one before.
  package mutating func drew(at nanoseconds: Int64) {
    lastChange = max(lastChange, nanoseconds)
  }
}
