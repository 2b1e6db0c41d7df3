import ParallaxTestSupport
import Testing

@testable import ParallaxSystem

/// Scripts in seconds, period 10 s: `+` somebody comes, `-` the last one has gone, `.` the loop turns.
@Suite struct WatchdogTests {
  private static let second: Int64 = 1_000_000_000

  /// What was told, each with its second.
  private static func told(_ script: [(Int64, Character)]) -> [String] {
    var watchdog = Watchdog(periodNanoseconds: 10 * second)
    var isServing = false
    return script.compactMap { at, event in
      if event != "." { isServing = event == "+" }
      let notice = watchdog.update(isServing: isServing, atNanoseconds: at * second)
      return notice.map { "\(at) \($0.text)" }
    }
  }

  @Test(
    arguments: [
      // Nobody there at the start: switched off once, then silence however often the loop turns.
      ([(0, "."), (1, "."), (3600, ".")], ["0 WATCHDOG_USEC=0"]),
      // Started by a connection: the configured time is said again, a ping every half of it.
      (
        [(0, "+"), (4, "."), (5, "."), (9, "."), (10, ".")],
        ["0 WATCHDOG_USEC=10000000", "5 WATCHDOG=1", "10 WATCHDOG=1"]
      ),
      // A late ping moves the next one: half a period from when it was said.
      (
        [(0, "+"), (7, "."), (11, "."), (12, ".")],
        ["0 WATCHDOG_USEC=10000000", "7 WATCHDOG=1", "12 WATCHDOG=1"]
      ),
      // The last one goes when a ping is due: off, without the ping.
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
  func `The manager is told`(script: [(Int64, Character)], lines: [String]) {
    #expect(Self.told(script) == lines)
  }

  /// Whatever happens, as long as the loop turns when it is asked to: the manager never waits longer
  /// than it said, and nobody is woken while nobody is served.
  @Test func `At random, no period goes by without a word`() {
    var generator = SeededGenerator.forTest()
    var watchdog = Watchdog(periodNanoseconds: 10 * Self.second)
    var now: Int64 = 0
    var isServing = false
    var armedUntil: Int64? = 10 * Self.second
    for _ in 0..<20_000 {
      let event = now + Int64.random(in: 0...8 * Self.second, using: &generator)
      if let deadline = watchdog.deadlineNanoseconds, deadline <= event {
        now = deadline
      } else {
        now = event
        if Bool.random(using: &generator) { isServing.toggle() }
      }
      if let armedUntil { #expect(now <= armedUntil, "\(generator.note)") }
      switch watchdog.update(isServing: isServing, atNanoseconds: now) {
      case .watchdogTime(let period): armedUntil = period == 0 ? nil : now + period
      case .watchdogPing: armedUntil = armedUntil.map { _ in now + 10 * Self.second }
      default: break
      }
      #expect((armedUntil != nil) == isServing, "\(generator.note)")
      #expect((watchdog.deadlineNanoseconds != nil) == isServing, "\(generator.note)")
    }
  }

  @Test func `A period without end does not overflow`() {
    var watchdog = Watchdog(periodNanoseconds: .max)
    _ = watchdog.update(isServing: true, atNanoseconds: .max - 1)
    #expect(watchdog.deadlineNanoseconds == .max)
  }
}
