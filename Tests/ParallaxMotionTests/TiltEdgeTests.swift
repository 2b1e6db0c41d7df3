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

/// Tilt mode at the end of the range.
@Suite struct TiltEdgeTests {
  private func settings(_ change: (inout MotionSettings) -> Void = { _ in }) -> MotionSettings {
    var settings = MotionSettings()
    settings.mode = .tilt
    change(&settings)
    return settings
  }

  /// Feeds rates at 100 Hz from 0 s on and returns the frames.
  private func frames(
    _ settings: MotionSettings, seconds: Double, _ rate: (Double) -> AngularRate
  ) -> [MotionFrame] {
    var pipeline = MotionPipeline(
      settings: settings, orientation: .normal, nominalRateHertz: 100, bias: .off)
    var frames: [MotionFrame] = []
    for index in 0..<Int(seconds * 100) {
      let time = Double(index) / 100
      _ = pipeline.push(
        GyroSample(time: .zero + MotionDuration(seconds: time), rateRadPerSec: rate(time)))
      while let frame = pipeline.nextFrame() { frames.append(frame) }
    }
    return frames
  }

  /// Someone turns round with the device at 2 rad/s, then sways it by 0.15 rad every 2 s: the picture follows
  /// within 0.7 s, at whatever angle the turn has ended.
  @Test(arguments: [45.0, 90, 170, -45, -170, 360]) func thePictureFollowsSoonAfterATurn(
    degrees: Double
  ) {
    let turn = degrees * .pi / 180
    let end = 1 + turn.magnitude / 2
    let frames = frames(settings(), seconds: end + 2) { time in
      if time < 1 { return .zero }
      if time < end { return AngularRate(x: 0, y: turn < 0 ? -2 : 2, z: 0) }
      let sway = 0.15 * .pi * sin(.pi * (time - end))
      return AngularRate(x: 0, y: turn < 0 ? sway : -sway, z: 0)
    }
    let before = frames.last { $0.time.seconds < end }?.offset.x ?? 0
    #expect(before.magnitude > 4.9)
    let follows = frames.first {
      $0.time.seconds > end && ($0.offset.x - before).magnitude > 0.1
    }
    let delay = (follows?.time.seconds ?? .infinity) - end
    #expect(delay <= 0.7, "\(delay) s")
  }

  /// A turn in any direction that drags the viewer along has no velocity away from it.
  @Test func aDraggedViewerHasNoVelocityOutward() {
    for degrees in stride(from: 0.0, to: 360, by: 7) {
      let direction = AngularRate(
        x: 2 * sin(degrees * .pi / 180), y: 2 * cos(degrees * .pi / 180), z: 0)
      var viewer = ViewerDirection(settings())
      for step in 0..<100 as Range<Int64> {
        let tilt = viewer.add(
          direction, time: .zero + .milliseconds(10 * step), startsSegment: step == 0)
        guard step > 50 else { continue }
        let velocity = viewer.velocity
        #expect(
          tilt.a * velocity.a + tilt.b * velocity.b < 1e-9, "\(degrees) degrees, step \(step)")
      }
    }
  }

  /// The picture slows down before the end of its range, and its velocity leads to where it is one period later.
  @Test func theEndIsSoft() {
    let range = PixelRange.standard
    for (offset, shown) in [(3.5, 3.5), (5, 4.6424), (-5, -4.6424), (7.5, 4.9855), (100, 5)] {
      #expect(
        (range.softened(offset) - shown).magnitude < 1e-4, "\(offset): \(range.softened(offset))")
    }
    #expect(range.softened(.nan) == 0 && range.softened(.infinity) == 5)
    let period = 1.0 / 30
    for offset in stride(from: -9.05, to: 9, by: 0.1) {
      for velocity in [-40.0, 0, 3] {
        let line = MotionLine(offset: offset, velocity: velocity)
          .softened(by: range, periodSeconds: period)
        let next = range.softened(offset + velocity * period)
        #expect((line.offset + line.velocity * period - next).magnitude < 1e-12)
        #expect(line.offset == range.softened(offset))
      }
    }
  }

  /// A range that ends at 0 on one side, as for a panel at the edge of a screen.
  @Test func aSideWithoutRangeStays() throws {
    let range = try PixelRange(low: 0, high: 8)
    let frames = frames(settings { $0.rangeX = range }, seconds: 3) { time in
      AngularRate(x: 0, y: -sin(time), z: 0)
    }
    #expect(frames.allSatisfy { $0.offset.x == 0 })
  }

  /// The axis that needs a larger tilt for its range sets the limit; without a scale there is none.
  @Test func theLimitFollowsScaleAndRange() throws {
    #expect((settings().maxTiltRadians - 1.5 * 5 / 14.3).magnitude < 1e-12)
    let wide = try PixelRange(low: -5, high: 20)
    let other = settings {
      $0.rangeY = wide
      $0.scale = PixelScale(x: 14.3, y: -10)
    }
    #expect((other.maxTiltRadians - 3).magnitude < 1e-12)
    #expect(settings { $0.scale = PixelScale(x: 0, y: 5) }.maxTiltRadians == .infinity)
  }

  /// A flip right round: no picture jumps, however fast a display draws along the frames' lines.
  @Test(arguments: [1.0, 3, 6]) func aFlipDoesNotStep(radPerSec: Double) {
    let end = 1 + 2 * .pi / radPerSec
    let frames = frames(settings(), seconds: end + 1) { time in
      (1..<end).contains(time) ? AngularRate(x: 0, y: radPerSec, z: 0.2 * sin(7 * time)) : .zero
    }
    for (before, after) in zip(frames, frames.dropFirst()) {
      let step = (after.offset.x - before.offset.x).magnitude
      // As far as the device turns between two frames, of which nothing is enlarged.
      #expect(step <= 14.3 * radPerSec / 30 + 0.01, "\(after.time.seconds) s: \(step) px")
      let missed = before.offset.x + before.motion.velocity.x / 30 - after.offset.x
      #expect(missed.magnitude < 3.3, "\(after.time.seconds) s: \(missed) px")
    }
  }
}
