// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// Collects what a plot of a replay shows: the rates of each sample that counts, the offsets of each frame,
/// gaps and dropped rows. Its memory does not depend on the length of the trace.
struct ReplayPlot: Sendable {
  /// What the plot says about the trace and the settings.
  struct Facts: Sendable {
    /// The name of the file.
    var name = ""
    var settings = MotionSettings()
    var counts = SampleCounts()
    /// Rows that could not be read.
    var unreadable: UInt64 = 0
    var nominalRateHertz: Double?
    /// Whether the bias was estimated.
    var estimatesBias = false
    var hasZ = true
    /// Why the gain is not 1: `low power: gain 0`; nil if it is.
    var gate: String?
  }

  private let span: RecordingSpan
  private var rates: MinMaxEnvelope
  /// The offsets of each smoothing, in the order of the names.
  private var offsets: [MinMaxEnvelope]
  private var begin: MotionInstant?
  /// The end of what is drawn, after the start of the span.
  private var end = MotionDuration.zero
  /// Whether the last sample that counts is in the span.
  private var isInSpan = false
  /// Whether the next frame begins a segment, for each smoothing.
  private var startsSegment: [Bool]

  /// - Parameters:
  ///   - pixels: The width of the plot that will be drawn.
  ///   - smoothings: The number of smoothings that are compared; 1 without a comparison.
  ///   - span: The part of the recording that is drawn.
  init(pixels: Int, smoothings: Int = 1, span: RecordingSpan = RecordingSpan()) {
    self.span = span
    rates = MinMaxEnvelope(pixels: pixels)
    offsets = Array(repeating: MinMaxEnvelope(pixels: pixels), count: max(1, smoothings))
    startsSegment = Array(repeating: true, count: max(1, smoothings))
  }

  /// Adds a row.
  mutating func add(_ sample: GyroSample, _ verdict: SampleVerdict) {
    switch verdict {
    case .kept(let time, let starts):
      let begin = begin ?? time
      self.begin = begin
      isInSpan = span.contains(time - begin)
      if starts { for index in startsSegment.indices { startsSegment[index] = true } }
      guard isInSpan else { return }
      let place = time - begin - span.from
      if starts {
        if rates.count > 0 { rates.markGap(from: end, to: place) }
      }
      let rate = sample.rateRadPerSec
      rates.add(SIMD4(rate.x, rate.y, rate.z, 0), at: place, startsSegment: starts)
      end = max(end, place)
    case .duplicate, .backwards, .nonfinite:
      if isInSpan || span.isWhole { rates.mark(.dropped, at: end) }
    }
  }

  /// Adds a frame of a smoothing.
  mutating func add(_ offset: PixelOffset, at time: MotionInstant, smoothing: Int = 0) {
    guard let begin, span.contains(time - begin) else { return }
    let place = time - begin - span.from
    offsets[smoothing].add(
      SIMD4(offset.x, offset.y, 0, 0), at: place, startsSegment: startsSegment[smoothing])
    startsSegment[smoothing] = false
    end = max(end, place)
  }

  /// Returns the plot of the rates above and the offsets below.
  func figure(_ facts: Facts) -> PlotFigure {
    var panel = PlotPanel(
      title: "Offset, px",
      signals: [
        PlotSignal(name: "x (right)", envelope: 1, lane: 0, color: 0),
        PlotSignal(name: "y (down)", envelope: 1, lane: 1, color: 1),
      ])
    panel.limits = limits(facts.settings)
    panel.shade = facts.gate
    return figure(facts, offsets: [panel], smoothing: facts.settings.smoothing.text)
  }

  /// Returns the plot of several smoothings: the rates above, then x, then y.
  ///
  /// - Parameter names: The smoothings, with figures if there are any.
  func comparison(_ facts: Facts, names: [String]) -> PlotFigure {
    let panels = [("x", 0), ("y", 1)].map { axis, lane in
      var panel = PlotPanel(
        title: "Offset \(axis), px",
        signals: names.enumerated().map { index, name in
          PlotSignal(name: name, envelope: 1 + index, lane: lane, color: index)
        })
      let range = lane == 0 ? facts.settings.rangeX : facts.settings.rangeY
      panel.limits = [range.low, range.high].map {
        PlotLimit(value: $0, label: SettingText.text($0))
      }
      panel.shade = facts.gate
      return panel
    }
    return figure(facts, offsets: panels, smoothing: nil)
  }

  private func figure(_ facts: Facts, offsets panels: [PlotPanel], smoothing: String?)
    -> PlotFigure
  {
    let rate = PlotPanel(
      title: "Rate of rotation as recorded, rad/s",
      signals: ["x", "y", "z"].prefix(facts.hasZ ? 3 : 2).enumerated().map { index, name in
        PlotSignal(name: name, envelope: 0, lane: index, color: index)
      })
    var figure = PlotFigure(
      title: PrintableText.line(facts.name), facts: texts(facts, smoothing: smoothing),
      panels: [rate] + panels, envelopes: [rates] + offsets, span: end)
    figure.start = span.from
    let gaps = facts.counts.segments > 0 ? facts.counts.segments - 1 - facts.counts.rebased : 0
    if gaps > 0 { figure.gapText = gaps == 1 ? "1 gap" : "\(gaps) gaps" }
    if facts.counts.rebased > 0 {
      figure.gapText += figure.gapText.isEmpty ? "" : ", "
      figure.gapText += "clock set back (\(facts.counts.rebased))"
    }
    figure.dropText = dropText(facts.counts)
    return figure
  }

  private func dropText(_ counts: SampleCounts) -> String {
    let kinds = [
      (counts.duplicate, "duplicate"), (counts.backwards, "backwards"),
      (counts.nonfinite, "not finite"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return kinds.isEmpty ? "" : "dropped rows: " + kinds.joined(separator: ", ")
  }

  private func limits(_ settings: MotionSettings) -> [PlotLimit] {
    let (x, y) = (settings.rangeX, settings.rangeY)
    if x == y {
      return [x.low, x.high].map { PlotLimit(value: $0, label: SettingText.text($0)) }
    }
    return [("x", x), ("y", y)].flatMap { axis, range in
      [range.low, range.high].map {
        PlotLimit(value: $0, label: "\(axis) \(SettingText.text($0))")
      }
    }
  }

  private func texts(_ facts: Facts, smoothing: String?) -> [String] {
    let settings = facts.settings
    let counts = facts.counts
    let rows = counts.kept + counts.duplicate + counts.backwards + counts.nonfinite
    let hertz = facts.nominalRateHertz.map { " at \(Figures.short($0, 1)) Hz" } ?? ""
    var texts = [
      span.isWhole
        ? "\(Figures.short(end.seconds, 2)) s"
        : "\(Figures.short(span.from.seconds, 2)) to \(Figures.short((span.from + end).seconds, 2)) s",
      "\(rows) rows\(hertz)",
    ]
    if facts.unreadable > 0 { texts.append("\(facts.unreadable) rows unreadable") }
    texts.append("\(counts.frames) frames")
    texts.append("\(settings.mode.rawValue) mode")
    switch settings.frameRate {
    case .native: texts.append("a frame for each sample")
    case .hertz(let hertz): texts.append("\(SettingText.text(hertz)) frames per second")
    }
    if let smoothing { texts.append("smoothing \(smoothing)") }
    texts.append("scale \(settings.resolvedScale.text)")
    let (x, y) = (settings.rangeX.text, settings.rangeY.text)
    texts.append(x == y ? "range \(x)" : "range \(x) and \(y)")
    if facts.estimatesBias { texts.append("bias estimated") }
    if settings.mode == .tilt {
      texts.append("recenter \(SettingText.text(settings.recenterSeconds)) s")
    }
    return texts
  }
}
