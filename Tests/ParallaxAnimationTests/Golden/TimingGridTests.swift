// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// x from 0 to 1, from 0 again in each pass: the repetition of CSS and Web Animations.
private func keyframed(_ seconds: Double) -> Animation {
  let ends = [(0.0, 0.0), (1, 1)].map { share, x in
    Keyframes.Frame(
      share: share, pose: Pose(offset: PixelOffset(x: x, y: 0)), channels: PoseChannels(.x))
  }
  return .keyframes(Keyframes(ends, durationSeconds: seconds))
}

/// 1 px further in each pass.
private func moved(_ seconds: Double) -> Animation {
  .move(by: PixelOffset(x: 1, y: 0), duration: .seconds(seconds), curve: .linear)
}

/// The delay, repeat, alternate, reverse and fill cases of the Web Animations timing model.
@Suite("Web Animations timing") struct TimingGridTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var animation: Animation
    /// In px per pass: `by` continues from the previous pass, keyframes restart.
    var gainPerPass = 0.0
    /// x at the start. A reversed `by` moves below its start.
    var x = 0.0

    var testDescription: String { "\(name), \(gainPerPass == 0 ? "keyframes" : "by")" }
  }

  static let cases = [
    Case(name: "delay+repeat3", animation: keyframed(0.5).repeated(3).delayed(by: .seconds(0.25))),
    Case(
      name: "delay+repeat3", animation: moved(0.5).repeated(3).delayed(by: .seconds(0.25)),
      gainPerPass: 1),
    Case(name: "autoreverse x2", animation: keyframed(0.5).autoreversed().repeated(2)),
    Case(name: "autoreverse x2", animation: moved(0.5).autoreversed().repeated(2)),
    Case(name: "reverse", animation: keyframed(1).reversed()),
    Case(
      name: "reverse",
      animation: .move(to: PixelOffset(x: 1, y: 0), duration: .seconds(1), curve: .linear)
        .reversed()),
    Case(name: "reverse", animation: moved(1).reversed(), x: 1),
    Case(
      name: "infinite alternate-reverse",
      animation: keyframed(0.4).reversed().autoreversed().repeatedForever()),
    Case(
      name: "infinite alternate-reverse",
      animation: moved(0.4).reversed().autoreversed().repeatedForever(), x: 1),
    Case(name: "fill forwards", animation: moved(0.5).delayed(by: .seconds(0.25))),
  ]

  @Test(arguments: cases) func ticksEqualTheTable(_ timed: Case) throws {
    let timeline = Timeline(timed.animation)
    let start = Pose(offset: PixelOffset(x: timed.x, y: 0))
    var count = 0
    var active = 0
    for row in try NamedTable("timing_grid_30hz", rows: 684).rows
    where try row[text: "case"] == timed.name {
      count += 1
      // Without a fill, the table has no value before the start.
      guard let progress = try row[optional: "progress"] else { continue }
      let seconds = try row["tick"] / 30
      let phase = try row[text: "phase"]
      let passes: Double =
        switch phase {
        case "before": 0
        case "after": 2
        default: ((seconds - 0.25) / 0.5).rounded(.down)
        }
      let x = timeline.pose(at: seconds, from: start).offset.x - passes * timed.gainPerPass
      // The table has 9 decimals.
      #expect((x - progress).magnitude < 1e-9, "\(row): \(x)")
      if phase == "active" { active += 1 }
      #expect((phase == "after") == (seconds >= timeline.durationSeconds), "\(row)")
    }
    #expect(count == 76)
    #expect(active >= 15)
  }
}
