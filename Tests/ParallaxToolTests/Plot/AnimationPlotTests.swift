// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxMotion
import Testing

@testable import ParallaxTool

@Suite("Plots and pages of animations")
struct AnimationPlotTests {
  private func figure(_ animation: Animation, seconds: Double) -> PlotFigure {
    AnimationPlot.figure(
      name: "a.json", timeline: Timeline(animation), seconds: seconds, pixels: 500)
  }

  @Test func channelsHavePanelsAndPartsHaveMarks() throws {
    let animation = Animation.sequence([
      .move(by: PixelOffset(x: 10, y: 0), duration: .seconds(1)), .delay(.seconds(0.5)),
      .rotate(by: 90, duration: .seconds(0.5)),
    ])
    let figure = figure(animation, seconds: 2)
    #expect(figure.panels.map(\.title) == ["Offset, px", "Rotation, degrees clockwise"])
    #expect(figure.parts.map(\.seconds) == [1, 1.5])
    #expect(figure.span == .seconds(2))
    let highest = figure.envelopes[0].highest
    #expect(highest[0] == 10)
    #expect((highest[2] - 90).magnitude < 1e-9, "\(highest[2])")
    let columns = figure.envelopes[0].columns(pixels: 500, span: figure.span)
    #expect(columns.allSatisfy { $0.hasValues })
    // Halfway through the first part, as in the timeline.
    let pose = Timeline(animation).pose(at: 0.5)
    #expect((columns[125].lowest[0] - pose.offset.x).magnitude < 0.1)
  }

  @Test func scaleAndOpacityHaveTheirOwnRanges() {
    let scale = figure(.scale(to: 1.03, duration: .seconds(1)), seconds: 1)
    #expect(scale.panels.map(\.title) == ["Scale"])
    #expect(scale.valueAxis(of: scale.panels[0], maxTicks: 4).low > 0.9)
    let fade = figure(.fade(to: 0.5, duration: .seconds(1)), seconds: 1)
    let axis = fade.valueAxis(of: fade.panels[0], maxTicks: 4)
    #expect(axis.low < 0 && axis.high > 1)
  }

  @Test func anEndlessRepetitionHasFewMarks() {
    let figure = figure(
      .repeated(.move(by: PixelOffset(x: 1, y: 0), duration: .seconds(0.001)), count: .forever),
      seconds: 10)
    #expect((10...63).contains(figure.parts.count), "\(figure.parts.count)")
    #expect(figure.facts.contains("plays forever, first 10 s"))
  }

  @Test func aPageNamesAnyDocument() {
    let page = MotionPage(
      name: "PAGE-DATA</title><script>", timeline: Timeline(.fade(to: 0.5, duration: .seconds(1))),
      seconds: 1,
      rateHertz: 10)
    #expect(page.html.contains("<title>PAGE-DATA&lt;/title&gt;&lt;script&gt;</title>"))
    #expect(page.html.contains("\"zoom\":1,\"starts\":[],\"times\":[0,0.1,0.2,"))
  }
}
