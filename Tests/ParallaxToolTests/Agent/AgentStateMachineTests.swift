// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxProtocol
import ParallaxTestSupport
import Testing

@testable import ParallaxTool

/// A script per test: seconds, an event, and the actions after `->`.
///
///     0.0 reduce -> connect
///     0.0 connected -> send reduce asking
///
/// Events: reduce, free, turned O, forgotten, connected, lost, ack, error, wanted, unwanted, time. Actions:
/// connect, leave until S, send ..., follow, unfollow, warn, note.
private struct AgentScript {
  var machine = AgentStateMachine()

  init() { _ = machine.handle(.started, at: 0) }

  mutating func run(_ script: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    for line in script.split(separator: "\n") {
      let halves = line.split(separator: "->", maxSplits: 1, omittingEmptySubsequences: false)
      let words = halves[0].split(separator: " ").map(String.init)
      let now = MotionInstant.zero + MotionDuration(seconds: try #require(Double(words[0])))
      let actions = machine.handle(try event(Array(words.dropFirst())), at: now)
      let expected = halves.count > 1 ? halves[1].split(separator: " ").joined(separator: " ") : ""
      #expect(
        actions.map(text).joined(separator: ", ") == expected, "\(line)",
        sourceLocation: sourceLocation)
    }
  }

  private func event(_ words: [String]) throws -> AgentStateMachine.Event {
    switch words[0] {
    case "reduce": return .reduceMotion(true)
    case "free": return .reduceMotion(false)
    case "turned": return .orientation(Orientation(rawValue: words[1]))
    case "forgotten": return .orientation(nil)
    case "connected": return .connected
    case "lost": return .lost("no daemon")
    case "ack": return .answer(.ack(AckMessage(), tag: nil))
    case "error":
      return .answer(.error(ErrorMessage(message: "not you", code: .denied), tag: nil))
    case "wanted": return .answer(.wanted(WantedMessage(orientation: true)))
    case "unwanted": return .answer(.wanted(WantedMessage(orientation: false)))
    case "time": return .deadline
    default: throw TestSupportError("no event: \(words)")
    }
  }

  private func text(_ action: AgentStateMachine.Action) -> String {
    switch action {
    case .connect: "connect"
    case .leave(let instant): "leave until \(Int(instant.seconds))"
    case .followOrientation(let isOn): isOn ? "follow" : "unfollow"
    case .warn: "warn"
    case .note: "note"
    case .send(let report):
      (["send"]
        + [
          report.reduceMotion.map { $0 ? "reduce" : "free" },
          report.orientation.map { $0.orientation?.rawValue ?? "auto" },
          report.wanted.map { $0 ? "asking" : "not asking" },
        ].compactMap { $0 }).joined(separator: " ")
    }
  }
}

@Suite("Agent state machine")
struct AgentStateMachineTests {
  @Test(arguments: [
    (
      "nothing is sent before the session answers, and nothing twice",
      """
      0.9 time ->
      0.9 reduce -> connect
      0.9 connected -> send reduce asking
      0.9 ack ->
      1 reduce ->
      2 free -> send free
      2 ack ->
      """
    ),
    (
      "a session that does not answer counts as without reduced motion",
      """
      0.9 time ->
      1 time -> connect
      1 connected -> send free asking
      1 ack ->
      5 reduce -> send reduce
      """
    ),
    (
      "changes during a request are sent after its answer",
      """
      0 free -> connect
      0 connected -> send free asking
      0.1 reduce ->
      0.2 free ->
      0.3 reduce ->
      0.4 ack -> send reduce
      0.5 free ->
      0.6 reduce ->
      0.7 ack ->
      """
    ),
    (
      "a new daemon gets the whole report",
      """
      0 reduce -> connect
      0 connected -> send reduce asking
      0 ack ->
      0 wanted -> follow
      1 turned left-up -> send left-up
      1 ack ->
      50 lost -> unfollow
      50.1 connected -> send reduce asking
      50.1 ack ->
      50.1 wanted -> follow
      50.2 turned right-up -> send right-up
      """
    ),
    (
      "the orientation is followed only while the daemon requests it",
      """
      0 free -> connect
      0 connected -> send free asking
      0 ack ->
      0 unwanted ->
      0 turned left-up ->
      1 wanted -> follow
      1 wanted ->
      2 turned left-up -> send left-up
      2 turned bottom-up ->
      2 ack -> send bottom-up
      2 ack ->
      3 unwanted -> unfollow, send auto
      3 turned normal ->
      3 ack ->
      4 wanted -> follow
      5 turned normal -> send normal
      5 ack ->
      6 forgotten -> send auto
      """
    ),
    (
      "the log has one warning about a missing daemon, and a note about its return",
      """
      0 free -> connect
      0 lost -> warn
      0.1 lost ->
      0.2 reduce ->
      0.3 lost ->
      0.7 connected -> send reduce asking
      0.7 ack -> note
      1 lost ->
      1.1 lost -> warn
      1.2 connected -> send reduce asking
      1.3 lost ->
      1.4 lost ->
      1.5 connected -> send reduce asking
      1.5 ack -> note
      """
    ),
    (
      "a refused agent asks again, and the log has one warning",
      """
      0 reduce -> connect
      0 connected -> send reduce asking
      0 error -> warn, leave until 10
      10 connected -> send reduce asking
      10 error -> leave until 20
      20 connected -> send reduce asking
      20 ack -> note
      """
    ),
  ])
  func script(_ name: String, _ script: String) throws {
    var agent = AgentScript()
    try agent.run(script)
  }

  /// After random events, a daemon that answers has the current report, and never more than one line
  /// was unanswered.
  @Test(arguments: 0..<200) func randomEvents(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var machine = AgentStateMachine()
    _ = machine.handle(.started, at: 0)
    var now = MotionInstant.zero
    var (isOpen, isConnected, isUnanswered, isFollowing) = (false, false, false, false)
    var (reduce, turned): (Bool?, Orientation?) = (nil, nil)
    var received = AgentReport()

    func perform(_ event: AgentStateMachine.Event) {
      var events = [event]
      while !events.isEmpty {
        for action in machine.handle(events.removeFirst(), at: now) {
          switch action {
          case .connect:
            #expect(!isOpen)
            isOpen = true
          case .leave: isConnected = false
          case .send(let report):
            #expect(isConnected && !isUnanswered)
            isUnanswered = true
            if let isReduced = report.reduceMotion { received.reduceMotion = isReduced }
            if let orientation = report.orientation { received.orientation = orientation }
          case .followOrientation(let isOn):
            #expect(isOn != isFollowing)
            isFollowing = isOn
            turned = nil
          case .warn, .note: break
          }
        }
      }
    }

    for step in 0..<400 {
      now += .nanoseconds(.random(in: 0...2_000_000_000, using: &generator))
      let isLast = step > 300
      switch Int.random(in: isLast ? 4...6 : 0...8, using: &generator) {
      case 0:
        reduce = Bool.random(using: &generator)
        perform(.reduceMotion(reduce ?? false))
      case 1, 2:
        let orientation = Orientation.allCases.randomElement(using: &generator)
        if isFollowing { turned = orientation }
        perform(.orientation(orientation))
      case 3 where isConnected:
        isConnected = false
        perform(.lost("no"))
      case 3 where isOpen: perform(.lost("no"))
      case 4, 5:
        if isConnected && isUnanswered {
          isUnanswered = false
          perform(.answer(.ack(AckMessage(), tag: nil)))
        }
      case 6 where isOpen && !isConnected:
        isConnected = true
        (received, isUnanswered) = (AgentReport(), false)
        perform(.connected)
      case 6: perform(.deadline)
      case 7 where isConnected:
        let isWanted = Bool.random(using: &generator)
        perform(.answer(.wanted(WantedMessage(orientation: isWanted))))
      case 8 where isConnected:
        perform(.answer(.error(ErrorMessage(message: "no", code: .denied), tag: nil)))
      default: break
      }
    }
    #expect(isOpen || machine.deadline != nil, "seed \(seed): never stuck")
    guard isConnected, !isUnanswered else { return }
    #expect(received.reduceMotion == reduce ?? false, "seed \(seed)")
    #expect(received.orientation?.orientation == turned, "seed \(seed)")
  }
}
