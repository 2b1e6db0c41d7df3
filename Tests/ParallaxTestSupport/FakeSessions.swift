// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxLoop

/// Login sessions that a test sets.
///
/// Confined to its test's thread, like the loop that watches it.
package final class FakeSessions: SessionDirectory {
  private var presences: [UInt32: SessionPresence]
  private var watches: [Watch] = []
  /// Why reading fails; nil if it succeeds.
  package var failure: SystemError?
  private let seat = "seat0"

  /// Creates sessions; other users have none.
  package init(_ presences: [UInt32: SessionPresence] = [:]) {
    self.presences = presences
  }

  /// Changes a user's presence and calls the handlers of the watches.
  package func set(_ presence: SessionPresence, ofUser userID: UInt32) {
    presences[userID] = presence
    for watch in watches { watch.handler?() }
  }

  /// The number of watches that have not ended.
  package var watchCount: Int {
    watches.removeAll { $0.handler == nil }
    return watches.count
  }

  /// Makes reading fail, and calls the handlers of the watches.
  package func fail(_ error: SystemError) {
    failure = error
    for watch in watches { watch.handler?() }
  }

  package func presences(onSeat seat: String) throws(SystemError) -> [UInt32: SessionPresence] {
    if let failure { throw failure }
    return seat == self.seat ? presences : [:]
  }

  package func watch(
    on loop: EventLoop, handler: @escaping () -> Void
  ) throws(SystemError) -> any SessionWatch {
    watch(handler: handler)
  }

  /// Watches without a loop: `set` calls the handler.
  package func watch(handler: @escaping () -> Void) -> any SessionWatch {
    let watch = Watch(handler)
    watches.append(watch)
    return Token(watch)
  }

  private final class Watch {
    var handler: (() -> Void)?

    init(_ handler: @escaping () -> Void) { self.handler = handler }
  }

  /// The watch for the caller; dropping it ends the watch.
  private final class Token: SessionWatch {
    private let watch: Watch

    init(_ watch: Watch) { self.watch = watch }

    deinit { watch.handler = nil }
  }
}
