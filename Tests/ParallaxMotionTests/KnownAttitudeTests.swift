// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

@testable import ParallaxMotion

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Tilt mode against a device whose attitude is known at every instant, as an optical tracker would measure it: a
/// hand that turns it about all axes at once, with tremor.
@Suite struct KnownAttitudeTests {
  /// The columns are the device's axes in the room.
  private typealias Attitude = (x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>)

  /// First about z, then about x, then about y; none at 0 s.
  private func attitude(at t: Double) -> Attitude {
    let yaw = 0.5 * sin(0.7 * t) + 0.2 * sin(2.9 * t)
    let pitch = 0.11 * sin(1.9 * t) + 0.004 * sin(2 * .pi * 8 * t)
    let roll = 0.1 * sin(2.3 * t) + 0.05 * sin(5.1 * t) + 0.004 * sin(2 * .pi * 9 * t)
    func turned(_ v: SIMD3<Double>) -> SIMD3<Double> {
      let (c, s) = (cos(roll), sin(roll))
      let a = SIMD3(c * v.x + s * v.z, v.y, -s * v.x + c * v.z)
      let (d, u) = (cos(pitch), sin(pitch))
      let b = SIMD3(a.x, d * a.y - u * a.z, u * a.y + d * a.z)
      let (e, w) = (cos(yaw), sin(yaw))
      return SIMD3(e * b.x - w * b.y, w * b.x + e * b.y, b.z)
    }
    return (turned([1, 0, 0]), turned([0, 1, 0]), turned([0, 0, 1]))
  }

  /// The rates about the device's own axes, rad/s: how fast each axis moves toward the next one.
  private func rates(at t: Double) -> AngularRate {
    let step = 1e-6
    let (before, now, after) = (attitude(at: t - step), attitude(at: t), attitude(at: t + step))
    func toward(_ axis: KeyPath<Attitude, SIMD3<Double>>, _ other: KeyPath<Attitude, SIMD3<Double>>)
      -> Double
    {
      ((after[keyPath: axis] - before[keyPath: axis]) * now[keyPath: other]).sum() / (2 * step)
    }
    return AngularRate(x: toward(\.y, \.z), y: toward(\.z, \.x), z: toward(\.x, \.y))
  }

  /// The angle to the one who looked straight at the screen at 0 s, along the screen's axes, rad.
  private func angles(at t: Double) -> (a: Double, b: Double) {
    let now = attitude(at: t)
    let viewer = SIMD3(now.x.z, now.y.z, now.z.z)
    let across = (viewer.x * viewer.x + viewer.y * viewer.y).squareRoot()
    guard across > 0 else { return (0, 0) }
    let angle = atan2(across, viewer.z)
    return (-viewer.x / across * angle, viewer.y / across * angle)
  }

  /// Half a minute of a sensor with its noise, without recentering: the offset agrees with the true attitude within
  /// 0.1 px RMS of 5 px.
  @Test(arguments: [52.0, 104, 208]) func theOffsetIsThatOfTheAttitude(hertz: Double) {
    var generator = SeededGenerator.forTest()
    var settings = MotionSettings()
    (settings.mode, settings.recenterSeconds) = (.tilt, 1e9)
    var pipeline = MotionPipeline(
      settings: settings, orientation: .normal, nominalRateHertz: hertz, bias: .off)
    pipeline.isFine = true
    var squares = 0.0
    var count = 0.0
    var greatest = 0.0
    for index in 0..<Int(30 * hertz) {
      let t = Double(index) / hertz
      func noise() -> Double { .random(in: -0.003...0.003, using: &generator) }
      let rate = rates(at: t) + AngularRate(x: noise(), y: noise(), z: noise())
      _ = pipeline.push(GyroSample(time: .zero + MotionDuration(seconds: t), rateRadPerSec: rate))
      while let frame = pipeline.nextFrame() {
        let (a, b) = angles(at: frame.time.seconds)
        let scale = settings.resolvedScale
        let x = settings.rangeX.softened(scale.x * a) - frame.offset.x
        let y = settings.rangeY.softened(scale.y * b) - frame.offset.y
        squares += x * x + y * y
        count += 2
        greatest = max(greatest, frame.offset.x.magnitude)
      }
    }
    let rms = (squares / count).squareRoot()
    #expect(rms <= 0.1, "\(rms) px, \(generator.note)")
    #expect(greatest > 2 && count > 3000)
  }
}
