// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
@testable import ParallaxMotion
import ParallaxTestSupport
import Testing

/// A hand that turns a device whose gyroscope is mounted as `mount`.
private struct Hand {
  var mount: Matrix3
  var hertz = 100.0
  var bias = Vector3(x: 0.05, y: -0.02, z: 0.01)
  var noise = 0.01
  /// The error of the turn's axis, in a random direction.
  var slopDegrees = 0.0
  var angleDegrees = 90.0
  var restSeconds = (before: 0.8, after: 0.8)
  var turnSeconds = 1.2
  /// Whether the turn goes the wrong way.
  var isWrongWay = false
  /// Shaking before and after the turn, rad/s.
  var shaking = (before: 0.0, after: 0.0)

  func samples(_ turn: GuidedTurn, using generator: inout SeededGenerator) -> [GyroSample] {
    let axis = Self.tilted(turn, degrees: slopDegrees, using: &generator)
    let angle = angleDegrees * .pi / 180 * (isWrongWay ? -1 : 1)
    let total = restSeconds.before + turnSeconds + restSeconds.after
    return (0...Int(total * hertz)).map { index in
      let time = Double(index) / hertz
      let phase = (time - restSeconds.before) / turnSeconds
      var rate = Vector3.zero
      if phase > 0, phase < 1 {
        // The rate rises and falls; its integral over the turn is `angle`.
        rate = axis * (angle / turnSeconds * (1 - cos(2 * .pi * phase)))
      }
      let shaken = (phase <= 0 ? shaking.before : phase >= 1 ? shaking.after : 0) * sin(time * 30)
      func disturbed(_ value: Double) -> Double {
        value + .random(in: -noise...noise, using: &generator)
      }
      let seen = mount.transposed * rate + bias
      return GyroSample(
        time: 7_000_000_000 + .nanoseconds(Int64(time * 1e9)),
        rateRadPerSec: AngularRate(
          x: disturbed(seen.x + shaken), y: disturbed(seen.y), z: disturbed(seen.z)))
    }
  }

  func measure(
    _ turn: GuidedTurn, using generator: inout SeededGenerator
  ) throws(CalibrationError) -> MeasuredTurn {
    try MeasuredTurn(turn, samples: samples(turn, using: &generator))
  }

  func calibrate(
    using generator: inout SeededGenerator
  ) throws(CalibrationError) -> MountCalibration {
    try MountCalibration(
      standUp: measure(.standUp, using: &generator),
      raiseLeftEdge: measure(.raiseLeftEdge, using: &generator),
      turnLeft: measure(.turnLeft, using: &generator))
  }

  private static func tilted(
    _ turn: GuidedTurn, degrees: Double, using generator: inout SeededGenerator
  ) -> Vector3 {
    let axes = [
      Vector3(x: 1, y: 0, z: 0), Vector3(x: 0, y: 1, z: 0), Vector3(x: 0, y: 0, z: 1),
    ]
    let around = Double.random(in: 0...2 * .pi, using: &generator)
    let off = degrees * .pi / 180
    let side =
      axes[(turn.rawValue + 1) % 3] * cos(around) + axes[(turn.rawValue + 2) % 3] * sin(around)
    return axes[turn.rawValue] * cos(off) + side * sin(off)
  }
}

extension Matrix3 {
  fileprivate var transposed: Matrix3 {
    let (a, b, c) = rows
    return Matrix3(
      rows: Vector3(x: a.x, y: b.x, z: c.x), Vector3(x: a.y, y: b.y, z: c.y),
      Vector3(x: a.z, y: b.z, z: c.z))
  }

  fileprivate static func * (matrix: Matrix3, vector: Vector3) -> Vector3 {
    Vector3(
      x: matrix.rows.0.dot(vector), y: matrix.rows.1.dot(vector), z: matrix.rows.2.dot(vector))
  }

  /// The 24 mounts along the axes.
  fileprivate static var alongAxes: [Matrix3] {
    let axes = [
      Vector3(x: 1, y: 0, z: 0), Vector3(x: 0, y: 1, z: 0), Vector3(x: 0, y: 0, z: 1),
    ]
    let signed = axes + axes.map { $0 * -1 }
    return signed.flatMap { a in
      signed.filter { $0.dot(a) == 0 }.map { b in Matrix3(rows: a, b, a.cross(b)) }
    }
  }

  /// Returns the rotation by an angle about an axis.
  fileprivate static func rotation(about axis: Vector3, degrees: Double) -> Matrix3 {
    let angle = degrees * .pi / 180
    let unit = axis * (1 / axis.length)
    func column(_ v: Vector3) -> Vector3 {
      v * cos(angle) + unit.cross(v) * sin(angle) + unit * (unit.dot(v) * (1 - cos(angle)))
    }
    return Matrix3(
      rows: column(Vector3(x: 1, y: 0, z: 0)), column(Vector3(x: 0, y: 1, z: 0)),
      column(Vector3(x: 0, y: 0, z: 1))
    ).transposed
  }
}

@Suite("Mount calibration") struct MountCalibrationTests {
  static let straight = Matrix3.alongAxes

  @Test func thereAreTwentyFourMountsAlongTheAxes() {
    #expect(Set(Self.straight.map(\.rowMajor)).count == 24)
    #expect(Self.straight.allSatisfy { $0.determinant == 1 })
  }

  @Test(arguments: 0..<24) func mountsAlongTheAxesAreFoundExactly(index: Int) throws {
    var generator = SeededGenerator.forTest(salt: UInt64(index))
    for slop in [0.0, 10] {
      var hand = Hand(mount: Self.straight[index])
      hand.slopDegrees = slop
      for angle in [65.0, 90, 115] {
        hand.angleDegrees = angle
        let found = try hand.calibrate(using: &generator)
        #expect(found.isAlongAxes)
        #expect(
          found.matrix.rowMajor == Self.straight[index].rowMajor.map { $0 + 0 },
          "\(generator.note)")
      }
    }
  }

  @Test(arguments: [(0.0, 0.0, 1.0), (1, 1, 1), (-0.3, 1, 0.2)])
  func skewMountIsFound(x: Double, y: Double, z: Double) throws {
    var generator = SeededGenerator.forTest()
    let mount = Matrix3.rotation(about: Vector3(x: x, y: y, z: z), degrees: 30)
    let found = try Hand(mount: mount).calibrate(using: &generator)
    #expect(!found.isAlongAxes)
    for (entry, truth) in zip(found.matrix.rowMajor, mount.rowMajor) {
      #expect(abs(entry - truth) < 0.03, "\(generator.note)")
    }
  }

  @Test(arguments: [14.0, 16]) func smallSkewCountsAsNone(degrees: Double) throws {
    var generator = SeededGenerator.forTest()
    var hand = Hand(mount: .rotation(about: Vector3(x: 0, y: 0, z: 1), degrees: degrees))
    hand.noise = 0
    #expect(try hand.calibrate(using: &generator).isAlongAxes == (degrees < 15))
  }

  @Test func slowSensorIsEnough() throws {
    var generator = SeededGenerator.forTest()
    var hand = Hand(mount: Self.straight[5])
    hand.hertz = 25
    hand.bias = Vector3(x: 0.3, y: 0.3, z: -0.4)
    #expect(
      try hand.calibrate(using: &generator).matrix.rowMajor
        == Self.straight[5].rowMajor.map { $0 + 0 })
  }

  // MARK: - Errors

  private func error(
    of turn: GuidedTurn = .standUp, _ change: (inout Hand) -> Void
  ) -> CalibrationError? {
    var generator = SeededGenerator.forTest()
    var hand = Hand(mount: Self.straight[7])
    change(&hand)
    do throws(CalibrationError) {
      _ = try hand.measure(turn, using: &generator)
      return nil
    } catch {
      return error
    }
  }

  @Test func turnIsTooSmallOrTooLarge() {
    guard case .tooSmall(.standUp, let small)? = error({ $0.angleDegrees = 40 }) else {
      Issue.record("40 degrees must not be enough")
      return
    }
    #expect(abs(small - 40) < 1)
    guard case .tooLarge(.turnLeft, let large)? = error(of: .turnLeft, { $0.angleDegrees = 170 })
    else {
      Issue.record("170 degrees must be too much")
      return
    }
    #expect(abs(large - 170) < 1)
    #expect(
      CalibrationError.tooSmall(.standUp, degrees: 40.4).description
        == "standing up: only 40 degrees; repeat it by about 90")
  }

  @Test func restIsRequiredOnBothSides() {
    #expect(error { $0.shaking.before = 0.5 } == .notStillBefore(.standUp))
    #expect(error { $0.shaking.after = 0.5 } == .notStillAfter(.standUp))
    #expect(error { $0.restSeconds.before = 0.1 } == .notStillBefore(.standUp))
    #expect(error { $0.restSeconds.after = 0.1 } == .notStillAfter(.standUp))
    #expect(error { $0.shaking = (0.05, 0.08) } == nil)
  }

  @Test func missingSamplesAreAnError() throws {
    #expect(error { $0.hertz = 5 } == .tooFewSamples(.standUp, count: 15))
    var generator = SeededGenerator.forTest()
    var samples = Hand(mount: Self.straight[0]).samples(.turnLeft, using: &generator)
    samples.removeSubrange(90..<120)
    #expect {
      try MeasuredTurn(.turnLeft, samples: samples)
    } throws: { error in
      guard case .gap(.turnLeft, let seconds)? = error as? CalibrationError else { return false }
      return abs(seconds - 0.31) < 0.001
    }
    #expect(throws: CalibrationError.tooFewSamples(.turnLeft, count: 0)) {
      try MeasuredTurn(.turnLeft, samples: [])
    }
  }

  @Test func nonfiniteAndBackwardsSamplesAreIgnored() throws {
    var generator = SeededGenerator.forTest()
    var samples = Hand(mount: Self.straight[0]).samples(.turnLeft, using: &generator)
    samples[60].rateRadPerSec.x = .nan
    samples[90].rateRadPerSec.y = .infinity
    samples[100].time = 0
    samples[110].time = .distantFuture
    let turn = try MeasuredTurn(.turnLeft, samples: samples)
    #expect(abs(turn.angleDegrees - 90) < 2)
  }

  /// The turns made, and those that the error may name.
  @Test(arguments: [
    ([GuidedTurn.standUp, .standUp, .turnLeft], [GuidedTurn.raiseLeftEdge]),
    ([.standUp, .raiseLeftEdge, .raiseLeftEdge], [.turnLeft]),
    ([.turnLeft, .raiseLeftEdge, .turnLeft], [.turnLeft]),
    ([.turnLeft, .turnLeft, .turnLeft], [.raiseLeftEdge, .turnLeft]),
  ])
  func sameTurnTwiceIsAnError(made: [GuidedTurn], named: [GuidedTurn]) throws {
    var generator = SeededGenerator.forTest()
    let hand = Hand(mount: Self.straight[3])
    let turns = try zip(GuidedTurn.allCases, made).map { asked, made in
      try MeasuredTurn(asked, samples: hand.samples(made, using: &generator))
    }
    #expect {
      try MountCalibration(standUp: turns[0], raiseLeftEdge: turns[1], turnLeft: turns[2])
    } throws: { error in
      guard case .notAtRightAngles(let turn, _, let degrees)? = error as? CalibrationError else {
        return false
      }
      return named.contains(turn) && degrees < 5
    }
  }

  @Test func skewTurnIsReported() throws {
    var generator = SeededGenerator.forTest()
    let hand = Hand(mount: Self.straight[3])
    let (x, y, z) = hand.mount.rows
    let askew = x + y + z
    let skew = Hand(mount: Matrix3(rows: x, askew * (1 / askew.length), z))
    let turns = (
      try hand.measure(.standUp, using: &generator),
      try skew.measure(.raiseLeftEdge, using: &generator),
      try hand.measure(.turnLeft, using: &generator)
    )
    #expect {
      try MountCalibration(standUp: turns.0, raiseLeftEdge: turns.1, turnLeft: turns.2)
    } throws: { ($0 as? CalibrationError)?.turn == .raiseLeftEdge }
  }

  @Test(arguments: GuidedTurn.allCases) func turnTheWrongWayIsAnError(turn: GuidedTurn) throws {
    var generator = SeededGenerator.forTest()
    let hand = Hand(mount: Self.straight[11])
    var turns: [MeasuredTurn] = []
    for each in GuidedTurn.allCases {
      var hand = hand
      hand.isWrongWay = each == turn
      turns.append(try hand.measure(each, using: &generator))
    }
    #expect(throws: CalibrationError.wrongWay) {
      try MountCalibration(standUp: turns[0], raiseLeftEdge: turns[1], turnLeft: turns[2])
    }
  }

  /// A mirrored sensor, which does not exist, would measure the same as a turn the wrong way.
  @Test func mirroredSensorIsRefused() {
    var generator = SeededGenerator.forTest()
    let mirrored = Matrix3(
      rows: Vector3(x: 1, y: 0, z: 0), Vector3(x: 0, y: 1, z: 0), Vector3(x: 0, y: 0, z: -1))
    #expect(throws: CalibrationError.wrongWay) {
      try Hand(mount: mirrored).calibrate(using: &generator)
    }
  }

  @Test func everyErrorIsOneLineWithAdvice() {
    let reasons: [CalibrationError] = [
      .tooFewSamples(.standUp, count: 3), .gap(.turnLeft, seconds: 0.3),
      .notStillBefore(.raiseLeftEdge), .notStillAfter(.standUp), .tooSmall(.standUp, degrees: 30),
      .tooLarge(.standUp, degrees: 170),
      .notAtRightAngles(.standUp, other: .turnLeft, degrees: 20), .wrongWay,
    ]
    for reason in reasons {
      #expect(!reason.description.contains("\n"))
      #expect(reason.description.contains("repeat"))
    }
  }
}

@Suite struct RotationIntegralTests {
  @Test func quarterTurnsAboutTwoAxesAddUpToAThirdOfATurn() {
    var integral = RotationIntegral()
    for _ in 0..<100 { integral.add(Vector3(x: .pi / 2, y: 0, z: 0), seconds: 0.01) }
    for _ in 0..<100 { integral.add(Vector3(x: 0, y: .pi / 2, z: 0), seconds: 0.01) }
    let vector = integral.rotationVector
    #expect(abs(vector.length - 2 * .pi / 3) < 1e-9)
    #expect(angleDegrees(vector, Vector3(x: 1, y: 1, z: 1)) < 1e-6)
  }

  @Test func moreThanHalfATurnIsTheShorterRotation() {
    var integral = RotationIntegral()
    integral.add(Vector3(x: 0, y: 0, z: 1.5 * .pi), seconds: 1)
    #expect(abs(integral.rotationVector.z + 0.5 * .pi) < 1e-12)
    #expect(RotationIntegral().rotationVector == .zero)
  }

  @Test func nearestRotationOfARotationIsItself() {
    let rotation = Matrix3.rotation(about: Vector3(x: 1, y: 2, z: -1), degrees: 77)
    for (entry, truth) in zip(rotation.nearestRotation().rowMajor, rotation.rowMajor) {
      #expect(abs(entry - truth) < 1e-12)
    }
  }
}
