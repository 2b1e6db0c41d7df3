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
}
