package import ParallaxSystem

/// Who sits at the machine, as a test says.
///
/// Confined to its test's thread, like the loop that watches it.
package final class FakeSessions: SessionDirectory {
  private var presences: [UInt32: SessionPresence]
  private var watches: [Watch] = []

  /// Users that are not named have no session.
  package init(_ presences: [UInt32: SessionPresence] = [:]) {
    self.presences = presences
  }

  /// Changes a user's presence and tells the watches, at once.
  package func set(_ presence: SessionPresence, ofUser userID: UInt32) {
    presences[userID] = presence
    for watch in watches { watch.handler?() }
  }

  /// Watches that somebody still holds.
  package var watchCount: Int {
    watches.removeAll { $0.handler == nil }
    return watches.count
  }

  package func presence(ofUser userID: UInt32) throws(SystemError) -> SessionPresence {
    presences[userID] ?? .none
  }

  package func watch(
    on loop: EventLoop, handler: @escaping () -> Void
  ) throws(SystemError) -> any SessionWatch {
    watch(handler: handler)
  }

  /// The same without a loop: the handler is called by whoever changes something.
  package func watch(handler: @escaping () -> Void) -> any SessionWatch {
    let watch = Watch(handler)
    watches.append(watch)
    return Token(watch)
  }

  private final class Watch {
    var handler: (() -> Void)?

    init(_ handler: @escaping () -> Void) { self.handler = handler }
  }

  /// What the watcher holds; letting go of it ends the watch.
  private final class Token: SessionWatch {
    private let watch: Watch

    init(_ watch: Watch) { self.watch = watch }

    deinit { watch.handler = nil }
  }
}
