// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import ParallaxDevice
import ParallaxGates
import ParallaxMotion
import ParallaxTestSupport
import Testing

extension GyroFacts {
  /// A chip with both, mounted along the device's axes by default.
  fileprivate static func combined(_ matrix: AccelMatrix = .identity) -> GyroFacts {
    GyroFacts(
      id: "iio:device0", name: "mpu6050", rateHertz: 100, accelerometer: .readAlong(matrix: matrix))
  }
}

extension Orientation {
  /// The accelerometer's reading in this orientation, m/s².
  fileprivate var reading: Acceleration {
    switch self {
    case .normal: Acceleration(x: 0, y: -9.8, z: 0)
    case .leftUp: Acceleration(x: 9.8, y: 0, z: 0)
    case .bottomUp: Acceleration(x: 0, y: 9.8, z: 0)
    case .rightUp: Acceleration(x: -9.8, y: 0, z: 0)
    }
  }
}

extension GyroRig {
  /// Streams at 100 Hz; in `normal` the offset is (-4, 2.5).
  fileprivate func hold(_ acceleration: Acceleration, seconds: Double) {
    for _ in 0..<Int(seconds * 100) {
      rig.run(seconds: 0.01)
      gyro.scan(0.5, -0.8, acceleration: acceleration)
      gyro.callHandlers()
    }
  }

  fileprivate var decision: OrientationBoard.Decision { rig.core.hub.orientations.common }
}

@Suite("An accelerometer in the gyroscope's device")
struct OwnAccelerometerTests {
  @Test func pictureTurnsWithTheDevice() throws {
    let test = try GyroRig()
    let client = test.rig.subscribe()
    test.gyro.open(.combined())
    test.hold(Orientation.leftUp.reading, seconds: 1)
    // The first frames have this orientation already: nothing shown has to turn.
    let first = client.frames()
    #expect(first.dropFirst(12).allSatisfy { $0.x == -2.5 && $0.y == -4 })
    #expect(test.decision == .init(orientation: .leftUp, source: .accelerometer))
    test.hold(Orientation.bottomUp.reading, seconds: 3)
    let frames = client.frames()
    #expect(frames.last?.x == 4 && frames.last?.y == -2.5)
    // The turn fades, without a jump.
    let steps = zip(frames, frames.dropFirst()).map { ($1.x - $0.x).magnitude }
    #expect(steps.allSatisfy { $0 < 2 } && steps.count { $0 > 0 } >= 7)
  }

  @Test func ownMatrixApplies() throws {
    let test = try GyroRig()
    _ = test.rig.subscribe()
    // Acer SW3-016 (60-sensor.hwdb).
    test.gyro.open(.combined(try AccelMatrix(parsing: "0, -1, 0; -1, 0, 0; 0, 0, -1")))
    test.hold(Acceleration(x: 9.8, y: 0, z: 0), seconds: 0.1)
    #expect(test.decision.orientation == .normal)
  }

  @Test func panelIsComposedAndSetTakesPrecedence() throws {
    let test = try GyroRig(["orientation.panel=left-up"])
    let control = test.rig.control()
    _ = test.rig.subscribe()
    test.gyro.open(.combined())
    test.hold(Orientation.leftUp.reading, seconds: 0.1)
    #expect(test.decision == .init(orientation: .bottomUp, source: .accelerometer))
    let status = control.ask(#"{"class":"STATUS"}"#).first?.text ?? ""
    #expect(status.contains("accelerometer"))
    control.send(#"{"class":"SET","key":"orientation","value":"right-up"}"#)
    test.hold(Orientation.bottomUp.reading, seconds: 3)
    #expect(test.decision == .init(orientation: .rightUp, source: .set))
    control.send(#"{"class":"SET","key":"orientation","value":"auto"}"#)
    #expect(test.decision == .init(orientation: .rightUp, source: .accelerometer))
  }

  @Test func orientationSurvivesAPauseOnTheTable() throws {
    let test = try GyroRig()
    let client = test.rig.subscribe()
    test.gyro.open(.combined())
    test.hold(Orientation.rightUp.reading, seconds: 1)
    client.hangUp()
    test.rig.run(seconds: 6)
    test.gyro.release()
    let next = test.rig.subscribe()
    test.gyro.open(.combined())
    test.hold(Acceleration(x: 0, y: 0, z: -9.8), seconds: 1)
    #expect(test.decision == .init(orientation: .rightUp, source: .accelerometer))
    #expect(next.frames().last?.x == 2.5)
  }

  @Test func deviceWithoutAccelerometerResetsIt() throws {
    let test = try GyroRig()
    _ = test.rig.subscribe()
    test.gyro.open(.combined())
    test.hold(Orientation.rightUp.reading, seconds: 1)
    test.gyro.remove()
    test.gyro.release()
    test.gyro.add()
    test.gyro.open(GyroFacts(id: "iio:device1", name: "gyro_3d", rateHertz: 100))
    test.stream(seconds: 0.1)
    #expect(test.decision == .init(orientation: .normal, source: .builtIn))
  }

  @Test func shakeDoesNotTurnThePicture() throws {
    let test = try GyroRig()
    _ = test.rig.subscribe()
    test.gyro.open(.combined())
    test.hold(Orientation.normal.reading, seconds: 1)
    for step in 0..<200 {
      let push = step / 8 % 2 == 0 ? 20.0 : -20
      test.hold(Acceleration(x: push, y: -9.8, z: 0), seconds: 0.01)
    }
    #expect(test.decision == .init(orientation: .normal, source: .accelerometer))
  }

  @Test(.enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"))
  func readingAllocatesNothing() {
    var sensor = AccelOrientation()
    func turnRound() -> Int {
      var changes = 0
      for step in 0..<1_000 {
        let side = Orientation(quarterTurns: step / 250)
        let changed = sensor.add(
          AccelMatrix.identity.apply(side.reading),
          at: MotionInstant(nanoseconds: Int64(step) * 10_000_000))
        changes += changed == nil ? 0 : 1
      }
      return changes
    }
    _ = turnRound()
    sensor = AccelOrientation()
    var changes = 0
    #expect(AllocationCount.during { changes = turnRound() } == 0)
    #expect(changes == 4)
  }
}
