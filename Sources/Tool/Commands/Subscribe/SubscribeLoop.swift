// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxClient

/// Connects, reads and writes for a `Subscription`.
struct SubscribeLoop: ~Copyable {
  private var connection: LineConnection
  private let watch: WatchMessage?
  private let verbosity: Verbosity
  private let showsReasons: Bool
  private var subscription: Subscription

  init(paths: [String], options: Subscription.Options, verbosity: Verbosity) {
    connection = LineConnection(to: paths, policy: .standard)
    watch = options.watch
    self.verbosity = verbosity
    showsReasons = options.format.isBar
    subscription = Subscription(options, at: .now)
  }

  /// Returns when everything has been printed.
  mutating func run() throws {
    do {
      while true {
        try handle(connection.next())
        try flush()
      }
    } catch Subscription.Ending.complete {
      try flush()
    } catch Subscription.Ending.failed(let failure) {
      try flush()
      throw failure
    }
  }

  private mutating func handle(_ event: LineConnection.Event?) throws {
    switch event {
    case .connecting?: break
    case .connected?:
      verbosity.detail("connected to \(connection.path)")
      subscription.connected(at: .now)
      if let watch { connection.send(watch.line()) }
    case .line(let line)?: try subscription.receive(line, at: .now)
    case .lost(let error)?, .ended(let error?)?:
      try subscription.caughtUp(at: .now)
      try subscription.lost(error, at: .now)
    case nil, .ended(nil)?:
      try subscription.caughtUp(at: .now)
      try subscription.tick(at: .now)
      try flush()
      try wait()
    }
  }

  /// Waits for the daemon or the subscription's own deadlines.
  ///
  /// - Throws: `OutputClosed` if the reader of standard output is gone.
  private func wait() throws {
    // POLLERR, which a pipe without a reader sets, is reported without being requested.
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    connection.wait(with: &output, until: subscription.deadline)
    if output.revents & Int16(POLLERR) != 0 { throw OutputClosed() }
  }

  private mutating func flush() throws {
    for error in subscription.errors { Console.report(error) }
    for note in subscription.notes {
      // A bar shows the reason itself, and polybar would show this in its place.
      if showsReasons { verbosity.detail(note) } else { verbosity.note(note) }
    }
    subscription.errors.removeAll()
    subscription.notes.removeAll()
    guard !subscription.output.isEmpty else { return }
    try Console.write(subscription.output)
    subscription.output.removeAll(keepingCapacity: true)
  }
}
