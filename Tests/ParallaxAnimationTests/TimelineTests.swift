// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import Testing

@testable import ParallaxAnimation

private let right = Animation.move(
  by: PixelOffset(x: 12, y: 0), duration: .seconds(1), curve: .linear)

@Suite("Timelines") struct TimelineTests {
  /// An animation, a time, and x at that time.
  @Test(arguments: [
    (right, 0.25, 3.0), (right, 1, 12), (right, 9, 12), (right, -1, 0),
    (right.repeated(5), 3.5, 42), (right.repeated(5), 5, 60), (right.repeated(0), 1, 0),
    (right.repeatedForever(), 1000.5, 12_006),
    (right.autoreversed(), 1.5, 6), (right.autoreversed(), 2, 0),
    (right.reversed(), 0.25, -3), (right.reversed(), 1, -12),
    (right.then(right.reversed()), 1.5, 6),
    (right.speed(4), 0.125, 6), (right.delayed(by: .seconds(0.5)), 0.75, 3),
    (right.with(right.delayed(by: .seconds(0.5))), 1, 18),
    (.empty, 0, 0), (.sequence([]), 0, 0), (.repeated(.empty, count: .forever), 5, 0),
    (.move(to: PixelOffset(x: 8, y: 0), duration: .seconds(1), curve: .linear).reversed(), 0.25, 6),
  ])
  func positionAtATime(_ animation: Animation, seconds: Double, x: Double) {
    #expect(abs(Timeline(animation).pose(at: seconds).offset.x - x) < 1e-9)
  }
}
