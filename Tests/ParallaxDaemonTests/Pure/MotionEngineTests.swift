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
    engine.isFine = isFine
    engine.begin(SourceStart(rateHertz: 120, bias: .off, isLive: true))
    return engine
  }

  private func sample(_ index: Int64) -> GyroSample {
    GyroSample(
      time: .zero + .nanoseconds(index * 8_333_333),
      rateRadPerSec: AngularRate(x: 0, y: 0.3, z: 0))
  }

  /// Another source changes nothing about who is connected.
  @Test(arguments: [false, true]) func framesBetweenGoOnWithAnotherSource(isFine: Bool) {
    let engine = engine(isFine: isFine)
    for start in [0, 100] as [Int64] {
      engine.begin(SourceStart(rateHertz: 120, bias: .off, isLive: true))
      let frames = (0...8 as ClosedRange<Int64>).flatMap { index in
        _ = engine.push(sample(start + index))
        return sequence(state: ()) { _ in engine.nextFrame() }.map(\.isBetween)
      }
      #expect(frames == (isFine ? [false, true, false, true] : [false, false]))
    }
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
