import ParallaxDevice
import ParallaxMotion
import Testing

@Suite("Readings that do not change")
struct RepeatedReadingsTests {
  private let still = AngularRate(x: 0.01, y: 0, z: 0)

  @Test func theyAreToldOnceUntilOneDiffers() {
    var repeats = RepeatedReadings()
    var told = 0
    for _ in 0..<1000 where repeats.add(still) { told += 1 }
    #expect(told == 1)
    let differs = repeats.add(.zero)
    #expect(!differs)
    for _ in 1..<RepeatedReadings.limit where repeats.add(still) { told += 1 }
    #expect(told == 1)
    let again = repeats.add(still)
    #expect(again)
  }
}
