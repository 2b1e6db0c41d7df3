import ParallaxMotion
import ParallaxWire

/// What an agent says to the daemon, and when: pure, time is an argument (nanoseconds of
/// CLOCK_MONOTONIC). Whoever holds it performs the actions in their order and arms a timer for
/// `deadlineNanoseconds`.
///
/// Everything is said on one connection; on a new one everything is said again. One line is under way
/// at a time: what changes meanwhile is said behind its answer, all in one.
struct AgentLife: Equatable, Sendable {
  enum Event: Equatable, Sendable {
    /// The session is being asked.
    case started
    /// The session wants less motion, or no longer. Nothing is said before the first of these or
    /// `patience`: no picture shall move for the time that a portal takes to answer.
    case reduceMotion(Bool)
    /// How the device is turned; nil: not known any more.
    case orientation(Orientation?)
    /// `connect` came about.
    case connected
    /// `connect` did not come about.
    case unreachable(String)
    /// The connection has ended.
    case ended
    /// A line of the daemon's.
    case heard(ControlAnswer)
    /// The deadline may have come.
    case time
  }

  enum Action: Equatable, Sendable {
    /// Tell by `connected` or `unreachable` what came of it.
    case connect
    /// Without an `ended`.
    case disconnect
    case send(AgentReport)
    /// Follow the device's orientation from now on, or no longer.
    case followOrientation(Bool)
    /// For whoever reads the log.
    case warn(String)
    case note(String)
  }

  /// How long a session may take to say that it wants less motion, before it is taken not to.
  static let patience: Int64 = 1_000_000_000
  /// The first wait after a loss.
  static let firstWait: Int64 = 100_000_000
  /// Where the waits stop growing; a connection that lasted as long makes them begin anew.
  static let longestWait: Int64 = 10_000_000_000

  private enum State: Equatable {
    /// Nothing has begun.
    case idle
    /// The session has until then to answer.
    case asking(untilNanoseconds: Int64)
    /// No connection; the next attempt is at this time.
    case waiting(untilNanoseconds: Int64)
    /// `connect` was asked for.
    case connecting
    /// Connected since then.
    case connected(sinceNanoseconds: Int64)
  }

  private var state = State.idle
  private var wait = AgentLife.firstWait
  /// What the daemon has been told on this connection, or is being told.
  private var said = AgentReport()
  /// Whether the answer to it has yet to come.
  private var isUnanswered = false
  private var reduceMotion: Bool?
  private var orientation: Orientation?
  private var isFollowing = false
  /// What the log was told last of the daemon; nil: all is well.
  private var complaint: String?

  /// When `time` is wanted; nil: not before something else happens.
  var deadlineNanoseconds: Int64? {
    switch state {
    case .asking(let until), .waiting(let until): until
    case .idle, .connecting, .connected: nil
    }
  }

  mutating func take(_ event: Event, atNanoseconds now: Int64) -> [Action] {
    switch event {
    case .started:
      state = .asking(untilNanoseconds: now + Self.patience)
      return []
    case .reduceMotion(let wish):
      reduceMotion = wish
      guard case .asking = state else { return say() }
      state = .connecting
      return [.connect]
    case .orientation(let turned):
      // What comes when nobody asks any more is old.
      guard isFollowing else { return [] }
      orientation = turned
      return say()
    case .time:
      guard let deadline = deadlineNanoseconds, deadline <= now else { return [] }
      reduceMotion = reduceMotion ?? false
      state = .connecting
      return [.connect]
    case .connected:
      guard state == .connecting else { return [] }
      state = .connected(sinceNanoseconds: now)
      said = AgentReport()
      isUnanswered = false
      return say()
    case .unreachable(let why):
      guard state == .connecting else { return [] }
      waitLonger(atNanoseconds: now)
      return complain(why)
    case .ended:
      return lose(atNanoseconds: now)
    case .heard(let answer):
      guard case .connected = state else { return [] }
      return hear(answer, atNanoseconds: now)
    }
  }

  // -- What there is to say

  /// Says what the daemon does not know yet.
  private mutating func say() -> [Action] {
    guard case .connected = state, !isUnanswered else { return [] }
    var report = AgentReport()
    if reduceMotion != said.reduceMotion { report.reduceMotion = reduceMotion }
    if orientation != said.orientation?.orientation {
      report.orientation = AgentOrientation(orientation)
    }
    if said.wanted == nil { report.wanted = true }
    guard report != AgentReport() else { return [] }
    said.reduceMotion = reduceMotion
    said.orientation = orientation.map { .turned($0) }
    said.wanted = true
    isUnanswered = true
    return [.send(report)]
  }

  // -- What the daemon says

  private mutating func hear(_ answer: ControlAnswer, atNanoseconds now: Int64) -> [Action] {
    switch answer {
    case .ack:
      isUnanswered = false
      let wasAmiss = complaint != nil
      complaint = nil
      return (wasAmiss ? [.note("the daemon hears this user's wishes again")] : []) + say()
    case .error(let error, _):
      // Whoever is refused is told so in place of an answer; another daemon may admit us.
      let actions = complain("the daemon refuses this user's agent: \(error.message)")
      state = .waiting(untilNanoseconds: now + Self.longestWait)
      return actions + [.disconnect] + follow(false)
    case .wanted(let wanted):
      return follow(wanted.orientation) + say()
    case .status, .sample, .device, .animation:
      return []
    }
  }

  private mutating func follow(_ isWanted: Bool) -> [Action] {
    guard isWanted != isFollowing else { return [] }
    isFollowing = isWanted
    if !isWanted { orientation = nil }
    return [.followOrientation(isWanted)]
  }

  // -- Without a daemon

  private mutating func lose(atNanoseconds now: Int64) -> [Action] {
    guard case .connected(let since) = state else { return [] }
    if now - since >= Self.longestWait { wait = Self.firstWait }
    waitLonger(atNanoseconds: now)
    return follow(false)
  }

  private mutating func waitLonger(atNanoseconds now: Int64) {
    state = .waiting(untilNanoseconds: now + wait)
    wait = min(wait * 2, Self.longestWait)
  }

  /// Tells the log once.
  private mutating func complain(_ text: String) -> [Action] {
    guard text != complaint else { return [] }
    complaint = text
    return [.warn(text)]
  }
}
