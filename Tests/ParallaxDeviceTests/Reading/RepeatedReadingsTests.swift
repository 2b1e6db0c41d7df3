// SPDX-License-Identifier: Apache-2.0

import ParallaxDevice
import ParallaxMotion
import Testing

@Suite("Repeated readings")
struct RepeatedReadingsTests {
  private let equal = AngularRate(x: 0.01, y: 0, z: 0)

  @Test func areReportedOnceUntilOneDiffers() {
    var repeats = RepeatedReadings()
    var reports = 0
    for _ in 0..<1000 where repeats.add(equal) { reports += 1 }
    #expect(reports == 1)
    let differs = repeats.add(.zero)
    #expect(!differs)
    for _ in 1..<RepeatedReadings.limit where repeats.add(equal) { reports += 1 }
    #expect(reports == 1)
    let again = repeats.add(equal)
    #expect(again)
  }
}
