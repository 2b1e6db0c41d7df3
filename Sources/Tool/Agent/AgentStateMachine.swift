// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
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
    /// The result of `connect`: connected.
    case connected
    /// The result of `connect`: no daemon, with the reason.
    case unreachable(String)
    /// The connection ended.
    case ended
    /// The daemon sent a line.
    case answer(ControlAnswer)
    /// The timer for `deadline` fired.
    case deadline
  }

  enum Action: Equatable, Sendable {
    /// Connect; `connected` or `unreachable` follows.
    case connect
    /// Close the connection; no `ended` follows.
    case disconnect
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
  /// The first pause before another attempt to connect.
  static let minPause: MotionDuration = .milliseconds(100)
  /// The longest pause. A connection that lasts as long resets the pause.
  static let maxPause: MotionDuration = .seconds(10)

  private enum State: Equatable {
    /// Not started.
    case idle
    /// Waiting for the session's answer until the deadline.
    case asking(until: MotionInstant)
    /// Not connected; the next attempt is at the deadline.
    case waiting(until: MotionInstant)
    /// `connect` has no result yet.
    case connecting
    case connected(since: MotionInstant)
  }

  private var state = State.idle
  private var pause = AgentStateMachine.minPause
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
    switch state {
    case .asking(let until), .waiting(let until): until
    case .idle, .connecting, .connected: nil
    }
  }

  mutating func handle(_ event: Event, at now: MotionInstant) -> [Action] {
    switch event {
    case .started:
      state = .asking(until: now + Self.answerTimeout)
      return []
    case .reduceMotion(let isReduced):
      reduceMotion = isReduced
      guard case .asking = state else { return report() }
      state = .connecting
      return [.connect]
    case .orientation(let orientation):
      // An orientation that arrives after the daemon's last request is obsolete.
      guard isFollowing else { return [] }
      self.orientation = orientation
      return report()
    case .deadline:
      guard let deadline, deadline <= now else { return [] }
      reduceMotion = reduceMotion ?? false
      state = .connecting
      return [.connect]
    case .connected:
      guard state == .connecting else { return [] }
      state = .connected(since: now)
      lastReported = AgentReport()
      awaitsAnswer = false
      return report()
    case .unreachable(let reason):
      guard state == .connecting else { return [] }
      retryLater(at: now)
      return warnOnce(reason)
    case .ended:
      guard case .connected(let since) = state else { return [] }
      if now - since >= Self.maxPause { pause = Self.minPause }
      retryLater(at: now)
      return follow(false)
    case .answer(let answer):
      guard case .connected = state else { return [] }
      return handle(answer, at: now)
    }
  }

  // MARK: - Reports

  /// Sends what the daemon does not know yet.
  private mutating func report() -> [Action] {
    guard case .connected = state, !awaitsAnswer else { return [] }
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
      state = .waiting(until: now + Self.maxPause)
      return warnings + [.disconnect] + follow(false)
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

  private mutating func retryLater(at now: MotionInstant) {
    state = .waiting(until: now + pause)
    pause = min(pause * 2, Self.maxPause)
  }

  /// Logs a warning unless it was the last one.
  private mutating func warnOnce(_ text: String) -> [Action] {
    guard text != lastWarning else { return [] }
    lastWarning = text
    return [.warn(text)]
  }
}
