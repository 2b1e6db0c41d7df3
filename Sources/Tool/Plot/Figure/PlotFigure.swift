// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// One curve of a panel.
struct PlotSignal: Sendable {
  var name: String
  /// Where its values are.
  var envelope: Int
  /// The lane of the envelope, 0 to 3.
  var lane: Int
  /// The number of its color.
  var color: Int
}

/// A value that is marked across a panel, such as an end of the range.
struct PlotLimit: Equatable, Sendable {
  var value: Double
  var label: String
}

/// Signals with the same unit over each other.
struct PlotPanel: Sendable {
  /// What is drawn, with its unit.
  var title: String
  var signals: [PlotSignal]
  var limits: [PlotLimit] = []
  /// Why the whole panel is shaded: `low power: gain 0`.
  var shade: String?
  /// Values that are visible whatever the signals are; nil adds none.
  var visible: ClosedRange<Double>? = 0...0
}

/// A time that is marked across all panels, such as the end of a part of an animation.
struct PlotPart: Equatable, Sendable {
  var seconds: Double
  var label: String
}

/// Everything that a plot shows, in no particular size.
struct PlotFigure: Sendable {
  var title: String
  /// The facts below the title, in order of importance. They are set in lines as they fit.
  var facts: [String]
  var panels: [PlotPanel]
  /// The values of the signals. The marks of gaps and dropped rows are those of the first one.
  var envelopes: [MinMaxEnvelope]
  /// The time from the left edge to the right one.
  var span: MotionDuration
  /// The time that the time axis shows where the plot begins.
  var start = MotionDuration.zero
  /// What the marks mean, with their numbers; empty without any.
  var gapText = ""
  var dropText = ""
  var parts: [PlotPart] = []

  /// The axis of a panel's values.
  func valueAxis(of panel: PlotPanel, maxTicks: Int) -> PlotAxis {
    var values: [Double] = []
    if let visible = panel.visible { values += [visible.lowerBound, visible.upperBound] }
    for signal in panel.signals where envelopes[signal.envelope].count > 0 {
      values.append(envelopes[signal.envelope].lowest[signal.lane])
      values.append(envelopes[signal.envelope].highest[signal.lane])
    }
    let reach = values.reduce(0) { max($0, $1.magnitude) }
    // A range that is far away would flatten the signals.
    for limit in panel.limits where reach == 0 || limit.value.magnitude <= 20 * reach {
      values.append(limit.value)
    }
    return PlotAxis(
      values: values.min() ?? 0, values.max() ?? 0, maxTicks: maxTicks)
  }
}

extension PlotFigure {
  /// The unit of the time axis. A part of a recording is not in fractions of a second: 12.3 s, not 12300 ms.
  var timeUnit: PlotTimeUnit {
    PlotTimeUnit(seconds: start > .zero ? max(1, span.seconds) : span.seconds)
  }

  func timeAxis(maxTicks: Int) -> PlotAxis {
    PlotAxis(seconds: span.seconds, start: start.seconds, unit: timeUnit, maxTicks: maxTicks)
  }
}
