// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxClient
import ParallaxMotion
import ParallaxProtocol

/// What an agent reports to the daemon, and when. Pure: instants are arguments. Its user performs the
/// actions in order and arms a timer for `deadline`.
///
/// A new connection repeats the whole report. At most one AGENT line is unanswered: changes wait for
/// its answer and are then sent together.
struct AgentStateMachine: Equatable, Sendable {
  enum Event: Equatable, Sendable {
    /// The agent has asked the session for its settings.
    case started
    /// Whether the session wants reduced motion. The agent connects after the first of these or
    /// after `answerTimeout`, so that nothing moves while a slow portal still answers.
    case reduceMotion(Bool)
    /// The orientation of the device; nil if it is unknown again.
    case orientation(Orientation?)
    /// Connected to a daemon.
    case connected
    /// The connection ended or could not be made, with the reason. The next attempt follows.
    case lost(String)
    /// The daemon sent a line.
    case answer(ControlAnswer)
    /// The timer for `deadline` fired.
    case deadline
  }

  enum Action: Equatable, Sendable {
    /// Connect, and again after each loss: by `reconnection`. Requested once.
    case connect
    /// Leave the daemon, and connect again at that instant. No `lost` follows.
    case leave(until: MotionInstant)
    case send(AgentReport)
    /// Follow the orientation of the device, or stop.
    case followOrientation(Bool)
    /// Write a warning to the log.
    case warn(String)
    /// Write a notice to the log.
    case note(String)
  }

  /// How long the session may take to answer. Afterwards the agent reports that it does not want
  /// reduced motion.
  static let answerTimeout: MotionDuration = .seconds(1)
  /// When to connect again.
  static let reconnection = ReconnectionPolicy.exponential(to: maxPause)
  private static let maxPause = Duration.seconds(10)

  private enum State: Equatable {
    /// Not started.
    case idle
    /// Waiting for the session's answer until the deadline.
    case asking(until: MotionInstant)
    case disconnected
    case connected
  }

  private var state = State.idle
  /// What was sent on this connection.
  private var lastReported = AgentReport()
  /// Whether the last AGENT line has no answer yet.
  private var awaitsAnswer = false
  private var reduceMotion: Bool?
  private var orientation: Orientation?
  private var isFollowing = false
  /// The last warning in the log; nil after a success.
  private var lastWarning: String?

  /// When to send the event `deadline`; nil means not until another event.
  var deadline: MotionInstant? {
    if case .asking(let until) = state { until } else { nil }
  }

  mutating func handle(_ event: Event, at now: MotionInstant) -> [Action] {
    switch event {
    case .started:
      state = .asking(until: now + Self.answerTimeout)
      return []
    case .reduceMotion(let isReduced):
      reduceMotion = isReduced
      guard case .asking = state else { return report() }
      state = .disconnected
      return [.connect]
    case .orientation(let orientation):
      // An orientation that arrives after the daemon's last request is obsolete.
      guard isFollowing else { return [] }
      self.orientation = orientation
      return report()
    case .deadline:
      guard let deadline, deadline <= now else { return [] }
      reduceMotion = reduceMotion ?? false
      state = .disconnected
      return [.connect]
    case .connected:
      guard state == .disconnected else { return [] }
      state = .connected
      lastReported = AgentReport()
      awaitsAnswer = false
      return report()
    case .lost(let reason):
      guard state == .connected else { return warnOnce(reason) }
      state = .disconnected
      return follow(false)
    case .answer(let answer):
      return state == .connected ? handle(answer, at: now) : []
    }
  }

  // MARK: - Reports

  /// Sends what the daemon does not know yet.
  private mutating func report() -> [Action] {
    guard state == .connected, !awaitsAnswer else { return [] }
    var report = AgentReport()
    if reduceMotion != lastReported.reduceMotion { report.reduceMotion = reduceMotion }
    if orientation != lastReported.orientation?.orientation {
      report.orientation = AgentOrientation(orientation)
    }
    if lastReported.wanted == nil { report.wanted = true }
    guard report != AgentReport() else { return [] }
    lastReported.reduceMotion = reduceMotion
    lastReported.orientation = orientation.map { .turned($0) }
    lastReported.wanted = true
    awaitsAnswer = true
    return [.send(report)]
  }

  // MARK: - Answers

  private mutating func handle(_ answer: ControlAnswer, at now: MotionInstant) -> [Action] {
    switch answer {
    case .ack:
      awaitsAnswer = false
      let notes: [Action] =
        lastWarning == nil ? [] : [.note("the daemon receives this agent's reports again")]
      lastWarning = nil
      return notes + report()
    case .error(let error, _):
      // A refused agent gets an error instead of an answer. Another daemon may accept it.
      let warnings = warnOnce("the daemon refuses this user's agent: \(error.message)")
      state = .disconnected
      return warnings + [.leave(until: now.advanced(by: Self.maxPause))] + follow(false)
    case .wanted(let wanted):
      return follow(wanted.orientation) + report()
    case .status, .sample, .device, .gate, .animation:
      return []
    }
  }

  private mutating func follow(_ isWanted: Bool) -> [Action] {
    guard isWanted != isFollowing else { return [] }
    isFollowing = isWanted
    if !isWanted { orientation = nil }
    return [.followOrientation(isWanted)]
  }

  // MARK: - Without a daemon

  /// Logs a warning unless it was the last one.
  private mutating func warnOnce(_ text: String) -> [Action] {
    guard text != lastWarning else { return [] }
    lastWarning = text
    return [.warn(text)]
  }
}
