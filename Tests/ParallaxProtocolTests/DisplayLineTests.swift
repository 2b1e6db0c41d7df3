// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxProtocol
import Testing

/// When a display that may be 0.1 px off needs the next frame.
struct DisplayLineTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var sent: OffsetFrame
    var next: OffsetFrame
    /// px
    var miss: Double
    var isNeeded: Bool
    var testDescription: String { name }
  }

  private static func frame(
    _ milliseconds: Int64, _ x: Double, _ y: Double, v: (Double, Double)? = (0, 0),
    overlay: OffsetOverlay? = nil
  ) -> OffsetFrame {
    OffsetFrame(
      seq: 0, time: .zero + .milliseconds(milliseconds), motion: PixelOffset(x: x, y: y),
      velocity: v.map { PixelVelocity(x: $0.0, y: $0.1) }, overlay: overlay)
  }

  static let cases = [
    Case(
      name: "on the line", sent: frame(0, 1, 1, v: (30, -15)),
      next: frame(20, 1.6, 0.7, v: (30, 0)),
      miss: 0, isNeeded: false),
    Case(
      name: "x misses", sent: frame(0, 1, 1, v: (30, 0)), next: frame(20, 1.5, 1, v: (30, 0)),
      miss: 0.1, isNeeded: true),
    Case(
      name: "y misses", sent: frame(0, 1, 1, v: (0, 30)), next: frame(20, 1, 1.5, v: (30, 0)),
      miss: 0.1, isNeeded: true),
    Case(
      name: "within the tolerance", sent: frame(0, 1, 1, v: (30, 0)),
      next: frame(20, 1.51, 1, v: (30, 0)), miss: 0.09, isNeeded: false),
    Case(
      name: "a line is followed for 50 ms", sent: frame(0, 1, 1, v: (10, 0)),
      next: frame(90, 1.5, 1, v: (10, 0)), miss: 0, isNeeded: false),
    Case(
      name: "within the range", sent: frame(0, 4.8, 1, v: (30, 0)),
      next: frame(20, 5, 1, v: (0, 1)), miss: 0, isNeeded: false),
    Case(
      name: "the motion ends", sent: frame(0, 1, 1, v: (0.1, 0)), next: frame(20, 1, 1),
      miss: 0.002, isNeeded: true),
    Case(
      name: "it has ended before", sent: frame(0, 1, 1), next: frame(20, 1.05, 1),
      miss: 0.05, isNeeded: false),
    Case(
      name: "a small miss, not for long", sent: frame(0, 1, 1),
      next: frame(100, 1.05, 1, v: (1, 0)),
      miss: 0.05, isNeeded: false),
    Case(
      name: "a small miss for long", sent: frame(0, 1, 1), next: frame(101, 1.05, 1, v: (1, 0)),
      miss: 0.05, isNeeded: true),
    Case(
      name: "as good as none for long", sent: frame(0, 1, 1, v: (0.1, 0)),
      next: frame(900, 1, 1, v: (0.1, 0)), miss: 0.005, isNeeded: false),
    Case(
      name: "no velocity", sent: frame(0, 1, 1, v: nil), next: frame(20, 1.2, 1, v: nil), miss: 0.2,
      isNeeded: true),
    Case(
      name: "an animation", sent: frame(0, 1, 1),
      next: frame(
        20, 1, 1, overlay: OffsetOverlay(offset: PixelOffset(x: 0, y: 0.3))), miss: 0.3,
      isNeeded: true),
  ]

  @Test(arguments: cases) func theNextFrameIsNeeded(_ example: Case) {
    let (sent, next) = (DisplayLine(example.sent), DisplayLine(example.next))
    let ranges = (x: PixelRange.standard, y: PixelRange.standard)
    #expect((sent.miss(to: next, within: ranges) - example.miss).magnitude < 1e-9)
    #expect(sent.needs(next, tolerancePx: 0.0999, within: ranges) == example.isNeeded)
    // The axes are alike.
    func swapped(_ frame: OffsetFrame) -> DisplayLine {
      var frame = frame
      frame.motion = PixelOffset(x: frame.motion.y, y: frame.motion.x)
      frame.velocity = frame.velocity.map { PixelVelocity(x: $0.y, y: $0.x) }
      let added = frame.overlay?.offset ?? .zero
      frame.overlay?.offset = PixelOffset(x: added.y, y: added.x)
      return DisplayLine(frame)
    }
    let (first, second) = (swapped(example.sent), swapped(example.next))
    #expect((first.miss(to: second, within: ranges) - example.miss).magnitude < 1e-9)
    #expect(first.needs(second, tolerancePx: 0.0999, within: ranges) == example.isNeeded)
  }
}
