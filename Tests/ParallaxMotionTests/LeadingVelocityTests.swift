// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import Testing

@testable import ParallaxMotion

/// The velocity of a tilt leads the newest sample by up to 8 ms.
@Suite struct LeadingVelocityTests {
  /// Turns about y at 100 samples a second and returns the velocity at the last one, rad/s.
  private func velocity(_ rates: [Double]) -> Double {
    var settings = MotionSettings()
    settings.mode = .tilt
    // No leak.
    settings.recenterSeconds = 1e9
    var viewer = ViewerDirection(settings)
    for (index, rate) in rates.enumerated() {
      _ = viewer.add(
        AngularRate(x: 0, y: rate, z: 0),
        time: MotionInstant(nanoseconds: Int64(index) * 10_000_000),
        startsSegment: index == 0)
    }
    return viewer.velocity.a
  }

  /// | change, rad/s² | lead, ms |
  private static let leads: [(change: Double, milliseconds: Double)] = [
    (0, 8), (1, 7.995003), (-4, 7.920792), (40, 4), (400, 0.079208),
  ]

  @Test(arguments: leads)
  func theFasterTheChangeTheShorterTheLead(change: Double, milliseconds: Double) {
    let rate = 0.1 + change * 0.01
    let expected = rate + change * milliseconds / 1000
    #expect((velocity([0.1, 0.1, rate]) - expected).magnitude < 1e-6)
  }

  @Test func theFirstSampleOfASegmentHasNoChange() {
    #expect(velocity([0.3]) == 0.3)
  }
}
