// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxMotion

/// Plots of animations: the pose against time.
enum AnimationPlot {
  /// Samples per pixel. A step of the pose is in the column where it belongs.
  private static let samplesPerPixel = 8
  /// The smallest distance between two marks of parts, in pixels.
  private static let minPartPixels = 8.0

  /// The layers in one plot.
  private static let maxLayers = 6

  /// Returns the plot of an animation on several layers, the first ones below each other.
  static func figure(
    name: String, parts: [(layer: String?, timeline: Timeline<Pose>)], seconds: Double, pixels: Int
  ) -> PlotFigure {
    let shown = parts.prefix(maxLayers)
    guard parts.count > 1, let first = shown.first else {
      return figure(name: name, timeline: parts[0].timeline, seconds: seconds, pixels: pixels)
    }
    var result = figure(name: name, timeline: first.timeline, seconds: seconds, pixels: pixels)
    // The marks are those of the first layer.
    result.parts = []
    result.facts = facts(first.timeline, seconds, 0)
    result.facts.append(
      shown.count < parts.count
        ? "\(shown.count) of \(parts.count) layers" : "\(parts.count) layers")
    result.panels = []
    result.envelopes = []
    for part in shown {
      let own = figure(name: name, timeline: part.timeline, seconds: seconds, pixels: pixels)
      for panel in own.panels {
        var panel = panel
        panel.title =
          "\(PrintableText.line(part.layer ?? "all layers")): \(panel.title.lowercasedFirst)"
        panel.signals = panel.signals.map { signal in
          var signal = signal
          signal.envelope += result.envelopes.count
          return signal
        }
        result.panels.append(panel)
      }
      result.envelopes += own.envelopes
    }
    return result
  }

  /// Returns the plot of an animation. Only channels that it changes are drawn.
  ///
  /// - Parameters:
  ///   - seconds: The end of the plot; at most the duration.
  ///   - pixels: The width of the plot that will be drawn.
  static func figure(
    name: String, timeline: Timeline<Pose>, seconds: Double, pixels: Int
  ) -> PlotFigure {
    var places = MinMaxEnvelope(pixels: pixels)
    var looks = MinMaxEnvelope(pixels: pixels)
    let ends = partEnds(of: timeline, upTo: seconds, pixels: pixels)
    let count = pixels * samplesPerPixel
    var times = (0...count).map { seconds * Double($0) / Double(count) }
    times += ends.flatMap { [$0.nextDown, $0] }
    times.sort()
    for time in times {
      let pose =
        time >= timeline.durationSeconds ? timeline.end(from: .rest) : timeline.pose(at: time)
      let place = MotionDuration.nanoseconds(Int64((time * 1e9).rounded()))
      places.add(SIMD4(pose.offset.x, pose.offset.y, pose.rotationDegrees, 0), at: place)
      looks.add(SIMD4(pose.scale, min(max(pose.opacity, 0), 1), pose.scaleY, 0), at: place)
    }
    var figure = PlotFigure(
      title: PrintableText.line(name), facts: facts(timeline, seconds, ends.count),
      panels: panels(timeline.channels), envelopes: [places, looks],
      span: .nanoseconds(Int64((max(seconds, 1e-9) * 1e9).rounded())))
    // The end of the whole animation needs no mark.
    figure.parts = ends.enumerated().filter { $1 < seconds }.map { index, end in
      PlotPart(seconds: end, label: "\(index + 1)")
    }
    return figure
  }

  private static func panels(_ channels: PoseChannels) -> [PlotPanel] {
    func signals(_ list: [(PoseChannel, String)], envelope: Int) -> [PlotSignal] {
      list.enumerated().compactMap { lane, entry in
        channels.contains(PoseChannels(entry.0))
          ? PlotSignal(name: entry.1, envelope: envelope, lane: lane, color: lane) : nil
      }
    }
    let places = signals([(.x, "x (right)"), (.y, "y (down)")], envelope: 0)
    let hasScaleY = channels.contains(PoseChannels(.scaleY))
    let looks = signals(
      [
        (.scale, hasScaleY ? "scale (right)" : "scale"), (.opacity, "opacity"),
        (.scaleY, "scale (down)"),
      ],
      envelope: 1)
    var panels: [PlotPanel] = []
    if !places.isEmpty { panels.append(PlotPanel(title: "Offset, px", signals: places)) }
    if channels.contains(PoseChannels(.rotation)) {
      panels.append(
        PlotPanel(
          title: "Rotation, degrees clockwise",
          signals: [PlotSignal(name: "rotation", envelope: 0, lane: 2, color: 2)]))
    }
    if !looks.isEmpty {
      let hasOpacity = channels.contains(PoseChannels(.opacity))
      let title =
        channels.contains(.scale)
        ? (hasOpacity ? "Scale and opacity" : "Scale") : "Opacity"
      var panel = PlotPanel(title: title, signals: looks)
      // A scale is near 1, where its changes are seen.
      panel.visible = hasOpacity ? 0...1 : nil
      panels.append(panel)
    }
    guard panels.isEmpty else { return panels }
    return [
      PlotPanel(
        title: "Offset, px (the animation changes nothing)",
        signals: [PlotSignal(name: "x (right)", envelope: 0, lane: 0, color: 0)])
    ]
  }

  private static func facts(_ timeline: Timeline<Pose>, _ seconds: Double, _ parts: Int) -> [String]
  {
    var facts = [
      timeline.durationSeconds == .infinity
        ? "plays forever, first \(Figures.short(seconds, 3)) s"
        : "\(Figures.short(timeline.durationSeconds, 3)) s"
    ]
    if seconds < timeline.durationSeconds, timeline.durationSeconds < .infinity {
      facts.append("first \(Figures.short(seconds, 3)) s")
    }
    if parts > 0 { facts.append("dashed lines: ends of parts") }
    return facts
  }

  /// Returns the ends of the outermost parts, each far enough from the one before.
  private static func partEnds(
    of timeline: Timeline<Pose>, upTo seconds: Double, pixels: Int
  ) -> [Double] {
    let distance = seconds * minPartPixels / Double(max(1, pixels))
    var ends: [Double] = []
    var after = 0.0
    while let end = timeline.nextStepEnd(after: after), end <= seconds {
      ends.append(end)
      after = end + distance
      if distance <= 0 { break }
    }
    return ends
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
