// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxClient

/// Connects, reads and writes for a `Subscription`.
struct SubscribeLoop {
  private let paths: [String]
  private let watch: WatchMessage?
  private let verbosity: Verbosity
  private let showsReasons: Bool
  private var subscription: Subscription
  private var backoff = Backoff(first: .milliseconds(100), longest: .seconds(5))

  init(paths: [String], options: Subscription.Options, verbosity: Verbosity) {
    self.paths = paths
    watch = options.watch
    self.verbosity = verbosity
    showsReasons = options.format.isBar
    subscription = Subscription(options, at: .now)
  }

  /// Returns when everything has been printed.
  mutating func run() throws {
    do {
      while true {
        let error = try serve()
        try subscription.lost(error, at: .now)
        try wait(until: .now + backoff.next())
      }
    } catch Subscription.Ending.complete {
      try flush()
    } catch Subscription.Ending.failed(let failure) {
      try flush()
      throw failure
    }
  }

  /// Connects and reads until the connection ends. Returns why.
  private mutating func serve() throws -> ParallaxError {
    do {
      try follow()
      return .closed
    } catch let error as ParallaxError {
      return error
    }
  }

  private mutating func follow() throws {
    var stream = try LineConnection(toFirstOf: paths)
    verbosity.detail("connected to \(stream.path)")
    subscription.connected(at: .now)
    if let watch {
      // A daemon that refuses a client says so and closes before the request; that is read next.
      do { try stream.send(watch.line) } catch .closed {}
    }
    while true {
      switch try stream.nextLine() {
      case .line(let line):
        try subscription.receive(line, at: .now)
        try flush()
      case .end:
        return try subscription.caughtUp(at: .now)
      case .none:
        try subscription.caughtUp(at: .now)
        if subscription.isGreeted { backoff.reset() }
        try wait(for: stream.descriptor, until: nil)
      }
    }
  }

  /// Waits for input or an instant, and meanwhile for the subscription's own deadlines.
  ///
  /// - Throws: `OutputClosed` if the reader of standard output is gone.
  private mutating func wait(for input: Int32 = -1, until instant: MotionInstant?) throws {
    while true {
      try subscription.tick(at: .now)
      try flush()
      var entries = [
        pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        // POLLERR, which a pipe without a reader sets, is reported without being requested.
        pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
      ]
      let next = MotionInstant.earlier(instant, subscription.deadline)
      _ = poll(&entries, 2, next.map { Self.milliseconds(until: $0) } ?? -1)
      if entries[1].revents & Int16(POLLERR) != 0 { throw OutputClosed() }
      if entries[0].revents != 0 { return }
      if let instant, MotionInstant.now >= instant { return }
    }
  }

  /// Returns the time to an instant for poll(), rounded up.
  private static func milliseconds(until instant: MotionInstant) -> Int32 {
    Int32(clamping: max(0, ((instant - .now).nanoseconds + 999_999) / 1_000_000))
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
