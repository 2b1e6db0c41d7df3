// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import Testing

@testable import ParallaxDaemon

struct MotionEngineTests {
  private func engine(isFine: Bool) -> MotionEngine {
    var settings = MotionSettings()
    settings.mode = .tilt
    let engine = MotionEngine(settings: settings, orientation: .normal)
    engine.begin(SourceStart(rateHertz: 120, bias: .off, isLive: true))
    engine.isFine = isFine
    return engine
  }

  private func sample(_ index: Int64) -> GyroSample {
    GyroSample(
      time: .zero + .nanoseconds(index * 8_333_333),
      rateRadPerSec: AngularRate(x: 0, y: 0.3, z: 0))
  }

  /// A frame that was too late is shown as it was at its instant, also if one between it and the next has followed.
  @Test func aWithheldFrameHasItsOwnMotion() throws {
    let (plain, fine) = (engine(isFine: false), engine(isFine: true))
    // The last frame is complete at sample 13, the one between it and the next at 15.
    for index in 0...15 as ClosedRange<Int64> {
      for engine in [plain, fine] {
        _ = engine.push(sample(index))
        while engine.withholdFrame() {}
      }
    }
    let (expected, found) = (plain.releaseWithheldFrame(), fine.releaseWithheldFrame())
    #expect(try #require(found).time == #require(expected).time)
    #expect(fine.motion(on: .common) == plain.motion(on: .common))
    #expect(fine.motion(on: .common).offset.x > 0.3)
  }
}
