// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// The plot of `parallax feel`: what a display shows over what it should show.
enum FeelPlot {
  /// Besides the ideal.
  static let maxSmoothings = PlotTheme.maxSignals - 1

  private static let ideal = "ideal"

  /// Returns the plot: x, then y, and for a single smoothing the error below them.
  ///
  /// - Parameters:
  ///   - facts: What is said below the title.
  ///   - pixels: The width of the plot that will be drawn.
  static func figure(
    name: String, facts: [String], _ bench: FeelBench, smoothings: [Smoothing], pixels: Int
  ) -> PlotFigure {
    let start = MotionDuration(seconds: bench.span.lowerBound)
    var envelopes: [MinMaxEnvelope] = []
    var end = MotionDuration.zero
    var gaps = 0
    for smoothing in smoothings {
      var shown = MinMaxEnvelope(pixels: pixels)
      var ideal = MinMaxEnvelope(pixels: pixels)
      let isFirst = envelopes.isEmpty
      for (number, segment) in bench.pictures(smoothing: smoothing).enumerated() {
        for (index, picture) in segment.enumerated() {
          let place = MotionDuration(seconds: picture.seconds) - start
          let starts = index == 0
          if isFirst, starts, number > 0 {
            ideal.markGap(from: end, to: place)
            gaps += 1
          }
          let error = picture.shown - picture.ideal
          shown.add(
            SIMD4(lowHalf: picture.shown, highHalf: error), at: place, startsSegment: starts)
          if isFirst {
            ideal.add(
              SIMD4(lowHalf: picture.ideal, highHalf: .zero), at: place, startsSegment: starts)
            end = max(end, place)
          }
        }
      }
      if isFirst { envelopes.append(ideal) }
      envelopes.append(shown)
    }
    let names = smoothings.count == 1 ? ["shown"] : smoothings.map(\.text)
    var panels = [("x (right)", 0), ("y (down)", 1)].map { axis, lane in
      PlotPanel(
        title: "Offset \(axis), px",
        signals: names.enumerated().map { index, name in
          PlotSignal(name: name, envelope: 1 + index, lane: lane, color: index)
        } + [PlotSignal(name: Self.ideal, envelope: 0, lane: lane, color: PlotTheme.maxSignals - 1)]
      )
    }
    if smoothings.count == 1 {
      panels.append(
        PlotPanel(
          title: "Error: shown less ideal, px",
          signals: [("x", 2), ("y", 3)].map { axis, lane in
            PlotSignal(name: axis, envelope: 1, lane: lane, color: lane - 2)
          }))
    }
    var figure = PlotFigure(
      title: PrintableText.line(name), facts: facts, panels: panels, envelopes: envelopes,
      span: end)
    figure.start = start
    if gaps > 0 { figure.gapText = gaps == 1 ? "1 gap" : "\(gaps) gaps" }
    return figure
  }
}
