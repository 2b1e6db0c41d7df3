// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxMotion
import Testing

@testable import ParallaxTool

/// A canvas that lists what is drawn. Every character is 0.6 of the font's size wide.
private final class ListCanvas: PlotCanvas {
  var texts: [(text: String, left: Double, right: Double, y: Double)] = []
  var rects: [(rect: PlotRect, color: PlotColor)] = []
  var lines: [(points: [[PlotPoint]], color: PlotColor, dash: Double, clip: PlotRect?)] = []

  func width(of text: String, _ font: PlotFont) -> Double { Double(text.count) * font.size * 0.6 }

  func fill(_ rects: [PlotRect], _ color: PlotColor, clip: PlotRect?) {
    self.rects += rects.map { ($0, color) }
  }

  func stroke(
    _ lines: [[PlotPoint]], width: Double, _ color: PlotColor, dash: Double, clip: PlotRect?
  ) {
    self.lines.append((lines, color, dash, clip))
  }

  func draw(_ text: String, at point: PlotPoint, _ font: PlotFont, _ color: PlotColor) {
    texts.append((text, point.x, point.x + width(of: text, font), point.y))
  }

  /// Whether a text with these characters is drawn.
  func shows(_ part: String) -> Bool { texts.contains { $0.text.contains(part) } }
}

@Suite("Drawing of plots")
struct PlotDrawingTests {
  /// 10 s at 50 Hz with a gap from 4 to 6 s and two equal times at 2 s.
  private func plot() -> ReplayPlot {
    var plot = ReplayPlot(pixels: 800)
    var rule = TimeRule(frameRate: .standard)
    for index in 0..<500 where !(200..<300).contains(index) {
      for _ in 0..<(index == 100 ? 3 : 1) {
        let time = MotionInstant.zero + .milliseconds(Int64(index) * 20)
        let sample = GyroSample(
          time: time, rateRadPerSec: AngularRate(x: index == 77 ? 3 : 0.5, y: -1, z: 0))
        switch rule.admit(time) {
        case .kept(let time, let starts):
          plot.add(sample, .kept(time: time, startsSegment: starts))
          plot.add(PixelOffset(x: 2, y: index == 450 ? -5 : 1), at: time)
        case .duplicate: plot.add(sample, .duplicate)
        default: Issue.record("unexpected")
        }
      }
    }
    return plot
  }

  private var facts: ReplayPlot.Facts {
    var facts = ReplayPlot.Facts()
    facts.name = "walk\u{1B}/Gyroscope.csv"
    facts.counts.kept = 400
    facts.counts.duplicate = 2
    facts.counts.segments = 2
    facts.counts.frames = 400
    facts.nominalRateHertz = 50
    return facts
  }

  private func draw(_ figure: PlotFigure, _ size: PlotSize) -> ListCanvas {
    let canvas = ListCanvas()
    PlotDrawing(figure, size: size, theme: .light, canvas: canvas).draw()
    return canvas
  }

  @Test func everyFactIsInThePlot() {
    let canvas = draw(plot().figure(facts), PlotSize(width: 800, height: 500))
    for part in [
      "walk /Gyroscope.csv", "9.98 s", "402 rows at 50 Hz", "400 frames", "rate mode", "scale 5",
      "range -5:5", "rad/s", "Offset, px", "x (right)", "y (down)", "1 gap",
      "dropped rows: 2 duplicate", "8",
    ] {
      #expect(canvas.shows(part), "\(part)")
    }
  }

  @Test(arguments: [
    PlotSize(width: 320, height: 240), PlotSize(width: 800, height: 500),
    PlotSize(width: 1600, height: 900), PlotSize(width: 8000, height: 8000),
    PlotSize(width: 320, height: 8000), PlotSize(width: 8000, height: 240),
  ])
  func nothingLeavesThePlotAndNoTextsOverlap(_ size: PlotSize) {
    var facts = facts
    facts.name = String(repeating: "a very long name ", count: 40)
    let canvas = draw(plot().figure(facts), size)
    for text in canvas.texts {
      #expect(text.left >= 0 && text.right <= Double(size.width) + 1, "\(text)")
      #expect(text.y > 0 && text.y <= Double(size.height), "\(text)")
    }
    for (index, text) in canvas.texts.enumerated() {
      for other in canvas.texts[(index + 1)...] where (text.y - other.y).magnitude < 2 {
        #expect(
          text.right <= other.left + 1 || other.right <= text.left + 1, "\(text) over \(other)")
      }
    }
    for line in canvas.lines {
      for point in line.points.joined() where line.clip == nil {
        #expect((0...Double(size.width)).contains(point.x), "\(point)")
        #expect((0...Double(size.height)).contains(point.y), "\(point)")
      }
    }
  }

  @Test func gapsAndPeaksAreWhereTheyBelong() throws {
    let size = PlotSize(width: 1000, height: 600)
    let canvas = draw(plot().figure(facts), size)
    let gaps = canvas.rects.filter { $0.color == PlotTheme.light.gap && $0.rect.height > 50 }
    let panels = canvas.rects.filter { $0.color == PlotTheme.light.panel }.map(\.rect)
    try #require(gaps.count == 2 && panels.count == 2)
    let scale = panels[0].width / 9.98
    #expect((gaps[0].rect.x - panels[0].x - 3.98 * scale).magnitude < 2)
    #expect((gaps[0].rect.right - panels[0].x - 6 * scale).magnitude < 2)
    // The peak of one sample at 1.54 s is the highest point of the first signal.
    let signal = try #require(
      canvas.lines.first { $0.clip == panels[0] && $0.color.rgb == PlotTheme.light.signals[0].rgb })
    let peak = try #require(signal.points.joined().min { $0.y < $1.y })
    #expect((peak.x - panels[0].x - 1.54 * scale).magnitude < 2)
    #expect(signal.points.count == 2, "the gap interrupts the line")
    let drops = try #require(canvas.lines.first { $0.color == PlotTheme.light.drop })
    #expect(drops.points.count == 1)
    #expect(((drops.points[0].first?.x ?? 0) - panels[0].x - 2 * scale).magnitude < 2)
  }

  @Test func aClosedGateShadesTheOffsets() {
    var facts = facts
    #expect(
      !draw(plot().figure(facts), .standard).rects.contains { $0.color == PlotTheme.light.shade })
    facts.gate = "low power: gain 0"
    let canvas = draw(plot().figure(facts), .standard)
    #expect(canvas.shows("low power: gain 0"))
    #expect(canvas.rects.count { $0.color == PlotTheme.light.shade } == 1)
  }

  /// Fast motion: each column is a bar between its extremes, joined to the column before.
  @Test func fastMotionIsDrawnAsBars() throws {
    var plot = ReplayPlot(pixels: 300)
    for index in 0..<30_000 {
      let time = MotionInstant.zero + .milliseconds(Int64(index))
      let rate = index == 12_345 ? 9 : index.isMultiple(of: 2) ? 1.0 : -1
      plot.add(
        GyroSample(time: time, rateRadPerSec: AngularRate(x: rate, y: 0, z: 0)),
        .kept(time: time, startsSegment: index == 0))
    }
    let canvas = draw(plot.figure(facts), PlotSize(width: 400, height: 300))
    let panel = try #require(canvas.rects.first { $0.color == PlotTheme.light.panel }).rect
    let bars = canvas.rects.filter { $0.color.rgb == PlotTheme.light.signals[0].rgb }.map(\.rect)
    #expect(bars.count == Int(panel.width))
    #expect(bars.allSatisfy { $0.width == 1 && $0.height >= 1 })
    let highest = try #require(bars.min { $0.y < $1.y })
    #expect((highest.x - panel.x - panel.width * 12.345 / 29.999).magnitude <= 1.1)
    #expect(bars.count { $0.y < panel.y + panel.height / 2 } == 1)
  }

  @Test func barsReachTheValueBefore() {
    var columns = [(1.0, 2.0), (5, 6), (9, 9)].map { low, high in
      var envelope = MinMaxEnvelope(pixels: 1)
      envelope.add(SIMD4(repeating: high), at: .zero)
      envelope.add(SIMD4(repeating: low), at: .zero)
      return envelope.columns(pixels: 1, span: .zero)[0]
    }
    columns[2].marks.insert(.startsSegment)
    columns.insert(EnvelopeColumn(), at: 1)
    #expect(
      EnvelopeBars.bars(columns, lane: 1) == [
        EnvelopeBars.Bar(column: 0, low: 1, high: 2), EnvelopeBars.Bar(column: 2, low: 1, high: 6),
        EnvelopeBars.Bar(column: 3, low: 9, high: 9),
      ])
  }

  @Test func anEmptyPlotIsDrawn() {
    let figure = ReplayPlot(pixels: 800).figure(ReplayPlot.Facts())
    #expect(draw(figure, .standard).shows("0 rows"))
  }

  @Test(arguments: [PlotTheme.light, .dark])
  func textsAndSignalsContrastWithTheirBackground(_ theme: PlotTheme) {
    func luminance(_ color: PlotColor) -> Double {
      let parts = [16, 8, 0].map { shift in
        let value = color.component(UInt32(shift))
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
    func contrast(_ one: PlotColor, _ other: PlotColor) -> Double {
      let (a, b) = (luminance(one), luminance(other))
      return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }
    // WCAG 2.1: 4.5 for text, 3 for graphics.
    for color in [theme.text, theme.faintText] {
      #expect(contrast(color, theme.background) >= 4.5)
    }
    for color in theme.signals + [theme.limit, theme.drop] {
      #expect(contrast(color, theme.panel) >= 2.9, "\(String(color.rgb, radix: 16))")
    }
  }
}
