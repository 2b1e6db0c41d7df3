import Testing

@testable import ParallaxDevice

@Suite("When a polled gyroscope is read")
struct PollPaceTests {
  private static let millisecond: Int64 = 1_000_000

  /// At 100 Hz from 0: when readings begin (ms), and when the next is due.
  private static let table: [(begun: [Double], due: Int64)] = [
    ([], 0),
    ([0], 10),
    ([0, 10, 20], 30),
    ([0.4, 10.2], 20),
    ([0, 10, 27], 30),
    ([0, 10, 30_010], 30_020),
    ([0, 10, 39.9], 40),
  ]

  @Test(arguments: table)
  func theNextIsDue(begun: [Double], due: Int64) {
    var pace = PollPace(hertz: 100, startNanoseconds: 0)
    for begin in begun { pace.advance(atNanoseconds: Int64(begin * 1e6)) }
    #expect(pace.dueNanoseconds == due * Self.millisecond)
  }

  @Test func roundingNeverAddsUp() {
    var pace = PollPace(hertz: 30, startNanoseconds: 5)
    for _ in 0..<3_000_000 { pace.advance(atNanoseconds: pace.dueNanoseconds) }
    #expect(pace.dueNanoseconds == 5 + 100_000 * 1_000_000_000)
  }
}
