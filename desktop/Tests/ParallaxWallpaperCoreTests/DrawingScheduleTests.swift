// SPDX-License-Identifier: Apache-2.0

import ParallaxWallpaperCore
import Testing

struct DrawingScheduleTests {
  private let ms: Int64 = 1_000_000

  @Test func drawsWhileThePictureMovesAndThenRests() {
    var schedule = DrawingSchedule()
    #expect(!schedule.isAwaitingFrame)
    // The first line draws; after the second, the compositor's callback does.
    let draws = [schedule.wake(at: 0), schedule.wake(at: 5 * ms)]
    #expect(draws == [true, false])
    var frames = 0
    var now: Int64 = 0
    while frames < 100 {
      now += 16 * ms
      guard schedule.frame(at: now) else { break }
      frames += 1
      if now < 500 * ms { schedule.drew(at: now) }
    }
    // 31 frames until 496 ms, and 9 more in 150 ms.
    #expect(frames == 40)
    #expect(!schedule.isAwaitingFrame)
    let drawsAgain = schedule.wake(at: now + 1_000 * ms)
    #expect(drawsAgain)
  }

  /// Under a fullscreen window, no callback arrives.
  @Test func withoutACallbackThePictureIsHidden() {
    var schedule = DrawingSchedule()
    #expect(schedule.hiddenFrom == nil)
    _ = schedule.wake(at: 0)
    _ = schedule.wake(at: 900 * ms)
    #expect(schedule.hiddenFrom == 1_000 * ms)
    #expect([999, 1_000, 90_000].map { schedule.isHidden(at: $0 * ms) } == [false, true, true])
    // It returns where it was, so it is drawn, and until the stream has begun again.
    let returns = schedule.frame(at: 90_000 * ms)
    #expect(returns && !schedule.isHidden(at: 90_000 * ms))
    let goesOn = [90_016, 90_140, 90_160].map { schedule.frame(at: $0 * ms) }
    #expect(goesOn == [true, true, false])
    #expect(!schedule.isHidden(at: 200_000 * ms))
  }

  @Test func slowFramesAreNotHidden() {
    var schedule = DrawingSchedule()
    _ = schedule.wake(at: 0)
    for second in 1...5 as ClosedRange<Int64> {
      schedule.drew(at: second * 900 * ms - 1)
      let draws = schedule.frame(at: second * 900 * ms)
      #expect(draws && !schedule.isHidden(at: second * 900 * ms + 899 * ms))
    }
  }
}
