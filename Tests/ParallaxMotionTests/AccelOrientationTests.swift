// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
@testable import ParallaxMotion
import ParallaxTestSupport
import Testing

private let g = Acceleration.gravity

/// The reading of a device that is turned clockwise from `normal` and leans back, in degrees
/// (leaning 0: upright, 90: on its back).
private func held(turned: Double, leaning: Double = 0) -> Acceleration {
  let (t, l) = (turned * .pi / 180, leaning * .pi / 180)
  return Acceleration(x: g * sin(t) * cos(l), y: -g * cos(t) * cos(l), z: -g * sin(l))
}

/// Readings at 100 Hz.
private struct Hand {
  var sensor = AccelOrientation()
  var now: MotionInstant = 1_000_000_000_000
  var changes: [Orientation] = []

  mutating func hold(
    seconds: Double, _ reading: (_ seconds: Double) -> Acceleration
  ) {
    for step in 0..<Int(seconds * 100) {
      now += 10_000_000
      if let new = sensor.add(reading(Double(step) / 100), at: now) {
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
  /// The orientations that iio-sensor-proxy 3.0 reports for raw values of 981 at a scale of 0.01.
  @Test(arguments: [
    (0.0, -981.0, Orientation.normal), (981, 0, .leftUp), (0, 981, .bottomUp), (-981, 0, .rightUp),
  ])
  func orientationsAreThoseOfSensorProxy(x: Double, y: Double, expected: Orientation) {
    var sensor = AccelOrientation()
    #expect(sensor.add(Acceleration(x: x / 100, y: y / 100, z: 0), at: 0) == expected)
    #expect(sensor.orientation == expected)
  }

  /// Each quarter turn gives the next orientation, once, in both directions.
  @Test func fullTurnReportsEachSideOnce() {
    var hand = Hand()
    hand.hold(seconds: 40) { held(turned: 360 / 40 * $0) }
    #expect(hand.changes == [.normal, .leftUp, .bottomUp, .rightUp, .normal])
    hand.changes = []
    hand.hold(seconds: 40) { held(turned: -360 / 40 * $0) }
    #expect(hand.changes == [.rightUp, .bottomUp, .leftUp, .normal])
  }

  @Test(arguments: [(30.0, nil), (44, nil), (46, nil), (59, nil), (61, Orientation.leftUp)])
  func changeRequiresSixtyDegrees(degrees: Double, expected: Orientation?) {
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
  func orientationIsKeptOnTheTable(turned: Double) {
    var hand = Hand()
    hand.hold(held(turned: turned))
    let before = hand.sensor.orientation
    hand.changes = []
    hand.hold(held(turned: turned, leaning: 90))
    hand.hold(held(turned: turned + 90, leaning: 60))
    hand.hold(held(turned: turned + 180, leaning: 80))
    #expect(hand.changes.isEmpty && hand.sensor.orientation == before)
  }

  @Test func orientationIsUnknownWhileFlatFromTheStart() {
    var hand = Hand()
    hand.hold(held(turned: 0, leaning: 88))
    #expect(hand.sensor.orientation == nil)
    hand.hold(held(turned: 90, leaning: 20))
    #expect(hand.changes == [.leftUp])
  }

  /// A shake of 2 g along an axis, at the frequencies of a hand.
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

  @Test func quarterTurnIsReportedWithinASecond() {
    var hand = Hand()
    hand.hold(held(turned: 0))
    hand.changes = []
    hand.hold(held(turned: 90), seconds: 0.3)
    #expect(hand.changes.isEmpty)
    hand.hold(held(turned: 90), seconds: 0.4)
    #expect(hand.changes == [.leftUp])
  }

  @Test func fallChangesNothing() {
    var hand = Hand()
    hand.hold(held(turned: 0))
    hand.hold(Acceleration(x: 0.3, y: 0, z: 0), seconds: 5)
    #expect(hand.changes == [.normal])
  }

  @Test func pauseRestartsTheSmoothing() {
    var hand = Hand()
    hand.hold(held(turned: 0))
    hand.now += AccelOrientation.maxPause
    hand.hold(held(turned: 180), seconds: 0.01)
    #expect(hand.changes == [.normal, .bottomUp])
  }

  /// With random and extreme readings and times, each change of the orientation is returned once.
  @Test func everyChangeIsReturnedForAnyReading() {
    var generator = SeededGenerator.forTest()
    let odd = [0, -0.0, .nan, .infinity, -.infinity, 1e308, 1e-300, -g]
    var sensor = AccelOrientation()
    var now: MotionInstant = 0
    for _ in 0..<100_000 {
      func number() -> Double {
        Bool.random(using: &generator)
          ? Double.random(in: -3 * g...3 * g, using: &generator)
          : odd.randomElement(using: &generator) ?? 0
      }
      let reading = Acceleration(x: number(), y: number(), z: number())
      let before = sensor
      switch Int.random(in: 0..<20, using: &generator) {
      case 0: now = [.distantPast, .distantFuture, 0].randomElement(using: &generator) ?? 0
      case 1: break
      default: now = MotionInstant(nanoseconds: now.nanoseconds &+ 10_000_000)
      }
      let change = sensor.add(reading, at: now)
      if let change { #expect(change == sensor.orientation && change != before.orientation) }
      if change == nil, sensor.orientation != before.orientation {
        Issue.record("a change that was not returned; \(generator.note)")
      }
    }
  }

  /// After a while the orientation is the nearest side, if the device is well out of the
  /// horizontal.
  @Test func deviceAtRestHasTheNearestSide() {
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

  @Test func matrixMayMirror() throws {
    // Acer SW3-016 (60-sensor.hwdb).
    let matrix = try AccelMatrix(parsing: "0, -1, 0; -1, 0, 0; 0, 0, -1")
    #expect(matrix.apply(Acceleration(x: 1, y: 2, z: 3)) == Acceleration(x: -2, y: -1, z: -3))
    #expect(AccelMatrix.identity.apply(Acceleration(x: 1, y: 2, z: 3)).y == 2)
    #expect(throws: SettingError.self) { try AccelMatrix(parsing: "0,0,0;0,1,0;0,0,1") }
    #expect(throws: SettingError.self) { try AccelMatrix(parsing: "1,0,0;0,1,0") }
  }
}
