// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxBase
@testable import ParallaxLoop
import ParallaxTestSupport
import Testing

/// Scripts in seconds, period 10 s: `+` the first client comes, `-` the last one goes, `.` the loop
/// turns.
@Suite struct WatchdogTests {
  /// The notices, each after its second.
  private static func notices(_ script: [(Int64, Character)]) -> [String] {
    var watchdog = Watchdog(period: .seconds(10))
    var isServing = false
    return script.compactMap { at, event in
      if event != "." { isServing = event == "+" }
      let notice = watchdog.update(isServing: isServing, at: .zero + .seconds(at))
      return notice.map { "\(at) \($0.text)" }
    }
  }

  @Test(
    arguments: [
      // No client at the start: off once, then silence however often the loop turns.
      ([(0, "."), (1, "."), (3600, ".")], ["0 WATCHDOG_USEC=0"]),
      // Started by a connection: the configured time, then a ping every half of it.
      (
        [(0, "+"), (4, "."), (5, "."), (9, "."), (10, ".")],
        ["0 WATCHDOG_USEC=10000000", "5 WATCHDOG=1", "10 WATCHDOG=1"]
      ),
      // A late ping moves the next one to half a period after it.
      (
        [(0, "+"), (7, "."), (11, "."), (12, ".")],
        ["0 WATCHDOG_USEC=10000000", "7 WATCHDOG=1", "12 WATCHDOG=1"]
      ),
      // The last client goes when a ping is due: off, without the ping.
      ([(0, "+"), (5, "-"), (6, ".")], ["0 WATCHDOG_USEC=10000000", "5 WATCHDOG_USEC=0"]),
      // Off and on again.
      (
        [(0, "."), (100, "+"), (101, "-"), (102, "+"), (107, ".")],
        [
          "0 WATCHDOG_USEC=0", "100 WATCHDOG_USEC=10000000", "101 WATCHDOG_USEC=0",
          "102 WATCHDOG_USEC=10000000", "107 WATCHDOG=1",
        ]
      ),
    ] as [([(Int64, Character)], [String])])
  func noticesFollowTheScript(script: [(Int64, Character)], lines: [String]) {
    #expect(Self.notices(script) == lines)
  }

  /// Random events, with the loop turning when it is due: the manager never waits longer than its time
  /// limit, and there are no wakeups while no client is served.
  @Test func noPeriodPassesWithoutANotice() {
    var generator = SeededGenerator.forTest()
    var watchdog = Watchdog(period: .seconds(10))
    var now: MotionInstant = 0
    var isServing = false
    var armedUntil: MotionInstant? = 10_000_000_000
    for _ in 0..<20_000 {
      let event = now + .nanoseconds(.random(in: 0...8_000_000_000, using: &generator))
      if let deadline = watchdog.deadline, deadline <= event {
        now = deadline
      } else {
        now = event
        if Bool.random(using: &generator) { isServing.toggle() }
      }
      if let armedUntil { #expect(now <= armedUntil, "\(generator.note)") }
      switch watchdog.update(isServing: isServing, at: now) {
      case .watchdogTime(let period): armedUntil = period == 0 ? nil : now + period
      case .watchdogPing: armedUntil = armedUntil.map { _ in now + .seconds(10) }
      default: break
      }
      #expect((armedUntil != nil) == isServing, "\(generator.note)")
      #expect((watchdog.deadline != nil) == isServing, "\(generator.note)")
    }
  }

  @Test func anEndlessPeriodDoesNotOverflow() {
    var watchdog = Watchdog(period: .nanoseconds(.max))
    _ = watchdog.update(isServing: true, at: .distantFuture - 1)
    #expect(watchdog.deadline == .distantFuture)
  }
}
