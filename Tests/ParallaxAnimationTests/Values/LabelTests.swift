// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ParallaxAnimation

@Suite("Labels") struct LabelTests {
  private static let up = ValueAnimation.by(10.0, duration: .seconds(1), curve: .linear)
  private static let down = ValueAnimation.by(-10.0, duration: .seconds(3), curve: .linear)
  private static let hop = up.then(.label("peak")).then(down)

  /// An animation with a label, and the time at which it is first passed.
  @Test(
    arguments: [
      (hop, 1), (hop.delayed(by: .seconds(2)), 3), (up.with(hop.delayed(by: .seconds(2))), 3),
      (hop.reversed(), 3), (hop.autoreversed(), 1), (hop.autoreversed().reversed(), 1),
      (hop.speed(2), 0.5), (hop.repeated(5), 1), (up.then(hop.repeatedForever()), 2),
      (hop.repeatedForever().reversed(), 3), (hop.then(hop), 1), (.label("peak"), 0),
      (up.then(hop.speed(4).delayed(by: .seconds(1)).repeated(3)).reversed(), 0.75),
      (hop.repeated(0), nil), (up.repeatedForever().then(.label("peak")), nil), (up, nil),
      (up.then(.label("end")), nil),
    ] as [(ValueAnimation<Double>, Double?)])
  func timeOfALabel(_ animation: ValueAnimation<Double>, seconds: Double?) {
    #expect(Timeline(animation).time(of: "peak") == seconds.map { .seconds($0) })
  }

  @Test func aLabelChangesNothingElse() {
    let (with, without) = (Timeline(Self.hop), Timeline(Self.up.then(Self.down)))
    #expect(with.duration == without.duration && with.end() == without.end())
    for tenth in 0...40 {
      let time = Duration.milliseconds(100 * tenth)
      #expect(with.value(at: time) == without.value(at: time))
    }
    #expect(Self.hop != Self.up.then(.label("top")).then(Self.down))
    #expect(ValueAnimation<Double>.label("a") != .empty)
  }

  @Test func builderTakesLabels() {
    let timeline = Timeline(
      Animation {
        Animation.move(by: PixelOffset(x: 0, y: -40), duration: .seconds(1))
        Animation.label("peak")
        Animation.move(by: PixelOffset(x: 0, y: 40))
      })
    #expect(timeline.time(of: "peak") == .seconds(1))
    #expect(abs(timeline.pose(at: .seconds(1)).offset.y + 40) < 1e-9)
  }
}
