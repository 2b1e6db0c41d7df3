// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase

/// A page that plays an animation on a card. It needs no other file and no network.
struct AnimationPage {
  /// The most frames in a page, ten minutes at 60 Hz.
  static let maxFrames = 36_000

  private let name: String
  private let rateHertz: Double
  private let poses: [Pose]
  private let isEndless: Bool
  /// Whether the scale downward ever differs from `scale`; it is then the last channel.
  private let hasScaleY: Bool

  /// Takes the poses from the start to `seconds`.
  init(name: String, timeline: Timeline, seconds: Double, rateHertz: Double) {
    self.name = name
    self.rateHertz = rateHertz
    hasScaleY = timeline.channels.contains(PoseChannels(.scaleY))
    isEndless = timeline.durationSeconds == .infinity
    let count = min(Self.maxFrames, Int((seconds * rateHertz).rounded(.up)))
    poses = (0...max(0, count)).map { index in
      let time = Double(index) / rateHertz
      var pose =
        time >= timeline.durationSeconds - 1e-9
        ? timeline.end(from: .rest) : timeline.pose(at: time)
      pose.opacity = min(max(pose.opacity, 0), 1)
      return pose
    }
  }

  /// The page.
  var html: String {
    let drawn = PoseChannel.allCases.filter { hasScaleY || $0 != .scaleY }
    let channels = drawn.map { channel in
      "[" + poses.map { Figures.short($0[channel], 4) }.joined(separator: ",") + "]"
    }
    let data =
      "{\"rate\":\(Figures.short(rateHertz, 4)),\"endless\":\(isEndless),"
      + "\"channels\":[\(channels.joined(separator: ",\n"))]}"
    // The poses first: they are only numbers, while a name may have any words.
    return AnimationPageText.page.replacing("PAGE-DATA", with: data)
      .replacing("PAGE-NAME", with: Self.escaped(name))
  }

  private static func escaped(_ text: String) -> String {
    PrintableText.line(text).map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(character)
      }
    }.joined()
  }
}
