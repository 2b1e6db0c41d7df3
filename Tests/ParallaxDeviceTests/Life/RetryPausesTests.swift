import Testing

@testable import ParallaxDevice

@Suite struct RetryPausesTests {
  @Test func growToHalfAMinuteAndStayThere() {
    var pauses = RetryPauses()
    let seconds = (0..<9).map { _ in pauses.next() / 1_000_000_000 }
    #expect(seconds == [0, 1, 2, 4, 8, 16, 30, 30, 30])
    pauses.reset()
    #expect(pauses.next() == 0)
  }
}
