// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The measurement of a guided turn by the gyroscope, in its own frame.
package struct MeasuredTurn: Equatable, Sendable {
  /// The rest required before and after the turn, s.
  static let restSeconds = 0.5
  private static let restRule = RestRule.held
  /// The largest mean rate at rest after the turn, without the bias, rad/s.
  static let maxFinalRateRadPerSec = 0.1
  /// The longest part of the rest before the turn whose mean is the bias, s.
  static let biasSeconds = 1.0
  static let minSamples = 20
  static let maxGapSeconds = 0.25
  static let degrees = 60.0...120.0

  package let turn: GuidedTurn
  /// The angle of the turn.
  package let angleDegrees: Double
  /// The axis of the turn, length 1.
  let axis: Vector3

  /// Measures a turn.
  ///
  /// - Parameter samples: in the sensor's frame: at least half a second of rest, the turn, and half
  ///   a second of rest again. Samples that are not finite or go back in time are ignored.
  package init(_ turn: GuidedTurn, samples: [GyroSample]) throws(CalibrationError) {
    let points = Self.points(samples)
    guard points.count >= Self.minSamples, let end = points.last?.seconds else {
      throw .tooFewSamples(turn, count: points.count)
    }
    for (before, after) in zip(points, points.dropFirst())
    where after.seconds - before.seconds > Self.maxGapSeconds {
      throw .gap(turn, seconds: after.seconds - before.seconds)
    }
    let restBefore = points.prefix { $0.seconds <= Self.restSeconds }
    guard end >= 2 * Self.restSeconds, Self.isStill(restBefore) else {
      throw .notStillBefore(turn)
    }
    let bias = Self.bias(points, near: Self.mean(restBefore))
    let restAfter = points.drop { $0.seconds < end - Self.restSeconds }
    let finalRate = Self.mean(restAfter) - bias
    guard Self.isStill(restAfter),
      finalRate.angularRate.isWithin(Self.maxFinalRateRadPerSec, of: .zero)
    else {
      throw .notStillAfter(turn)
    }
    var integral = RotationIntegral()
    for (before, after) in zip(points, points.dropFirst()) {
      integral.add(
        (before.rate + after.rate) * 0.5 - bias, seconds: after.seconds - before.seconds)
    }
    let rotation = integral.rotationVector
    let angle = rotation.length * 180 / .pi
    guard angle >= Self.degrees.lowerBound else { throw .tooSmall(turn, degrees: angle) }
    guard angle <= Self.degrees.upperBound else { throw .tooLarge(turn, degrees: angle) }
    self.turn = turn
    angleDegrees = angle
    axis = rotation * (1 / rotation.length)
  }

  private struct Point {
    var seconds: Double
    var rate: Vector3
  }

  private static func points(_ samples: [GyroSample]) -> [Point] {
    var points: [Point] = []
    var first = MotionInstant.zero
    var last = MotionInstant.distantPast
    for sample in samples
    where sample.rateRadPerSec.isFinite && sample.time > last
      && sample.time.isAdmissible
    {
      last = sample.time
      if points.isEmpty { first = last }
      let rate = sample.rateRadPerSec
      points.append(
        Point(
          seconds: (last - first).seconds, rate: Vector3(x: rate.x, y: rate.y, z: rate.z)))
    }
    return points
  }

  private static func mean(_ points: ArraySlice<Point>) -> Vector3 {
    points.reduce(Vector3.zero) { $0 + $1.rate } * (1 / Double(points.count))
  }

  private static func isStill(_ points: ArraySlice<Point>) -> Bool {
    let mean = mean(points)
    return points.allSatisfy { restRule.allows($0.rate.angularRate, around: mean.angularRate) }
  }

  /// Returns the mean of the rest before the turn, up to a second of it.
  private static func bias(_ points: [Point], near guess: Vector3) -> Vector3 {
    mean(
      points.prefix {
        $0.seconds <= biasSeconds
          && restRule.allows($0.rate.angularRate, around: guess.angularRate)
      }
    )
  }
}

extension Vector3 {
  fileprivate var angularRate: AngularRate { AngularRate(x: x, y: y, z: z) }
}

/// The mounting of a gyroscope from three guided turns.
///
/// The sensor measures a turn about the device's +x about Mᵀ(1, 0, 0), the first row of its mount
/// matrix M; the other turns give the other rows. Hands are not exact, so the nearest rotation to
/// the three rows is taken.
package struct MountCalibration: Equatable, Sendable {
  /// The largest deviation from 90 degrees between the axes of two turns, degrees.
  static let skewDegrees = 25.0
  /// The largest angle between the axes of sensor and device that counts as mounted along them,
  /// degrees.
  static let snapDegrees = 15.0

  package let matrix: MountMatrix
  /// Whether the sensor's axes are along the device's: every entry is 0, 1 or -1.
  package let isAlongAxes: Bool

  package init(
    standUp: MeasuredTurn, raiseLeftEdge: MeasuredTurn, turnLeft: MeasuredTurn
  ) throws(CalibrationError) {
    let turns = [standUp, raiseLeftEdge, turnLeft]
    try Self.checkAngles(turns)
    let measured = Matrix3(rows: standUp.axis, raiseLeftEdge.axis, turnLeft.axis)
    guard measured.determinant > 0 else { throw .wrongWay }
    let rotation = measured.nearestRotation()
    let along = rotation.alongAxes(withinDegrees: Self.snapDegrees)
    isAlongAxes = along != nil
    do throws(SettingError) {
      matrix = try MountMatrix(rowMajor: (along ?? rotation).rowMajor)
    } catch {
      // A rotation is always valid. If this is not one, all turns are in question.
      throw .wrongWay
    }
  }

  /// The difference in skew from which the earlier of two turns is reported rather than the later,
  /// degrees.
  private static let clearlyDegrees = 15.0

  /// Throws an error with the turn that fits the others least; of two that fit alike, the later.
  private static func checkAngles(_ turns: [MeasuredTurn]) throws(CalibrationError) {
    var skew = [0.0, 0, 0]
    var worst: (degrees: Double, one: Int, other: Int)?
    for one in 0..<3 {
      for other in (one + 1)..<3 {
        let degrees = angleDegrees(turns[one].axis, turns[other].axis)
        let off = (degrees - 90).magnitude
        skew[one] += off
        skew[other] += off
        if off > skewDegrees, off > ((worst?.degrees ?? 90) - 90).magnitude {
          worst = (degrees, one, other)
        }
      }
    }
    guard let worst else { return }
    let isLater = skew[worst.one] - skew[worst.other] < clearlyDegrees
    throw .notAtRightAngles(
      turns[isLater ? worst.other : worst.one].turn,
      other: turns[isLater ? worst.one : worst.other].turn, degrees: worst.degrees)
  }
}
