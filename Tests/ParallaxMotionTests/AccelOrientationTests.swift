import Glibc
import ParallaxTestSupport
import Testing

@testable import ParallaxMotion

private let g = Acceleration.gravity

/// A device that is turned clockwise by so many degrees from `normal`, its screen leaning back by so
/// many (0: upright, 90: on its back).
private func held(turned: Double, leaning: Double = 0) -> Acceleration {
  let (t, l) = (turned * .pi / 180, leaning * .pi / 180)
  return Acceleration(x: g * sin(t) * cos(l), y: -g * cos(t) * cos(l), z: -g * sin(l))
}

/// Readings at 100 Hz.
private struct Hand {
  var sensor = AccelOrientation()
  var now: Int64 = 1_000_000_000_000
  var changes: [Orientation] = []

  mutating func hold(
    seconds: Double, _ reading: (_ seconds: Double) -> Acceleration
  ) {
    for step in 0..<Int(seconds * 100) {
      now += 10_000_000
      if let new = sensor.take(reading(Double(step) / 100), atNanoseconds: now) {
        changes.append(new)
      }
    }
  }

  mutating func hold(_ acceleration: Acceleration, seconds: Double = 3) {
    hold(seconds: seconds) { _ in acceleration }
  }
}

@Suite("The orientation from an accelerometer")
struct AccelOrientationTests {
  /// What iio-sensor-proxy 3.0 said for raw values of 981 at a scale of 0.01.
  @Test(arguments: [
    (0.0, -981.0, Orientation.normal), (981, 0, .leftUp), (0, 981, .bottomUp), (-981, 0, .rightUp),
  ])
  func theWordsAreThoseOfTheProxy(x: Double, y: Double, expected: Orientation) {
    var sensor = AccelOrientation()
    #expect(sensor.take(Acceleration(x: x / 100, y: y / 100, z: 0), atNanoseconds: 0) == expected)
    #expect(sensor.orientation == expected)
  }

  /// Each quarter turn is the next word, whichever way the hand goes, and told once.
  @Test func aTurnRoundIsToldOnceASide() {
    var hand = Hand()
    hand.hold(seconds: 40) { held(turned: 360 / 40 * $0) }
    #expect(hand.changes == [.normal, .leftUp, .bottomUp, .rightUp, .normal])
    hand.changes = []
    hand.hold(seconds: 40) { held(turned: -360 / 40 * $0) }
    #expect(hand.changes == [.rightUp, .bottomUp, .leftUp, .normal])
  }

  @Test(arguments: [(30.0, nil), (44, nil), (46, nil), (59, nil), (61, Orientation.leftUp)])
  func itTakesMoreThanHalfATurnToLeave(degrees: Double, expected: Orientation?) {
    var hand = Hand()
    hand.hold(held(turned: 0))
    hand.changes = []
    hand.hold(held(turned: degrees), seconds: 20)
    #expect(hand.changes == [expected].compactMap(\.self))
  }

  @Test func fortyFiveDegreesDoNotFlutter() {
    var generator = SeededGenerator.forTest()
    var hand = Hand()
    hand.hold(held(turned: 0))
    hand.hold(seconds: 120) { _ in
      held(turned: 45 + Double.random(in: -14...14, using: &generator))
    }
    #expect(hand.changes == [.normal], "\(generator.note)")
  }

  @Test(arguments: [0.0, 90, 180, 270])
  func onTheTableItStaysWhatItWas(turned: Double) {
    var hand = Hand()
    hand.hold(held(turned: turned))
    let before = hand.sensor.orientation
    hand.changes = []
    hand.hold(held(turned: turned, leaning: 90))
    hand.hold(held(turned: turned + 90, leaning: 60))
    hand.hold(held(turned: turned + 180, leaning: 80))
    #expect(hand.changes.isEmpty && hand.sensor.orientation == before)
  }

  @Test func flatFromTheStartNobodyKnows() {
    var hand = Hand()
    hand.hold(held(turned: 0, leaning: 88))
    #expect(hand.sensor.orientation == nil)
    hand.hold(held(turned: 90, leaning: 20))
    #expect(hand.changes == [.leftUp])
  }

  /// 2 g to and fro, along any axis, at what a hand can do.
  @Test(arguments: [2.0, 3, 5, 8], [Acceleration(x: 1, y: 0, z: 0), .init(x: 0, y: 1, z: 0)])
  func aShakeDoesNotTurnIt(hertz: Double, along axis: Acceleration) {
    var hand = Hand()
    hand.hold(held(turned: 0))
    hand.hold(seconds: 10) { seconds in
      let push = 2 * g * sin(2 * .pi * hertz * seconds)
      return Acceleration(x: push * axis.x, y: -g + push * axis.y, z: push * axis.z)
    }
    #expect(hand.changes == [.normal])
  }

  @Test func aQuarterTurnIsToldWithinASecond() {
    var hand = Hand()
    hand.hold(held(turned: 0))
    hand.changes = []
    hand.hold(held(turned: 90), seconds: 0.3)
    #expect(hand.changes.isEmpty)
    hand.hold(held(turned: 90), seconds: 0.4)
    #expect(hand.changes == [.leftUp])
  }

  @Test func aFallSaysNothing() {
    var hand = Hand()
    hand.hold(held(turned: 0))
    hand.hold(Acceleration(x: 0.3, y: 0, z: 0), seconds: 5)
    #expect(hand.changes == [.normal])
  }

  @Test func aPauseBeginsAnew() {
    var hand = Hand()
    hand.hold(held(turned: 0))
    hand.now += AccelOrientation.longestPauseNanoseconds
    hand.hold(held(turned: 180), seconds: 0.01)
    #expect(hand.changes == [.normal, .bottomUp])
  }

  /// Whatever the numbers, every reading has an answer, times that go back change nothing, and what is
  /// told is what is kept.
  @Test func anyReadingIsTaken() {
    var generator = SeededGenerator.forTest()
    let odd = [0, -0.0, .nan, .infinity, -.infinity, 1e308, 1e-300, -g]
    var sensor = AccelOrientation()
    var now: Int64 = 0
    for _ in 0..<100_000 {
      func number() -> Double {
        Bool.random(using: &generator)
          ? Double.random(in: -3 * g...3 * g, using: &generator)
          : odd.randomElement(using: &generator) ?? 0
      }
      let reading = Acceleration(x: number(), y: number(), z: number())
      let before = sensor
      switch Int.random(in: 0..<20, using: &generator) {
      case 0: now = [Int64.min, .max, 0].randomElement(using: &generator) ?? 0
      case 1: break
      default: now = now.addingReportingOverflow(10_000_000).partialValue
      }
      let told = sensor.take(reading, atNanoseconds: now)
      if let told { #expect(told == sensor.orientation && told != before.orientation) }
      if told == nil, sensor.orientation != before.orientation {
        Issue.record("a change that was not told; \(generator.note)")
      }
    }
  }

  /// The same as the nearest side for everything that is well out of the horizontal, after a while.
  @Test func heldStillItIsTheNearestSide() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<2_000 {
      var hand = Hand()
      hand.hold(held(turned: Double.random(in: 0..<360, using: &generator)), seconds: 0.05)
      let side = Orientation.allCases.randomElement(using: &generator) ?? .normal
      let turned =
        Double(side.quarterTurns) * 90 + Double.random(in: -29...29, using: &generator)
      let leaning = Double.random(in: -54...54, using: &generator)
      hand.hold(held(turned: turned, leaning: leaning), seconds: 4)
      #expect(hand.sensor.orientation == side, "\(turned), \(leaning); \(generator.note)")
    }
  }

  @Test func aMatrixMayMirror() throws {
    // Acer SW3-016 (60-sensor.hwdb).
    let matrix = try AccelMatrix(parsing: "0, -1, 0; -1, 0, 0; 0, 0, -1")
    #expect(matrix.apply(Acceleration(x: 1, y: 2, z: 3)) == Acceleration(x: -2, y: -1, z: -3))
    #expect(AccelMatrix.identity.apply(Acceleration(x: 1, y: 2, z: 3)).y == 2)
    #expect(throws: SettingError.self) { try AccelMatrix(parsing: "0,0,0;0,1,0;0,0,1") }
    #expect(throws: SettingError.self) { try AccelMatrix(parsing: "1,0,0;0,1,0") }
  }
}
