// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
@testable import ParallaxProtocol
import ParallaxTestSupport
import Testing

@Suite("OFFSET lines")
struct OffsetEncoderTests {
  private func line(
    _ x: Double, _ y: Double, velocity: PixelVelocity? = nil, layers: String = "",
    precision: OffsetEncoder.Precision = .published,
    overlay: OffsetOverlay? = nil, layerOverlays: [OffsetOverlay?] = [], dropped: UInt64 = 0,
    range: String = "-5:5", seq: UInt64 = 42, time: MotionInstant = 12_345_678_901
  ) throws -> String {
    let encoder = OffsetEncoder(
      layers: try LayerSet(parsing: layers), rangeX: try PixelRange(parsing: range),
      rangeY: try PixelRange(parsing: range), precision: precision)
    let frame = OffsetFrame(
      seq: seq, time: time, motion: PixelOffset(x: x, y: y), velocity: velocity, overlay: overlay,
      layerOverlays: layerOverlays)
    return written { encoder.append(frame, dropped: dropped, to: &$0) }
  }

  private let head = #"{"class":"OFFSET","seq":42,"time":12.345678901,"#

  @Test func lineIsAsDocumented() throws {
    #expect(
      try line(1.23, -0.5, layers: "bg=0.2") == head
        + #""x":1.23,"y":-0.5,"nx":0.246,"ny":-0.1,"layers":{"bg":{"x":0.246,"y":-0.1}}}"# + "\n")
  }

  @Test func velocitiesAreTenthsAndThoseOfLayersAreDerived() throws {
    let velocity = PixelVelocity(x: 4.249, y: -0.04)
    #expect(
      try line(1.23, -0.5, velocity: velocity, layers: "bg=0.2,fg=-2") == head
        + #""x":1.23,"y":-0.5,"nx":0.246,"ny":-0.1,"vx":4.2,"vy":0,"#
        + #""layers":{"bg":{"x":0.246,"y":-0.1,"vx":0.8,"vy":0},"#
        + #""fg":{"x":-2.46,"y":1,"vx":-8.4,"vy":0}}}"# + "\n")
    #expect(
      try line(1, 0, velocity: velocity, precision: .replay) == head
        + #""x":1.000000,"y":0.000000,"nx":0.200000,"ny":0.000000,"vx":4.249000,"vy":-0.040000}"#
        + "\n")
  }

  @Test func nothingIsDisplacedWithoutVelocity() throws {
    #expect(
      try line(0.004, -0.004, velocity: PixelVelocity(x: 9, y: 9)) == head
        + #""x":0,"y":0,"nx":0,"ny":0,"vx":0,"vy":0}"# + "\n")
    // One displaced axis is enough.
    for (x, y) in [(0.0, 0.5), (0.5, 0.0)] {
      let text = try line(x, y, velocity: PixelVelocity(x: 9, y: 8))
      #expect(text.contains(#""vx":9,"vy":8"#), "\(text)")
    }
  }

  /// An animation moves the picture in its own way, all of it or one layer.
  @Test func anAnimatedFrameHasNoVelocity() throws {
    let velocity = PixelVelocity(x: 9, y: 9)
    let overlay = OffsetOverlay(offset: PixelOffset(x: 1, y: 0))
    #expect(try !line(1, 1, velocity: velocity, overlay: overlay).contains("vx"))
    #expect(
      try !line(1, 1, velocity: velocity, layers: "a=1,b=1", layerOverlays: [nil, overlay])
        .contains("vx"))
    #expect(
      try line(1, 1, velocity: velocity, layers: "a=1,b=1", layerOverlays: [nil, nil])
        .contains("vx"))
  }

  @Test func zerosAreShortAtRest() throws {
    #expect(
      try line(-0.0, -0.0001, layers: "a=-1") == head
        + #""x":0,"y":0,"nx":0,"ny":0,"layers":{"a":{"x":0,"y":0}}}"# + "\n")
  }

  @Test func layersAreOrderedAndDerivedFromRoundedMotion() throws {
    #expect(
      try line(1.2349, 5, layers: "fg=1.5,bg=0.01,back=-10") == head
        + #""x":1.23,"y":5,"nx":0.246,"ny":1,"layers":{"fg":{"x":1.845,"y":7.5},"#
        + #""bg":{"x":0.0123,"y":0.05},"back":{"x":-12.3,"y":-50}}}"# + "\n")
  }

  @Test func layerNameMayBeAnyTextWithoutQuotes() throws {
    #expect(try line(1, 1, layers: "späte-Ebene✨=1").contains(#""layers":{"späte-Ebene✨":{"x":1,"#))
  }

  @Test func droppedIsReported() throws {
    #expect(
      try line(1, 0, dropped: 7) == head + #""x":1,"y":0,"nx":0.2,"ny":0,"dropped":7}"# + "\n")
  }

  @Test func fractionIsOfTheRangeOnItsSide() throws {
    #expect(
      try line(-0.5, 2, range: "-1:8") == head
        + #""x":-0.5,"y":2,"nx":-0.5,"ny":0.25}"# + "\n")
    #expect(
      try line(0, 2, range: "-1:0") == head + #""x":0,"y":2,"nx":0,"ny":0}"# + "\n")
  }

  /// Rounded to hundredths of a px, an offset may lie beyond the end of its range; its fraction does not.
  @Test(arguments: [
    ("-4.996:7.9393", -4.996, 7.9393, #""x":-5,"y":7.94"#),
    ("-0.006:0.006", -0.006, 0.006, #""x":-0.01,"y":0.01"#),
  ])
  func fractionEndsAtTheRange(range: String, x: Double, y: Double, printed: String) throws {
    #expect(try line(x, y, range: range) == head + printed + #","nx":-1,"ny":1}"# + "\n")
  }

  /// `scale_y` is printed where it differs from `scale` as printed.
  @Test func twoScales() throws {
    func overlay(_ scaleY: Double?) -> OffsetOverlay { OffsetOverlay(scale: 1.25, scaleY: scaleY) }
    let front = head + #""x":1,"y":1,"nx":0.2,"ny":0.2,"scale":1.25"#
    #expect(try line(1, 1, overlay: overlay(nil)) == front + "}\n")
    #expect(try line(1, 1, overlay: overlay(1.25)) == front + "}\n")
    #expect(try line(1, 1, overlay: overlay(1.25004)) == front + "}\n")
    #expect(try line(1, 1, overlay: overlay(0.8)) == front + #","scale_y":0.8}"# + "\n")
    #expect(
      try line(1, 1, overlay: OffsetOverlay(scale: 1, scaleY: 2, opacity: 0.5)) == head
        + #""x":1,"y":1,"nx":0.2,"ny":0.2,"scale":1,"scale_y":2,"opacity":0.5}"# + "\n")
  }

  @Test func animationAddsToPositionsNotFractions() throws {
    let overlay = OffsetOverlay(
      offset: PixelOffset(x: 10, y: -1), rotationDegrees: 45.5, scale: 1, opacity: 0.25)
    #expect(
      try line(1, 1, layers: "bg=0.5", overlay: overlay, dropped: 1) == head
        + #""x":11,"y":0,"nx":0.2,"ny":0.2,"layers":{"bg":{"x":10.5,"y":-0.5}},"#
        + #""rotation":45.5,"scale":1,"opacity":0.25,"dropped":1}"# + "\n")
    #expect(
      try line(1, 1, overlay: OffsetOverlay(opacity: 0)) == head
        + #""x":1,"y":1,"nx":0.2,"ny":0.2,"opacity":0}"# + "\n")
  }

  @Test func layerOverlayReplacesOverlay() throws {
    let all = OffsetOverlay(offset: PixelOffset(x: 10, y: 0), opacity: 0.5)
    let card = OffsetOverlay(
      offset: PixelOffset(x: 12, y: 3), rotationDegrees: -90, scale: 1.25, opacity: 0.25)
    #expect(
      try line(1, 1, layers: "bg=0.5,card=2,fg=3", overlay: all, layerOverlays: [nil, card, nil])
        == head + #""x":11,"y":1,"nx":0.2,"ny":0.2,"layers":{"bg":{"x":10.5,"y":0.5},"#
        + #""card":{"x":14,"y":5,"rotation":-90,"scale":1.25,"opacity":0.25},"#
        + #""fg":{"x":13,"y":3}},"opacity":0.5}"# + "\n")
    // Without an overlay for all layers, and with fewer layer overlays than layers.
    #expect(
      try line(1, 1, layers: "bg=0.5,fg=3", layerOverlays: [OffsetOverlay(rotationDegrees: 1)])
        == head + #""x":1,"y":1,"nx":0.2,"ny":0.2,"#
        + #""layers":{"bg":{"x":0.5,"y":0.5,"rotation":1},"fg":{"x":3,"y":3}}}"# + "\n")
  }

  @Test func replayHasSixDecimalsOfUnroundedMotion() throws {
    #expect(
      try line(1.2345678, -0.0000001, layers: "bg=0.2", precision: .replay) == head
        + #""x":1.234568,"y":0.000000,"nx":0.246914,"ny":0.000000,"#
        + #""layers":{"bg":{"x":0.246914,"y":0.000000}}}"# + "\n")
  }

  @Test(
    arguments: [
      (0, "0.000000000"), (1, "0.000000001"), (1_000_000_000, "1.000000000"),
      (-1, "-0.000000001"), (1_424_696_631_639_041_018, "1424696631.639041018"),
    ] as [(MotionInstant, String)])
  func timesHaveNineDecimals(time: MotionInstant, text: String) throws {
    #expect(try line(0, 0, time: time).contains("\"time\":\(text),"))
  }

  @Test func largestNumbersFitInALine() throws {
    let text = try line(
      .infinity, -1e300, layers: "bg=10", dropped: .max, seq: .max, time: .distantFuture)
    #expect(text.hasSuffix(#","dropped":18446744073709551615}"# + "\n"))
    #expect(text.contains(#""seq":18446744073709551615,"time":9223372036.854775807,"#))
  }

  @Test func bodyAndEndMakeTheSameLine() throws {
    let encoder = OffsetEncoder(
      layers: try LayerSet(parsing: "a=1"), rangeX: .standard, rangeY: .standard)
    let frame = OffsetFrame(seq: 1, time: 2, motion: PixelOffset(x: 3, y: 4))
    let parts = written {
      encoder.appendBody(frame, to: &$0)
      OffsetEncoder.appendEnd(dropped: 5, to: &$0)
    }
    #expect(parts == written { encoder.append(frame, dropped: 5, to: &$0) })
  }

  @Test func randomFramesReadBack() throws {
    var generator = SeededGenerator.forTest()
    let range = try PixelRange(low: -3, high: 7)
    let encoder = OffsetEncoder(
      layers: try LayerSet(parsing: "bg=0.2,fg=-1.75"), rangeX: range, rangeY: .standard)
    var buffer = OutputBuffer()
    for seq in 0..<100_000 as Range<UInt64> {
      let motion = PixelOffset(
        x: Double.random(in: -3...7, using: &generator),
        y: Double.random(in: -5...5, using: &generator))
      let time = MotionInstant(nanoseconds: .random(in: 0...(1 << 50), using: &generator))
      buffer.removeAll()
      encoder.append(OffsetFrame(seq: seq, time: time, motion: motion), to: &buffer)
      let line = buffer.text
      let x = try #require(number("x", in: line))
      let y = try #require(number("y", in: line))
      let seconds = try #require(number("time", in: line))
      var isRight = number("seq", in: line) == Double(seq)
      isRight = isRight && abs(seconds - time.seconds) < 1e-9 * max(1, seconds)
      isRight = isRight && abs(x - motion.x) <= 0.005_000_6 && abs(y - motion.y) <= 0.005_000_6
      isRight = isRight && x == Hundredths(px: motion.x).px && y == Hundredths(px: motion.y).px
      for (key, depth) in [("bg", 0.2), ("fg", -1.75)] {
        let layerX = try #require(number("x", in: line, after: "\"\(key)\""))
        let layerY = try #require(number("y", in: line, after: "\"\(key)\""))
        isRight =
          isRight && abs(layerX - depth * x) <= 0.000_050_1
          && abs(layerY - depth * y) <= 0.000_050_1
      }
      let nx = try #require(number("nx", in: line))
      isRight = isRight && abs(nx - (x > 0 ? x / 7 : x / 3)) <= 0.000_050_1
      #expect(isRight, "\(motion) \(time) as \(line) \(generator.note)")
    }
  }

  @Test(.enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"))
  func frameDoesNotAllocate() throws {
    for precision in [OffsetEncoder.Precision.published, .replay] {
      let encoder = OffsetEncoder(
        layers: try LayerSet(parsing: "background-mountains=0.2,fg=-1.75"), rangeX: .standard,
        rangeY: .standard, precision: precision)
      var buffer = OutputBuffer(capacity: 4096)
      // The first frame is not counted: the runtime allocates metadata for the types in it.
      write(frames: 1, with: encoder, to: &buffer)
      let allocations = AllocationCount.during {
        write(frames: 1_000, with: encoder, to: &buffer)
      }
      #expect(allocations == 0)
    }
  }

  private static let layerOverlays = [nil, OffsetOverlay(offset: .zero, rotationDegrees: -7.5)]

  private func write(
    frames: UInt64, with encoder: OffsetEncoder, to buffer: inout OutputBuffer
  ) {
    let overlay = OffsetOverlay(
      offset: PixelOffset(x: 1, y: 1), rotationDegrees: 3.25, scale: 2, opacity: 0.5)
    var seq: UInt64 = 0
    while seq < frames {
      buffer.removeAll()
      let motion = PixelOffset(x: Double(seq) / 200.3 - 2.5, y: 2.5 - Double(seq) / 199.7)
      encoder.append(
        OffsetFrame(
          seq: seq, time: MotionInstant(nanoseconds: Int64(seq) * 33_333_333), motion: motion,
          overlay: seq % 2 == 0 ? overlay : nil,
          layerOverlays: seq % 5 == 0 ? Self.layerOverlays : []),
        dropped: seq % 3, to: &buffer)
      seq += 1
    }
  }

  @Test(.enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"))
  func allocationsAreCounted() {
    var kept: [[Int]] = []
    kept.reserveCapacity(100)
    let allocations = AllocationCount.during {
      for index in 0..<100 {
        kept.append([index])
      }
    }
    #expect(allocations == (AllocationCount.isOptimized ? 100 : 0))
    #expect(kept.count == 100)
  }
}
