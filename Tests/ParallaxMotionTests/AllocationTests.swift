// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxMotion
import ParallaxTestSupport
import Testing

/// A sample allocates nothing on its path through the pipeline, with any settings.
@Suite struct AllocationTests {
  static let smoothings = ["none", "ema:0.1", "one-euro:1,0.2", "spring:0.5,0.825"]

  @Test(
    .enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"), arguments: smoothings,
    Resampling.allCases)
  func thePipelineAllocatesNothing(smoothing: String, resampling: Resampling) throws {
    for mode in MotionMode.allCases {
      var settings = MotionSettings()
      settings.mode = mode
      settings.smoothing = try Smoothing(parsing: smoothing)
      settings.resampling = resampling
      settings.mountMatrix = try MountMatrix(parsing: "0,1,0;0,0,-1;-1,0,0")
      // A first run before the count: the runtime creates a type's metadata at its first use.
      _ = Self.frames(settings)
      var frames = 0
      let allocations = AllocationCount.during { frames = Self.frames(settings) }
      #expect(allocations == 0)
      #expect(frames > 500)
    }
  }

  /// Runs two thousand samples, among them a gap, a duplicate and a clock that was set back.
  private static func frames(_ settings: MotionSettings) -> Int {
    var pipeline = MotionPipeline(
      settings: settings, orientation: .leftUp, nominalRateHertz: 100, bias: .off)
    var frames = 0
    for step in 0..<2000 {
      let ms = Int64(step * 10 + (step > 500 ? 900 : 0) - (step > 1000 ? 7000 : 0))
      _ = pipeline.push(
        GyroSample(
          time: .zero + .milliseconds(step == 700 ? ms - 10 : ms),
          rateRadPerSec: AngularRate(x: Double(step % 7) - 3, y: 0.5, z: -0.1)))
      while let frame = pipeline.nextFrame() {
        frames += frame.offset.x.isFinite ? 1 : 0
      }
    }
    return frames
  }

  /// The estimator keeps three seconds of samples in a window that grows once and is then reused.
  @Test(.enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"))
  func theBiasAllocatesNothingForItsWindow() {
    var estimator = BiasEstimator(.auto(nil))
    func rest(_ steps: Range<Int>) {
      for step in steps {
        _ = estimator.correct(
          AngularRate(x: 0.01, y: 0.02, z: 0.03), time: .zero + .milliseconds(Int64(step) * 10),
          startsSegment: step == 0)
      }
    }
    rest(0..<2000)
    #expect(AllocationCount.during { rest(2000..<4000) } == 0)
  }
}
