// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

@testable import ParallaxClient

/// Returns a frame at `ms` with x in px and y = -x, in a range of ±5 px.
private func frame(_ ms: Int64, _ x: Double, seq: UInt64? = nil) -> StreamMessage {
  .offset(
    OffsetMessage(
      seq: seq ?? UInt64(ms), time: MotionInstant(nanoseconds: ms * 1_000_000), x: x, y: -x,
      nx: x / 5, ny: -x / 5,
      layers: [.init(name: "bg", x: x / 2, y: -x / 2)]))
}

private func timeline(_ messages: [StreamMessage]) -> OffsetTimeline {
  var timeline = OffsetTimeline()
  for message in messages { timeline.add(message) }
  return timeline
}

private let open = StreamMessage.gate(GateMessage(open: true, gain: 1, reasons: []))
private let closed = StreamMessage.gate(GateMessage(open: false, gain: 0, reasons: ["paused"]))

private func device(_ state: DeviceMessage.State) -> StreamMessage {
  .device(
    DeviceMessage(driver: "trace", name: nil, state: state, rateHertz: nil, reason: nil))
}

@Suite("Offsets between frames")
struct OffsetTimelineTests {
  /// Frames, an instant in ms, and x at that instant.
  @Test(
    arguments: [
      ([frame(100, 1)], 50, 1), ([frame(100, 1)], 100, 1), ([frame(100, 1)], 900, 1),
      // Interpolated between frames.
      ([frame(100, 1), frame(200, 2)], 100, 1), ([frame(100, 1), frame(200, 2)], 150, 1.5),
      ([frame(100, 1), frame(200, 2)], 199, 1.99), ([frame(100, 1), frame(200, 2)], 200, 2),
      ([frame(100, 1), frame(200, 2), frame(300, 0)], 150, 1.5),
      ([frame(100, 1), frame(200, 2), frame(300, 0)], 275, 0.5),
      // Before the first frame.
      ([frame(100, 1), frame(200, 2)], 0, 1),
      // Extrapolated after the last frame, for one interval.
      ([frame(100, 1), frame(200, 2)], 250, 2.5), ([frame(100, 1), frame(200, 2)], 300, 3),
      ([frame(100, 1), frame(200, 2)], 301, 3), ([frame(100, 1), frame(200, 2)], 9_000, 3),
      ([frame(100, 1), frame(200, 1)], 300, 1),
      // 1/R is the shortest interval, here 50 ms.
      ([frame(0, 0.5), frame(50, 1), frame(150, 2)], 9_000, 2.5),
      // Extrapolation ends at the limits of the range.
      ([frame(100, 3), frame(200, 4.5)], 300, 5), ([frame(100, -3), frame(200, -5)], 300, -5),
      ([frame(100, 4), frame(200, 5)], 250, 5),
      // (0, 0) is the end of motion.
      ([frame(100, 1), frame(200, 0)], 300, 0),
      // In a gap of more than two intervals, the old offset holds until one interval before the new
      // one, which is not extrapolated.
      ([frame(0, 1), frame(100, 1), frame(900, 3)], 500, 1),
      ([frame(0, 1), frame(100, 1), frame(900, 3)], 800, 1),
      ([frame(0, 1), frame(100, 1), frame(900, 3)], 850, 2),
      ([frame(0, 1), frame(100, 1), frame(900, 3)], 950, 3),
      // A gap of two intervals is one lost frame, which is interpolated.
      ([frame(0, 1), frame(100, 1), frame(300, 3)], 200, 2),
      // A closed gate, or a device that does not stream, ends extrapolation.
      ([frame(100, 1), frame(200, 2), closed], 300, 2),
      ([closed, open] + [frame(100, 1), frame(200, 2)], 300, 3),
      ([frame(100, 1), frame(200, 2), device(.lost)], 300, 2),
      ([frame(100, 1), frame(200, 2), device(.ended), device(.streaming)], 300, 3),
      // A new stream, because the time or the number goes back.
      ([frame(100, 1), frame(200, 2), frame(50, 4)], 300, 4),
      ([frame(100, 1), frame(200, 2), frame(300, 4, seq: 1)], 400, 4),
      ([frame(100, 1), frame(200, 2), frame(200, 4)], 300, 4),
    ] as [([StreamMessage], Int64, Double)])
  func offsetAtAnInstant(messages: [StreamMessage], ms: Int64, x: Double) throws {
    let offset = try #require(
      timeline(messages).offset(at: MonotonicInstant(nanoseconds: ms * 1_000_000)))
    #expect(abs(offset.x - x) < 1e-9)
    #expect(abs(offset.y + x) < 1e-9)
    #expect(abs(offset.nx - x / 5) < 1e-9)
    #expect(abs(offset.ny + x / 5) < 1e-9)
    let layer = try #require(offset.layer("bg"))
    #expect(abs(layer.x - x / 2) < 1e-9 && abs(layer.y + x / 2) < 1e-9)
  }

  @Test func thereIsNoOffsetBeforeTheFirstFrameOrAfterVersion() {
    #expect(timeline([open]).offset(at: .now) == nil)
    #expect(timeline([frame(1, 1), .version(.current)]).offset(at: .now) == nil)
  }

  /// Times that no clock shows, as a hostile daemon may send them: their differences overflow.
  @Test(arguments: [-9_000_000_000_000, 9_000_000_000_000])
  func impossibleTimesAreIgnored(ms: Int64) throws {
    let stream = timeline([frame(100, 1), frame(200, 2), frame(ms, 5, seq: 300), frame(300, 3)])
    for ms: Int64 in [-9_000_000_000_000, 50, 250, 400, 9_000_000_000_000] {
      let offset = stream.offset(at: MotionInstant(nanoseconds: ms * 1_000_000))
      #expect(try #require(offset).x.magnitude <= 5)
    }
    #expect(stream.offset(at: MotionInstant(nanoseconds: 250_000_000))?.x == 2.5)
  }

  @Test func oldFramesAreDropped() throws {
    let many = timeline((1...50).map { frame($0 * 10, Double($0) / 20) })
    #expect(many.offset(at: MonotonicInstant(nanoseconds: 0))?.x == 43.0 / 20)
    let late = try #require(many.offset(at: MonotonicInstant(nanoseconds: 495_000_000)))
    #expect(abs(late.x - 49.5 / 20) < 1e-9)
  }

  @Test func animationStartsFromRestAndOpacityStaysInRange() throws {
    func animated(_ ms: Int64, opacity: Double?) -> StreamMessage {
      .offset(
        OffsetMessage(
          seq: UInt64(ms), time: MotionInstant(nanoseconds: ms), x: 1, y: 1, nx: 0, ny: 0,
          rotation: opacity.map { _ in 10 }, opacity: opacity))
    }
    let starting = timeline([animated(100, opacity: nil), animated(200, opacity: 0.5)])
    let half = try #require(starting.offset(at: MonotonicInstant(nanoseconds: 150)))
    #expect(half.opacity == 0.75 && half.rotation == 5 && half.scale == nil)
    let beyond = try #require(
      timeline([animated(100, opacity: 0.5), animated(200, opacity: 0.1)])
        .offset(at: MonotonicInstant(nanoseconds: 300)))
    #expect(beyond.opacity == 0)
  }

  /// An offset with its animation, px, and the fraction of the range -4...8 px.
  @Test(arguments: [(0.0, 0.0), (4, 0.5), (8, 1), (20, 1), (-2, -0.5), (-4, -1), (-30, -1)])
  func fractionIsTheOffsetInTheRange(x: Double, fraction: Double) throws {
    var timeline = OffsetTimeline()
    #expect(timeline.fraction(at: .now) == nil)
    timeline.add(
      .device(
        DeviceMessage(
          driver: "trace", name: nil, state: .streaming, rateHertz: nil, reason: nil,
          rangeX: -4...8, rangeY: -30...30)))
    // The motion rests: an animation drives x.
    timeline.add(
      .offset(
        OffsetMessage(
          seq: 1, time: MotionInstant(nanoseconds: 0), x: x, y: 15, nx: 0, ny: 0)))
    let found = try #require(timeline.fraction(at: MonotonicInstant(nanoseconds: 1)))
    #expect(found.x == fraction && found.y == 0.5)
  }

  /// From a daemon without a range, it is that of the frames.
  @Test func withoutARangeTheFractionIsTheFrames() throws {
    let stream = timeline([frame(100, 1), frame(200, 2)])
    let found = try #require(stream.fraction(at: MonotonicInstant(nanoseconds: 150_000_000)))
    #expect(abs(found.x - 0.3) < 1e-9 && abs(found.y + 0.3) < 1e-9)
  }

  /// It is predicted as the offset is.
  @Test func fractionFollowsTheVelocity() throws {
    var timeline = OffsetTimeline()
    timeline.add(open)
    timeline.add(
      .device(
        DeviceMessage(
          driver: "trace", name: nil, state: .streaming, rateHertz: nil, reason: nil,
          rangeX: -5...5, rangeY: -5...5)))
    timeline.add(
      .offset(
        OffsetMessage(
          seq: 1, time: MotionInstant(nanoseconds: 0), x: 1, y: -4.9, nx: 0.2, ny: -0.98, vx: 20,
          vy: -20)))
    let found = try #require(timeline.fraction(at: MonotonicInstant(nanoseconds: 30_000_000)))
    #expect(abs(found.x - 0.32) < 1e-9 && found.y == -1)
  }

  @Test func offsetNeverLeavesTheRange() {
    var generator = SeededGenerator.forTest()
    var timeline = OffsetTimeline()
    var ms: Int64 = 0
    for _ in 0..<20_000 {
      ms += .random(in: 1...120, using: &generator)
      let x = (Double.random(in: -5...5, using: &generator) * 100).rounded() / 100
      timeline.add(frame(ms, x))
      let instant = ms * 1_000_000 + .random(in: -400_000_000...400_000_000, using: &generator)
      let offset = timeline.offset(at: MonotonicInstant(nanoseconds: instant))
      #expect(
        (offset?.x).map { $0.magnitude <= 5 + 1e-9 } == true,
        "\(String(describing: offset)) \(generator.note)")
    }
  }
}
