// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxDaemon
import ParallaxDevice
import ParallaxLoop
import ParallaxMotion
import ParallaxProtocol
import ParallaxTestSupport

/// The daemon's core with a settable clock and clients in memory.
final class Rig {
  static let daemonUser: UInt32 = 900
  /// The clock's first time.
  static let startTime = MotionInstant.zero + .seconds(1_000)

  let clock: SettableClock
  let sessions = FakeSessions([1000: .active, 1001: .active])
  let lookups = Lookups()
  let core: DaemonCore
  /// What a client of the control socket sends, for the kinds of source that take it.
  let feed = Feed()
  private let logged = Log()

  private final class Log {
    var lines: [String] = []
  }

  /// Counts the lookups of users and groups.
  final class Lookups {
    var count = 0
  }

  /// The lines that were logged.
  var log: [String] { logged.lines }

  /// - Parameter source: Makes the source of motion, but for a feed; nil: the configured one.
  init(
    _ settings: [String] = ["source.kind=synthetic"],
    clock: SettableClock = SettableClock(startTime),
    documents: (any DocumentSource)? = nil,
    worker: any DocumentWorker = ImmediateDocumentWorker(),
    source: ((Configuration) -> any MotionSource)? = nil
  ) throws {
    self.clock = clock
    let logged = logged
    let feed = GyroSource(
      feed.environment(clock: clock.reading) { logged.lines.append($1) },
      biases: BiasStore(process: ProcessEnvironment(userID: 1000, variables: [:])) { _ in })
    core = DaemonCore(
      configuration: try Self.configuration(settings),
      access: AccessEnvironment(
        daemonUserID: Self.daemonUser, accounts: Self.accounts(lookups), sessions: sessions,
        watch: { [sessions] handler in sessions.watch(handler: handler) }),
      at: clock.now, documents: documents ?? ConfiguredDocuments(),
      worker: worker,
      clock: clock.reading,
      makeSource: { configuration in
        let kind = configuration.source.kind
        if kind.takesFeed {
          feed.configure(.feed(configuration), settings: configuration.motion)
        }
        if kind == .feed { return feed }
        let other = source?(configuration) ?? Self.source(configuration)
        return kind == .automatic ? AutoSource(feed, or: other, needsSamples: true) : other
      }, feed: self.feed,
      log: { logged.lines.append($0) })
  }

  static func configuration(_ settings: [String]) throws -> Configuration {
    var builder = ConfigurationBuilder()
    for setting in settings { builder.set(assignment: setting) }
    return try builder.build().configuration
  }

  private static func source(_ configuration: Configuration) -> any MotionSource {
    switch configuration.source.kind {
    case .trace:
      TraceSource(
        path: configuration.source.trace ?? "", settings: configuration.motion,
        loops: configuration.source.loops, warn: { _ in })
    case .synthetic(let seed): SyntheticSource(seed: seed)
    case .automatic: SyntheticSource(seed: SourceKind.standardSeed)
    default: MissingSource(driver: "iio", name: nil, reason: "none here")
    }
  }

  /// Group 50 is `parallax`, 60 is `operators`; user 1004 is `nora`.
  private static func accounts(_ lookups: Lookups) -> AccountLookup {
    AccountLookup(
      userID: { name throws(SystemError) in
        lookups.count += 1
        return name == "nora" ? 1004 : nil
      },
      groupID: { name throws(SystemError) in
        lookups.count += 1
        return ["parallax": 50, "operators": 60][name]
      })
  }

  static func peer(_ uid: UInt32, groups: [UInt32]? = []) -> PeerCredentials {
    PeerCredentials(processID: 1, userID: uid, groupID: uid, supplementaryGroups: groups)
  }

  var now: MotionInstant { clock.now }

  // MARK: - Clients

  /// Connects to the stream socket.
  func subscribe(_ uid: UInt32 = 0, groups: [UInt32]? = []) -> Client {
    let connection = FakeConnection()
    let events = core.stream.connect(
      connection, from: Self.peer(uid, groups: groups), at: now)
    return Client(rig: self, connection: connection, events: events)
  }

  /// Connects to the control socket.
  func control(_ uid: UInt32 = 0, groups: [UInt32]? = []) -> Client {
    let connection = FakeConnection()
    let events = core.control.connect(
      connection, from: Self.peer(uid, groups: groups), at: now)
    return Client(rig: self, connection: connection, events: events)
  }

  // MARK: - Time

  /// Advances the time and does everything that becomes due.
  func run(seconds: Double) {
    let end = now + MotionDuration(seconds: seconds)
    while let due = core.deadline, due <= end {
      clock.now = max(now, due)
      core.advance(at: now)
    }
    clock.now = end
  }

  /// Advances the time until nothing is scheduled, at most by an hour.
  func runUntilIdle() {
    let end = now + .seconds(3_600)
    while let due = core.deadline, due <= end {
      clock.now = max(now, due)
      core.advance(at: now)
    }
  }
}

/// One client of a rig.
final class Client {
  let connection: FakeConnection
  private let rig: Rig
  private weak var events: (any ClientEvents)?
  /// What it has sent and the daemon has not received.
  private var unread: [UInt8] = []
  private var hasEndedInput = false

  init(rig: Rig, connection: FakeConnection, events: (any ClientEvents)?) {
    self.rig = rig
    self.connection = connection
    self.events = events
  }

  var isClosed: Bool { connection.isClosed }

  /// Sends lines, and lets the daemon handle as many as it will.
  func send(_ lines: String...) {
    for line in lines { send(bytes: Array((line + "\n").utf8)) }
  }

  func send(bytes: [UInt8]) {
    write(bytes)
    while takeTurn() {}
  }

  /// Puts bytes into the socket's buffer, from where the daemon takes them in its turns.
  func write(_ bytes: [UInt8]) { unread += bytes }

  func endInput() {
    hasEndedInput = true
    while takeTurn() {}
  }

  func hangUp() { events?.hungUp(at: rig.now) }

  /// Reports that the socket accepts bytes again, if that was requested.
  func becomeWritable() {
    if connection.awaits.contains(.output) { events?.writable(at: rig.now) }
    while takeTurn() {}
  }

  /// Reports one event of the client's input, as the event loop does in a turn, and returns whether there
  /// was one.
  func takeTurn() -> Bool {
    guard !connection.isClosed else { return false }
    if connection.awaits.contains(.turn) {
      connection.awaits.remove(.turn)
      events?.takeTurn(at: rig.now)
      return true
    }
    guard connection.awaits.contains(.input) else { return false }
    if !unread.isEmpty {
      let block = Array(unread.prefix(4096))
      unread.removeFirst(block.count)
      block.withUnsafeBytes { events?.received($0, at: rig.now) }
      return true
    }
    guard hasEndedInput else { return false }
    hasEndedInput = false
    events?.inputEnded(at: rig.now)
    return true
  }

  /// Returns the lines received since the last call.
  func lines() -> [Line] { Line.all(in: connection.consume()) }

  /// Returns the OFFSET lines received since the last call.
  func frames() -> [Line] { lines().filter { $0.name == "OFFSET" } }

  /// Sends a request and returns the lines received after it.
  func ask(_ request: String) -> [Line] {
    _ = lines()
    send(request)
    return lines()
  }
}
