// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import Testing

@testable import ParallaxAnimation

/// Rotations about an anchor: this point of the layer stays where it is.
@Suite struct PivotTests {
  private static let anchor = PixelOffset(x: 12, y: -40)
  private static let tilted = Pose(
    offset: PixelOffset(x: 7, y: -3), rotationDegrees: 25, scale: 1.5, scaleY: 0.5, opacity: 0.5)

  /// Returns where the anchor is on the screen.
  private func place(_ pose: Pose) -> PixelOffset {
    let turned = Self.anchor.rotated(byDegrees: pose.rotationDegrees)
    return PixelOffset(x: pose.offset.x + turned.x, y: pose.offset.y + turned.y)
  }

  private func distance(_ a: PixelOffset, _ b: PixelOffset) -> Double {
    max((a.x - b.x).magnitude, (a.y - b.y).magnitude)
  }

  private static let second = Duration.seconds(1)

  static let still: [Animation] = [
    .rotate(by: 90, about: anchor, duration: second),
    .rotate(to: 200, about: anchor, duration: second),
    Animation.rotate(by: -30, about: anchor, duration: second).repeated(4),
    Animation.rotate(by: 45, about: anchor, duration: second).autoreversed(),
    Animation.rotate(by: 45, about: anchor, duration: second).reversed(),
    .sequence([
      .rotate(by: 20, about: anchor, duration: second, curve: .bouncy),
      .rotate(to: -20, about: anchor, duration: second), .delay(.seconds(0.2)),
      .rotate(to: 0, about: anchor, duration: second), .rotate(by: 30, about: anchor),
    ]),
    .parallel([.rotate(by: 45, about: anchor, duration: second), .fade(to: 0)]),
  ]

  @Test(arguments: still, [Pose.rest, tilted])
  func theAnchorStaysWhereItIs(animation: Animation, start: Pose) {
    let timeline = Timeline(animation)
    for tick in 0...60 {
      let pose = timeline.pose(at: Double(tick) / 60 * timeline.durationSeconds, from: start)
      #expect(distance(place(pose), place(start)) < 1e-9, "tick \(tick): \(pose)")
    }
    #expect(distance(place(timeline.end(from: start)), place(start)) < 1e-9)
    #expect(timeline.end(from: start).scaleY == start.scaleY)
  }

  /// A quarter turn about a point 40 px below the center moves the center 40 px to the right and down.
  @Test func aQuarterTurn() {
    let end = Timeline(.rotate(by: 90, about: PixelOffset(x: 0, y: 40))).end(from: .rest)
    #expect(distance(end.offset, PixelOffset(x: 40, y: 40)) < 1e-12)
    #expect(end.rotationDegrees == 90)
  }

  /// A pendulum that swings a million times is where it was.
  @Test func aPendulumReturns() {
    let swing = Animation.sequence([
      .rotate(by: 20, about: Self.anchor, duration: Self.second),
      .rotate(by: -40, about: Self.anchor, duration: Self.second),
      .rotate(by: 20, about: Self.anchor, duration: Self.second),
    ]).repeated(1_000_000)
    let end = Timeline(swing).end(from: Self.tilted)
    #expect(distance(end.offset, Self.tilted.offset) < 1e-6)
  }

  /// Moves add to the pivot, before and after it.
  @Test func movesAndPivotsAreARigidMotion() {
    let move = PixelOffset(x: 10, y: 0)
    let timeline = Timeline(
      .sequence([
        .move(by: move), .rotate(by: 60, about: Self.anchor), .move(by: move),
        .rotate(by: 30, about: Self.anchor), .rotate(by: -90, about: Self.anchor),
      ]))
    let end = timeline.end(from: Self.tilted)
    #expect(distance(end.offset, PixelOffset(x: 27, y: -3)) < 1e-9)
    #expect((end.rotationDegrees - 25).magnitude < 1e-9)
  }

  /// Backward, a whole sequence begins at its end and ends at its start.
  @Test func aSequenceBackward() {
    let forward = Animation.sequence([
      .move(by: PixelOffset(x: 10, y: 5), duration: Self.second),
      .rotate(by: 70, about: Self.anchor, duration: Self.second),
      .rotate(by: 15, duration: Self.second),
    ])
    let (there, back) = (Timeline(forward), Timeline(forward.reversed()))
    let end = there.end(from: Self.tilted)
    #expect(distance(back.end(from: end).offset, Self.tilted.offset) < 1e-9)
    for tick in 0...30 {
      let seconds = Double(tick) / 10
      let (one, other) = (
        there.pose(at: seconds, from: Self.tilted), back.pose(at: 3 - seconds, from: end)
      )
      #expect(distance(one.offset, other.offset) < 1e-9, "\(seconds) s: \(one), \(other)")
    }
  }

  @Test(arguments: still)
  func theVelocityIsTheChange(animation: Animation) {
    let timeline = Timeline(animation)
    let step = 1e-5
    for tick in 0..<40 {
      let seconds = (Double(tick) + 0.37) / 40 * timeline.durationSeconds
      let change =
        (timeline.pose(at: seconds + step, from: Self.tilted)
          - timeline.pose(at: seconds - step, from: Self.tilted)) * (0.5 / step)
      let velocity = timeline.velocity(at: seconds, from: Self.tilted)
      for channel in [PoseChannel.x, .y, .rotation] {
        let tolerance = 1e-3 * (1 + velocity[channel].magnitude)
        #expect((change[channel] - velocity[channel]).magnitude < tolerance, "\(seconds) s")
      }
    }
  }

  /// A scale of its own for each axis, through steps and keyframes.
  @Test func axesScaleSeparately() {
    let steps = Timeline(
      .sequence([
        .scale(toX: 2, y: 0.5, duration: Self.second, curve: .linear),
        .scale(byX: 1, y: 4, duration: Self.second, curve: .linear),
        .scale(by: 0.5, duration: Self.second, curve: .linear),
      ]))
    let rows: [(seconds: Double, x: Double, y: Double)] = [
      (0, 1, 1), (0.5, 1.5, 0.75), (1, 2, 0.5), (1.5, 2, 1.25), (2, 2, 2), (2.5, 1.5, 1.5),
      (3, 1, 1),
    ]
    for row in rows {
      let pose = steps.pose(at: row.seconds)
      #expect(pose.scale == row.x && pose.scaleY == row.y, "\(row): \(pose)")
    }
    #expect(steps.channels == .scales)
    let frames = Timeline(
      .keyframes(
        Keyframes(
          [
            .init(share: 0.5, pose: Pose(scale: 2, scaleY: 4), channels: .scale),
            .init(share: 1, pose: Pose(scale: 2), channels: .scale),
          ], duration: Self.second)))
    #expect(frames.pose(at: 0.25).scale == 1.5 && frames.pose(at: 0.25).scaleY == 2.5)
    #expect(frames.pose(at: 0.75).scale == 2 && frames.pose(at: 0.75).scaleY == 3)
    #expect(frames.channels == .scales)
  }

  /// Alike on both axes, keyframes cost what they did.
  @Test func oneScaleIsOneChannel() {
    let frames = Timeline(
      .keyframes(
        Keyframes([.init(share: 1, pose: Pose(scale: 2), channels: .scale)], duration: Self.second))
    )
    #expect(frames.channels == .scale && frames.maxRunningParts == 1)
    let pose = frames.pose(at: 0.5, from: Pose(scale: 4, scaleY: 8))
    #expect(pose.scale == 3 && pose.scaleY == 5)
    #expect(frames.end(from: .rest).scaleY == 2)
  }
}
