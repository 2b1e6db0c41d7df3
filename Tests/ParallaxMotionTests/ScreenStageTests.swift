// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxMotion
import ParallaxTestSupport
import Testing

@Suite struct ScreenStageTests {
  /// The direction of the picture for a turn about the device's axes.
  @Test(arguments: [
    (Orientation.normal, PixelOffset(x: 2, y: 3)), (.leftUp, PixelOffset(x: -3, y: 2)),
    (.bottomUp, PixelOffset(x: -2, y: -3)), (.rightUp, PixelOffset(x: 3, y: -2)),
  ])
  func remap(orientation: Orientation, expected: PixelOffset) {
    #expect(ScreenRemap(orientation).apply(DrivingMotion(a: 2, b: 3)) == expected)
  }

  @Test func fourOrientationsAreRotationsOfEachOther() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<100_000 {
      let motion = DrivingMotion(
        a: .random(in: -40...40, using: &generator), b: .random(in: -40...40, using: &generator))
      let first = Orientation.allCases[Int.random(in: 0..<4, using: &generator)]
      let second = Orientation.allCases[Int.random(in: 0..<4, using: &generator)]
      // A quarter turn of the screen turns (x, y) by a quarter: (x, y) -> (-y, x).
      var expected = ScreenRemap(first).apply(motion)
      for _ in 0..<second.quarterTurns {
        expected = PixelOffset(x: -expected.y, y: expected.x)
      }
      let composed = ScreenRemap(first.composed(with: second)).apply(motion)
      #expect(composed == expected, "\(generator.note)")
    }
  }

  /// A mount matrix that includes the orientation needs no remap.
  @Test(arguments: Orientation.allCases)
  func turnedMountMatrix(orientation: Orientation) throws {
    let matrix = try MountMatrix(rowMajor: [0, 0, 1, 1, 0, 0, 0, 1, 0])
    let rate = AngularRate(x: 0.3, y: -0.7, z: 1.1)
    func offset(_ rate: AngularRate, _ orientation: Orientation) -> PixelOffset {
      ScreenRemap(orientation).apply(DrivingMotion(a: rate.y, b: rate.x))
    }
    let turned = matrix.turned(to: orientation)
    #expect(offset(turned.apply(rate), .normal) == offset(matrix.apply(rate), orientation))
    #expect(turned.apply(rate).z == matrix.apply(rate).z)
    // It is a rotation, too.
    _ = try MountMatrix(rowMajor: turned.rowMajor)
  }

  @Test func firstOutputOfASegmentIsItsFirstInput() {
    var stage = ScreenStage(settings: MotionSettings(), orientation: .normal)
    #expect(stage.output(after: frame(ms: 0, a: 0.5, b: -0.2)).offset == PixelOffset(x: 2.5, y: -1))
    stage.update(frame(ms: 33, a: 0, b: 0))
    #expect(
      stage.output(after: frame(ms: 900, a: 9, b: -0.1, startsSegment: true)).offset
        == PixelOffset(x: 5, y: -0.5))
  }

  /// With random settings, samples up to 1e300, and intervals from 1 ns to 10 s.
  @Test func motionNeverLeavesItsRange() throws {
    var generator = SeededGenerator.forTest()
    var cases = 0
    while cases < 100_000 {
      let settings = try randomSettings(&generator)
      let orientation = Orientation.allCases[Int.random(in: 0..<4, using: &generator)]
      var pipeline = MotionPipeline(
        settings: settings, orientation: orientation,
        nominalRateHertz: Bool.random(using: &generator) ? 30 : nil,
        bias: Bool.random(using: &generator) ? .off : .auto(nil))
      var time: MotionInstant = 0
      var frames = 0
      for _ in 0..<12 {
        time += randomInterval(&generator)
        let sample = GyroSample(time: time, rateRadPerSec: randomRate(&generator))
        _ = pipeline.push(sample)
        while let frame = pipeline.nextFrame() {
          frames += 1
          cases += 1
          let inside =
            settings.rangeX.low <= frame.offset.x && frame.offset.x <= settings.rangeX.high
            && settings.rangeY.low <= frame.offset.y && frame.offset.y <= settings.rangeY.high
          let velocity = frame.motion.velocity
          if !inside || !velocity.x.isFinite || !velocity.y.isFinite {
            Issue.record("\(frame) of \(settings); \(generator.note)")
          }
          if frames > 200 { break }
        }
      }
    }
  }

  private func randomSettings(
    _ generator: inout SeededGenerator
  ) throws(SettingError) -> MotionSettings {
    var settings = MotionSettings()
    settings.frameRate =
      [.native, .hertz(30), .hertz(60), .hertz(1)].randomElement(
        using: &generator) ?? .native
    settings.resampling = Resampling.allCases.randomElement(using: &generator) ?? .auto
    settings.mode = Bool.random(using: &generator) ? .rate : .tilt
    settings.rangeX = try PixelRange(
      low: -Double.random(in: 0...50, using: &generator),
      high: .random(in: 0.1...50, using: &generator))
    settings.rangeY = try PixelRange(
      low: -Double.random(in: 0.1...50, using: &generator), high: 0)
    settings.scale = PixelScale(
      x: .random(in: -1e6...1e6, using: &generator), y: .random(in: -20...20, using: &generator))
    settings.smoothing = try Smoothing(
      parsing: [
        "auto", "auto:calm", "none", "ema:0.1", "one-euro:1,0.2", "spring:0.4,0.1",
        "spring:0.001,100", "spring:9",
      ]
      .randomElement(using: &generator) ?? "none")
    return settings
  }

  private func randomInterval(_ generator: inout SeededGenerator) -> MotionDuration {
    [1, 10, 1000, 1_000_000, 10_000_000, 33_333_333, 600_000_000, 10_000_000_000].randomElement(
      using: &generator) ?? 1
  }

  private func randomRate(_ generator: inout SeededGenerator) -> AngularRate {
    func axis() -> Double {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: 1e300 * (Bool.random(using: &generator) ? 1 : -1)
      case 1: [Double.infinity, -.infinity, .nan].randomElement(using: &generator) ?? .nan
      case 2: .leastNonzeroMagnitude
      default: .random(in: -40...40, using: &generator)
      }
    }
    return AngularRate(x: axis(), y: axis(), z: axis())
  }

  @Test func turnBlendsTheTwoRemaps() {
    var settings = MotionSettings()
    settings.smoothing = Smoothing.none
    settings.fadeSeconds = 0.3
    var stage = ScreenStage(settings: settings, orientation: .normal)
    stage.update(frame(ms: 0, a: 0.4, b: 0))
    stage.turn(to: .leftUp, at: 0)
    let half = stage.output(after: frame(ms: 150, a: 0.4, b: 0)).offset
    #expect((half.x - 1).magnitude < 1e-12 && (half.y - 1).magnitude < 1e-12)
    var isTurning = stage.isTurning
    #expect(isTurning)
    // A further turn midway starts at the blend, without a jump.
    stage.turn(to: .normal, at: 150_000_000)
    stage.tick(at: 150_000_000)
    let same = stage.output.offset
    #expect((same.x - 1).magnitude < 1e-12 && (same.y - 1).magnitude < 1e-12)
    stage.tick(at: 450_000_000)
    #expect(stage.output.offset == PixelOffset(x: 2, y: 0))
    isTurning = stage.isTurning
    #expect(!isTurning)
  }

  @Test func newSettingsContinueFromTheOutput() throws {
    var settings = MotionSettings()
    settings.smoothing = .ema(timeConstantSeconds: 0.5)
    var stage = ScreenStage(settings: settings, orientation: .normal)
    let before = stage.output(after: frame(ms: 0, a: 0.8, b: 0)).offset
    settings.smoothing = .spring(responseSeconds: 0.5, damping: 1)
    stage.reconfigure(settings)
    let after = stage.output(after: frame(ms: 1, a: 0.8, b: 0)).offset
    #expect((after.x - before.x).magnitude < 1e-3)
  }

  private func frame(
    ms: Int64, a: Double, b: Double, startsSegment: Bool = false
  ) -> SensorFrame {
    let motion = DrivingMotion(a: a, b: b)
    var estimate = MotionEstimate(mode: .rate, newest: motion)
    estimate.mean = motion
    return SensorFrame(
      time: .zero + .milliseconds(ms), motion: motion, estimate: estimate,
      startsSegment: startsSegment || ms == 0)
  }
}

@Suite struct MountMatrixTests {
  @Test func matrixAndInverseCancel() throws {
    var generator = SeededGenerator.forTest()
    for _ in 0..<100_000 {
      let matrix = try MountMatrix(rowMajor: randomRotation(&generator))
      let rate = AngularRate(
        x: .random(in: -40...40, using: &generator), y: .random(in: -40...40, using: &generator),
        z: .random(in: -40...40, using: &generator))
      let back = matrix.transposed.apply(matrix.apply(rate))
      let error = max(
        (back.x - rate.x).magnitude, (back.y - rate.y).magnitude, (back.z - rate.z).magnitude)
      if error > 1e-12 { Issue.record("\(matrix) leaves \(error); \(generator.note)") }
    }
  }

  /// Returns the matrix of a random unit quaternion, row by row.
  private func randomRotation(_ generator: inout SeededGenerator) -> [Double] {
    var q = (0..<4).map { _ in Double.random(in: -1...1, using: &generator) }
    let norm = q.map { $0 * $0 }.reduce(0, +).squareRoot()
    q = norm > 0.01 ? q.map { $0 / norm } : [1, 0, 0, 0]
    let (w, x, y, z) = (q[0], q[1], q[2], q[3])
    return [
      1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ]
  }

  @Test(arguments: [
    ("1,0,0;0,1,0;0,0,1", true), ("0, 1, 0; 0, 0, -1; -1, 0, 0", true),
    ("0.71,0.71,0;-0.71,0.71,0;0,0,1", true),
    ("1,0,0;0,1,0;0,0,-1", false), ("1,0,0;0,1,0;0,0,1.02", false), ("1,0,0;0,1,0", false),
    ("1,0,0;0,1,0;0,0,nan", false), ("", false), ("0,0,0;0,0,0;0,0,0", false),
  ])
  func onlyRotationsAreAccepted(text: String, accepted: Bool) {
    let matrix = try? MountMatrix(parsing: text)
    #expect((matrix != nil) == accepted)
  }

  @Test func zIsNeededOnlyIfItAffectsTheScreen() throws {
    #expect(!MountMatrix.identity.usesZ)
    #expect(try !MountMatrix(parsing: "0,-1,0;1,0,0;0,0,1").usesZ)
    #expect(try MountMatrix(parsing: "0,1,0;0,0,-1;-1,0,0").usesZ)
  }
}

extension ScreenStage {
  /// Moves to a frame and returns the motion there.
  fileprivate mutating func output(after frame: SensorFrame) -> ScreenMotion {
    update(frame)
    return output
  }
}
