// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ParallaxTool

@Suite("What a display draws")
struct DisplayTests {
  /// Frames every 100 ms; samples at the same times and 50 ms later.
  private func display(
    _ frames: [DrawnFrame], client: ClientKind = .velocity, period: Double? = 0.1
  ) -> Display {
    Display(
      frames: frames, samples: (0..<40).map { Double($0) * 0.05 }, client: client, period: period,
      range: (SIMD2(-5, -5), SIMD2(5, 5)))
  }

  private func frame(
    _ seconds: Double, _ x: Double, velocity: Double? = nil
  ) -> DrawnFrame {
    DrawnFrame(
      seconds: seconds, offset: SIMD2(x, 1), velocity: velocity.map { SIMD2($0, 0) })
  }

  @Test func aFrameArrivesSoonAfterTheSampleThatCompletesIt() {
    let display = display([frame(0, 0), frame(0.1, 1), frame(0.22, 2)], client: .newest)
    let delays = zip(display.arrivals, [0, 0.1, 0.25]).map { $0 - $1 }
    #expect(delays.allSatisfy { (0.000_01...0.02).contains($0) })
    #expect(display.drawn(at: [0.2, 0.25, 0.252]).map(\.x) == [1, 1, 2])
  }

  /// As measured: a median of 0.15 ms, and 1.2 ms for 99 of 100 frames.
  @Test func mostFramesAreDeliveredAtOnce() {
    let seconds = (0..<10_000).map { Delivery.seconds(ofFrame: $0) }.sorted()
    #expect((seconds[5000] - 0.000_15).magnitude < 1e-6)
    #expect((seconds[9900] - 0.001_2).magnitude < 2e-5)
    #expect(seconds[0] > 0 && seconds[9999] <= 0.02)
  }

  /// A picture that is drawn 20 ms ahead does not know the frame that arrives meanwhile. In the first one that does,
  /// the frame's own line, 20 ms on, is where the old line was.
  @Test func aPictureIsDrawnAhead() {
    let frames = [frame(0, 0, velocity: 10), frame(0.1, 0.8, velocity: 20)]
    let display = Display(
      frames: frames + [frame(0.2, 9, velocity: 0)], samples: (0..<40).map { Double($0) * 0.05 },
      client: .velocity, period: 0.1, ahead: 0.02, range: (SIMD2(-5, -5), SIMD2(5, 5)))
    // The old line, for 70 ms; then half of the miss of -0.5 is left, 37.5 ms later; then the line, for 70 ms.
    let drawn = display.drawn(at: [0.125, 0.16, 0.195, 0.215]).map(\.x)
    let miss = 10 * 0.07 - (0.8 + 20 * 0.02)
    #expect(abs(drawn[0] - (0.8 + 20 * 0.025 + miss * (1 - 0.005 / 0.075))) < 1e-12)
    #expect(abs(drawn[1] - (0.8 + 20 * 0.06 + miss * (1 - 0.04 / 0.075))) < 1e-12)
    #expect(abs(drawn[2] - (0.8 + 20 * 0.07)) < 1e-12)
    #expect(abs(drawn[3] - (0.8 + 20 * 0.07)) < 1e-12)
  }

  @Test func aSingleFrameIsFollowed() {
    let display = display([frame(0.1, 1, velocity: 10)], period: nil)
    #expect(display.drawn(at: [0.12, 0.3]).map(\.x) == [1.2, 1.5])
    #expect(display.framesPerSecond == 0)
  }

  @Test func aVelocityIsFollowedAndAMissFades() {
    let display = display([frame(0, 0, velocity: 10), frame(0.1, 2, velocity: 20)])
    // At its instant the new frame is where the old line was: 10 px/s for min(100, 50) ms.
    // 37.5 ms later half of the miss of -1.5 is left. The line ends after 50 ms.
    let drawn = display.drawn(at: [0.1, 0.1375, 0.175, 0.3]).map(\.x)
    #expect(abs(drawn[0] - 0.5) < 1e-12)
    #expect(abs(drawn[1] - (2 + 0.75 - 0.75)) < 1e-12)
    #expect(abs(drawn[2] - 3) < 1e-12)
    #expect(abs(drawn[3] - 3) < 1e-12)
  }

  @Test func aShortPeriodFadesSoonerAndFollowsAsLong() {
    let display = display(
      [frame(0, 0, velocity: 10), frame(0.02, 0.3, velocity: 10)], period: 0.02)
    let drawn = display.drawn(at: [0.0275, 0.035, 0.2]).map(\.x)
    #expect(abs(drawn[0] - (0.375 - 0.05)) < 1e-12)
    #expect(abs(drawn[1] - 0.45) < 1e-12 && abs(drawn[2] - 0.8) < 1e-12)
  }

  @Test func thePictureStaysInTheRange() {
    let display = display([frame(0, 4, velocity: 100), frame(0.1, 5, velocity: 100)])
    #expect(display.drawn(at: [0.1, 0.12, 0.2]).allSatisfy { $0.x <= 5 })
  }

  @Test func withoutVelocitiesTheLastTwoFramesGoOnForAPeriod() {
    let display = display([frame(0, 0), frame(0.1, 1)])
    #expect(display.drawn(at: [0.15, 0.2, 0.5]).map(\.x) == [1.5, 2, 2])
  }

  @Test func aFrameAtZeroStaysThere() {
    let zero = DrawnFrame(seconds: 0.1, offset: .zero, velocity: nil)
    #expect(display([frame(0, 3), zero]).drawn(at: [0.15])[0] == .zero)
  }

  @Test func aMissingFrameIsNotContinued() {
    let display = display([frame(0, 0), frame(0.1, 1), frame(0.6, 2)], period: nil)
    #expect(display.drawn(at: [0.65])[0].x == 2)
  }

  @Test func framesHaveTheDecimalsOfTheStream() {
    let rounded = DrawnFrame(
      seconds: 1, offset: SIMD2(1.2345, -0.006), velocity: SIMD2(1.26, -0.04)
    ).rounded
    #expect(rounded.offset == SIMD2(1.23, -0.01))
    #expect(rounded.velocity == SIMD2(1.3, 0))
  }
}
