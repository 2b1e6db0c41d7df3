// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import Testing

@testable import ParallaxAnimation

/// Chains in marble notation: one character per tick of 0.1 s.
///
/// `x` and `y` are in px, `turn` in 10 degrees, `size` and `fade` in tenths: 0...9, a = 10, b = 11,
/// ... `ends`: `.` one part of the chain has ended, `:` two parts, `|` the whole chain, `-` none.
/// Endless animations continue after the diagram.
struct Chain: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let animation: Animation
  /// The lines, each with its name and the marbles.
  let marbles: String

  init(_ name: String, _ animation: Animation, _ marbles: String) {
    (testDescription, self.animation, self.marbles) = (name, animation, marbles)
  }
}

/// 10 degrees per tick.
private func turn(_ ticks: Int) -> Animation {
  .rotate(by: Double(ticks) * 10, duration: .seconds(Double(ticks) / 10), curve: .linear)
}

/// Fades to tenths of the opacity.
private func fade(to tenths: Int, _ ticks: Int) -> Animation {
  .fade(to: Double(tenths) / 10, duration: .seconds(Double(ticks) / 10), curve: .linear)
}

private func wait(_ ticks: Int) -> Animation { .delay(.seconds(Double(ticks) / 10)) }

private let rows = [
  Chain(
    "a sequence of three with a pause", right(2).then(wait(2)).then(right(3)).then(right(1)),
    """
    x    012223456
    ends --.-.--.|
    """),
  Chain(
    "a delayed sequence of three",
    Animation.sequence([right(1), right(1), right(1)]).delayed(by: .seconds(0.3)),
    """
    x    0000123
    ends ---.--|
    """),
  Chain(
    "five times", right(2).repeated(5),
    """
    x    0123456789a
    ends --.-.-.-.-|
    """),
  Chain(
    "five times back and forth", right(2).autoreversed().repeated(5),
    """
    x    012101210121012101210
    ends ----.---.---.---.---|
    """),
  Chain(
    "five times to the same place",
    Animation.move(to: px(2), duration: .seconds(0.2), curve: .linear).repeated(5),
    """
    x    01222222222
    ends --.-.-.-.-|
    """),
  Chain(
    "forever", right(1).then(right(1).reversed()).repeatedForever(),
    """
    x    0101010101010
    ends --.-.-.-.-.-.
    """),
  Chain(
    "a list", .sequence([3, 1, 2].map(right)),
    """
    x    0123456
    ends ---..-|
    """),
  Chain(
    "a parallel of different durations", right(2).with(right(4)),
    """
    x    02456
    ends ----|
    """),
  Chain(
    "a parallel with a pause as the longest part", right(2).with(wait(4)),
    """
    x    01222
    ends ----|
    """),
  Chain(
    "a parallel in a sequence", right(1).then(right(2), turn(3), fade(to: 4, 3)).then(right(1)),
    """
    x    012334
    turn 001233
    fade aa8644
    ends -.--.|
    """),
  Chain(
    "two sequences in parallel",
    Animation.sequence([right(1), wait(1), right(1)]).with(turn(2).then(turn(2))),
    """
    x    01122
    turn 01234
    ends ----|
    """),
  Chain(
    "a reversed part in a sequence", right(3).then(right(2).reversed()).then(right(3)),
    """
    x    012321234
    ends ---.-.--|
    """),
  Chain(
    "an autoreversed sequence", right(1).then(wait(1)).then(right(2)).autoreversed(),
    """
    x    011232110
    ends --------|
    """),
  Chain(
    "a reversed sequence",
    Animation.sequence([right(3), wait(1), fade(to: 0, 2)]).reversed().delayed(by: .seconds(0)),
    """
    fade 05aaaaa
    ends .-----|
    """),
  Chain(
    "a reversed sequence: its parts end in the order of time",
    Animation.sequence([wait(1), turn(2), fade(to: 0, 4)]).reversed(),
    """
    fade 0358aaaa
    ends ----.-.|
    """),
  Chain(
    "reversed targets: each moves back to the previous one",
    Animation.sequence([
      .move(to: px(4), duration: .seconds(0.2), curve: .linear),
      .move(to: px(1), duration: .seconds(0.3), curve: .linear),
    ]).reversed(),
    """
    x    123420
    ends ---.-|
    """),
  Chain(
    "twice as fast", right(4).then(turn(4)).speed(2),
    """
    x    02444
    turn 00024
    ends --.-|
    """),
  Chain(
    "steps without a duration",
    .sequence([right(1), .move(by: px(5), duration: .seconds(0)), right(1), .empty]),
    """
    x    067
    ends -:|
    """),
  Chain(
    "keyframes",
    .keyframes(
      Keyframes(
        [(0.0, 2.0), (0.25, 6), (1, 9)].map {
          .init(share: $0, pose: Pose(offset: px($1)), channels: PoseChannels(.x))
        }, durationSeconds: 0.4)
    ).repeated(2),
    """
    x    267826789
    ends ----.---|
    """),
  Chain(
    "a factor and its inverse",
    .scale(by: 2, duration: .seconds(0.5), curve: .linear).then(
      .scale(by: 2, duration: .seconds(0.5), curve: .linear).reversed()),
    """
    size acegikigeca
    ends -----.----|
    """),
  Chain("empty", .empty, "x    0\nends |"),
  Chain("an empty sequence", .sequence([]), "x    0\nends |"),
  Chain("an empty parallel", .parallel([]), "x    0\nends |"),
  Chain("zero repetitions", right(3).repeated(0), "x    0\nends |"),
  Chain("empty forever", Animation.empty.repeatedForever(), "x    0\nends |"),
  Chain("a jump", .move(by: px(7), duration: .seconds(0)), "x    7\nends |"),
]

@Suite("Chains of animations") struct ChainTests {
  @Test(arguments: rows) func matchesTheDiagram(_ chain: Chain) throws {
    let timeline = Timeline(chain.animation)
    for line in chain.marbles.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      let (name, expected) = (try #require(words.first), try #require(words.last))
      let seen = try (0..<expected.count).map { tick in
        try name == "ends" ? ends(timeline, tick) : mark(name, timeline.pose(at: time(tick)))
      }
      #expect(String(seen) == expected, "\(name)")
    }
  }

  /// `nextStepEnd` returns the times at which `stepsEnded` changes.
  @Test(arguments: rows) func stepEndsAreConsistent(_ chain: Chain) {
    let timeline = Timeline(chain.animation)
    var (seconds, ended) = (0.0, timeline.stepsEnded(at: 0))
    for _ in 0..<20 {
      guard let next = timeline.nextStepEnd(after: seconds) else { break }
      #expect(next > seconds)
      #expect(timeline.stepsEnded(at: next * (1 - 1e-12)) == ended)
      #expect(timeline.stepsEnded(at: next) > ended)
      (seconds, ended) = (next, timeline.stepsEnded(at: next))
    }
    #expect(timeline.stepsEnded(at: -1) == 0)
  }

  /// Half a nanosecond late, like a clock with whole nanoseconds.
  private func time(_ tick: Int) -> Double { Double(tick) / 10 + 5e-10 }

  private func ends(_ timeline: Timeline<Pose>, _ tick: Int) -> Character {
    let isOver = time(tick) >= timeline.durationSeconds
    let before = tick == 0 ? 0 : timeline.stepsEnded(at: time(tick - 1))
    switch timeline.stepsEnded(at: time(tick)) - before {
    case _ where isOver: return "|"
    case 0: return "-"
    case 1: return "."
    case 2: return ":"
    default: return "?"
    }
  }

  private func mark(_ name: String, _ pose: Pose) throws -> Character {
    let (channel, unit): (PoseChannel, Double) =
      switch name {
      case "x": (.x, 1)
      case "y": (.y, 1)
      case "turn": (.rotation, 10)
      case "size": (.scale, 0.1)
      default: (.opacity, 0.1)
      }
    // The nearest mark.
    return Marbles.mark((pose[channel] / unit + 1e-7).rounded())
  }
}

/// `Animation { ... }` equals the corresponding functions.
@Suite("Animation builder") struct AnimationBuilderTests {
  private func card(turns: Int, isFaded: Bool, pause: Double?) -> Animation {
    Animation {
      Animation.move(by: px(12))
      if let pause {
        Animation.delay(.seconds(pause))
      }
      for index in 0..<turns {
        Animation.rotate(by: Double(index) * 10)
        right(1)
      }
      if isFaded {
        Animation.fade(to: 0.2)
      } else {
        Animation.together {
          Animation.fade(to: 1)
          Animation {
            Animation.scale(to: 2)
            Animation.scale(to: 1)
          }
        }
      }
      [right(2), right(3)]
    }
    .repeated(2)
  }

  @Test func buildsTheSequenceOfItsParts() {
    #expect(
      card(turns: 0, isFaded: true, pause: nil)
        == .sequence([.move(by: px(12)), .fade(to: 0.2), right(2), right(3)]).repeated(2))
    #expect(
      card(turns: 2, isFaded: false, pause: 0.5)
        == .sequence([
          .move(by: px(12)), .delay(.seconds(0.5)), .rotate(by: 0), right(1), .rotate(by: 10),
          right(1),
          .parallel([.fade(to: 1), .sequence([.scale(to: 2), .scale(to: 1)])]), right(2), right(3),
        ]).repeated(2))
    #expect(Animation {} == .sequence([]))
  }
}
