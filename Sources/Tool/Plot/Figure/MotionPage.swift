// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxMotion

/// A page that plays an animation or a replay on a card. It needs no other file and no network.
struct MotionPage {
  /// The most frames in a page: 10 minutes at 60 Hz, 20 at 30 Hz.
  static let maxFrames = 36_000
  /// How far the motion of a replay is enlarged at most, so that a few px can be seen.
  private static let maxReplayZoom = 20

  /// The page.
  let html: String

  /// Takes the poses of an animation from the start to `seconds`.
  init(name: String, timeline: Timeline<Pose>, seconds: Double, rateHertz: Double) {
    let count = min(Self.maxFrames, Int((seconds * rateHertz).rounded(.up)))
    let poses = (0...max(0, count)).map { index in
      let time = Double(index) / rateHertz
      var pose =
        time >= timeline.durationSeconds - 1e-9
        ? timeline.end(from: .rest) : timeline.pose(at: time)
      pose.opacity = min(max(pose.opacity, 0), 1)
      return pose
    }
    // The scale downward is there if it ever differs from `scale`; it is then the last channel.
    let hasScaleY = timeline.channels.contains(PoseChannels(.scaleY))
    let channels = PoseChannel.allCases.filter { hasScaleY || $0 != .scaleY }
    self.init(
      name: name, zoom: 1, times: poses.indices.map { Double($0) / rateHertz },
      channels: channels.map { channel in poses.map { $0[channel] } }, starts: [])
  }

  /// Takes the frames of a replay, of which there must be one.
  init(name: String, frames: [ReplayFrame]) {
    self.init(
      name: name, zoom: Self.maxReplayZoom, times: frames.map(\.time.seconds),
      channels: [frames.map(\.offset.x), frames.map(\.offset.y)],
      starts: frames.indices.filter { frames[$0].startsSegment })
  }

  /// - Parameters:
  ///   - zoom: How far the motion is enlarged at most; 1 shows it as it is.
  ///   - times: Seconds, in order.
  ///   - channels: x and y, px; then rotation (degrees), scale, opacity and scale downward, as far as there
  ///     are any.
  ///   - starts: The frames that no line leads to.
  private init(
    name: String, zoom: Int, times: [Double], channels: [[Double]], starts: [Int]
  ) {
    func list(_ values: [Double], _ decimals: Int) -> String {
      "[" + values.map { Figures.short($0, decimals) }.joined(separator: ",") + "]"
    }
    let data =
      "{\"zoom\":\(zoom),\"starts\":\(starts),\"times\":\(list(times, 6)),"
      + "\"channels\":[\(channels.map { list($0, 4) }.joined(separator: ",\n"))]}"
    // The frames first: they are only numbers, while a name may have any words.
    html = MotionPageText.page.replacing("PAGE-DATA", with: data)
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
