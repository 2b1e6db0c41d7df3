import ParallaxConfig
import ParallaxDaemon
import ParallaxMotion
import ParallaxSystem
import ParallaxTestSupport
import ParallaxWire

/// The daemon's core with a clock that a test moves, and clients in memory.
final class Rig {
  static let daemonUser: UInt32 = 900
  static let second: Int64 = 1_000_000_000

  let clock: SettableClock
  let sessions = FakeSessions([1000: .active, 1001: .active])
  let core: DaemonCore
  private let logged = Log()

  private final class Log {
    var lines: [String] = []
  }

  /// What was logged so far.
  var log: [String] { logged.lines }

  /// - Parameter source: what motion comes from; nil: what the configuration says.
  init(
    _ settings: [String] = ["source.kind=synthetic"],
    clock: SettableClock = SettableClock(nanoseconds: 1_000 * second),
    documents: (any DocumentSource)? = nil,
    source: ((Configuration) -> any MotionSource)? = nil
  ) throws {
    self.clock = clock
    let logged = logged
    core = DaemonCore(
      configuration: try Self.configuration(settings),
      admission: Admission(
        daemonUserID: Self.daemonUser, sessions: sessions, accounts: Self.accounts),
      atNanoseconds: clock.nanoseconds, documents: documents ?? ConfiguredDocuments(),
      watchSessions: { [sessions] in sessions.watch(handler: $0) },
      clock: clock.reading,
      makeSource: source ?? { Self.source($0) },
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
    default: MissingSource(driver: "iio", name: nil, reason: "none here")
    }
  }

  /// Group 50 is `parallax` and 60 `steerers`; 1003 is a member of both, 1004 is called `nora`.
  private static var accounts: AccountLookup {
    AccountLookup(
      userID: { name throws(SystemError) in name == "nora" ? 1004 : nil },
      groupID: { name throws(SystemError) in ["parallax": 50, "steerers": 60][name] },
      isMember: { user, group throws(SystemError) in user == 1003 && [50, 60].contains(group) })
  }

  static func peer(_ uid: UInt32, groups: [UInt32]? = []) -> PeerCredentials {
    PeerCredentials(processID: 1, userID: uid, groupID: uid, supplementaryGroups: groups)
  }

  var now: Int64 { clock.nanoseconds }

  // -- Clients

  /// Connects to the stream socket.
  func subscribe(_ uid: UInt32 = 0, groups: [UInt32]? = []) -> Client {
    let connection = FakeConnection()
    let events = core.stream.connect(
      connection, from: Self.peer(uid, groups: groups), atNanoseconds: now)
    return Client(rig: self, connection: connection, events: events)
  }

  /// Connects to the control socket.
  func control(_ uid: UInt32 = 0, groups: [UInt32]? = []) -> Client {
    let connection = FakeConnection()
    let events = core.control.connect(
      connection, from: Self.peer(uid, groups: groups), atNanoseconds: now)
    return Client(rig: self, connection: connection, events: events)
  }

  // -- Time

  /// Lets time pass, with everything that is due on the way.
  func run(seconds: Double) {
    let end = now + Int64((seconds * 1e9).rounded())
    while let due = core.deadlineNanoseconds, due <= end {
      clock.nanoseconds = max(now, due)
      core.advance(atNanoseconds: now)
    }
    clock.nanoseconds = end
  }

  /// Lets time pass until nothing is under way, at most so long.
  func runUntilIdle(limitSeconds: Double = 3_600) {
    let end = now + Int64(limitSeconds * 1e9)
    while let due = core.deadlineNanoseconds, due <= end {
      clock.nanoseconds = max(now, due)
      core.advance(atNanoseconds: now)
    }
  }
}

/// One client of a rig.
final class Client {
  let connection: FakeConnection
  private let rig: Rig
  private weak var events: (any ClientEvents)?

  init(rig: Rig, connection: FakeConnection, events: (any ClientEvents)?) {
    self.rig = rig
    self.connection = connection
    self.events = events
  }

  var isClosed: Bool { connection.isClosed }

  /// Sends lines.
  func send(_ lines: String...) {
    for line in lines { send(bytes: Array((line + "\n").utf8)) }
  }

  func send(bytes: [UInt8]) {
    guard connection.isReading, !connection.isClosed else { return }
    bytes.withUnsafeBytes { events?.received($0, atNanoseconds: rig.now) }
  }

  func endInput() { events?.inputEnded(atNanoseconds: rig.now) }

  func hangUp() { events?.hungUp(atNanoseconds: rig.now) }

  /// There is room again, as the loop would tell.
  func becomeWritable() {
    if connection.wantsWritable { events?.writable(atNanoseconds: rig.now) }
  }

  /// The lines that came since the last time.
  func lines() -> [Line] { Line.all(in: connection.takeBytes()) }

  /// Of those, the frames.
  func frames() -> [Line] { lines().filter { $0.name == "OFFSET" } }

  /// Sends a request and gives what came since.
  func ask(_ request: String) -> [Line] {
    _ = lines()
    send(request)
    return lines()
  }
}
