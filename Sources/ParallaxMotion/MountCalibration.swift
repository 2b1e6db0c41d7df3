/// One of the guided turns, measured: what the gyroscope saw, in its own frame.
package struct MeasuredTurn: Equatable, Sendable {
  /// The rest before and behind the turn, s.
  static let restSeconds = 0.5
  /// At rest every axis stays this near to its mean, rad/s: a table is quieter, a hand is not.
  static let stillnessRadPerSec = 0.1
  /// At rest behind the turn, this much of the mean may be left without the zero offset, rad/s.
  static let leftRateRadPerSec = 0.1
  /// The zero offset is the mean over so much of the rest before the turn at most, s.
  static let offsetSeconds = 1.0
  static let fewestSamples = 20
  static let longestGapSeconds = 0.25
  static let degrees = 60.0...120.0

  package let turn: GuidedTurn
  /// By how much the sensor turned.
  package let angleDegrees: Double
  /// About which axis, length 1.
  let axis: Vector3

  /// - Parameter samples: in the sensor's frame: at least half a second of rest, the turn, and half
  ///   a second of rest again. What is not finite or goes back in time is left out.
  package init(_ turn: GuidedTurn, samples: [GyroSample]) throws(CalibrationError) {
    let points = Self.points(samples)
    guard points.count >= Self.fewestSamples, let end = points.last?.seconds else {
      throw .tooFewSamples(turn, count: points.count)
    }
    for (before, after) in zip(points, points.dropFirst())
    where after.seconds - before.seconds > Self.longestGapSeconds {
      throw .gap(turn, seconds: after.seconds - before.seconds)
    }
    let restBefore = points.prefix { $0.seconds <= Self.restSeconds }
    guard end >= 2 * Self.restSeconds, Self.isStill(restBefore) else {
      throw .notStillBefore(turn)
    }
    let offset = Self.zeroOffset(points, near: Self.mean(restBefore))
    let restAfter = points.drop { $0.seconds < end - Self.restSeconds }
    let left = Self.mean(restAfter) - offset
    guard Self.isStill(restAfter), left.isWithin(Self.leftRateRadPerSec) else {
      throw .notStillAfter(turn)
    }
    var integral = RotationIntegral()
    for (before, after) in zip(points, points.dropFirst()) {
      integral.add(
        (before.rate + after.rate) * 0.5 - offset, seconds: after.seconds - before.seconds)
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
    var first: Int64 = 0
    var last = Int64.min
    for sample in samples
    where sample.rateRadPerSec.isFinite && sample.timeNanoseconds > last
      && sample.timeNanoseconds.magnitude <= GyroSample.timeLimitNanoseconds.magnitude
    {
      last = sample.timeNanoseconds
      if points.isEmpty { first = last }
      let rate = sample.rateRadPerSec
      points.append(
        Point(
          seconds: Double(last - first) * 1e-9, rate: Vector3(x: rate.x, y: rate.y, z: rate.z)))
    }
    return points
  }

  private static func mean(_ points: ArraySlice<Point>) -> Vector3 {
    points.reduce(Vector3.zero) { $0 + $1.rate } * (1 / Double(points.count))
  }

  private static func isStill(_ points: ArraySlice<Point>) -> Bool {
    let mean = mean(points)
    return points.allSatisfy { ($0.rate - mean).isWithin(stillnessRadPerSec) }
  }

  /// The mean of the rest, as long as it lasts, up to a second of it.
  private static func zeroOffset(_ points: [Point], near guess: Vector3) -> Vector3 {
    mean(
      points.prefix {
        $0.seconds <= offsetSeconds && ($0.rate - guess).isWithin(stillnessRadPerSec)
      }
    )
  }
}

extension Vector3 {
  fileprivate func isWithin(_ bound: Double) -> Bool {
    x.magnitude <= bound && y.magnitude <= bound && z.magnitude <= bound
  }
}

/// The mounting of a gyroscope from three guided turns.
///
/// A turn about +x of the device is seen by the sensor about Mᵀ(1, 0, 0), the first row of its
/// mount matrix M; so are the other two. The rows are then put right together, for hands are not
/// exact.
package struct MountCalibration: Equatable, Sendable {
  /// The axes of two turns stand at right angles, give or take this, degrees.
  static let skewDegrees = 25.0
  /// A sensor whose axes all lie this near to the device's is mounted along them, degrees.
  static let snapDegrees = 15.0

  package let matrix: MountMatrix
  /// Whether the sensor's axes lie along the device's: every entry is 0, 1 or -1.
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
      // A rotation is always taken; whatever else this were, all turns are in question.
      throw .wrongWay
    }
  }

  /// By so much more must the earlier of two turns be askew to be named before the later, degrees.
  private static let clearlyDegrees = 15.0

  /// Names the turn that fits the others least; of two that fit alike the later.
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
