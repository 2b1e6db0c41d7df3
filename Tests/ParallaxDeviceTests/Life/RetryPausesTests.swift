import Testing

@testable import ParallaxDevice

@Suite struct RetryPausesTests {
  @Test func growToHalfAMinuteAndStayThere() {
    var pauses = RetryPauses()
    var seconds: [Int64] = []
    for _ in 0..<9 {
      seconds.append(pauses.nextNanoseconds / 1_000_000_000)
      pauses.countFailure()
    }
    #expect(seconds == [0, 1, 2, 4, 8, 16, 30, 30, 30])
    pauses.reset()
    #expect(pauses.nextNanoseconds == 0)
  }
}
