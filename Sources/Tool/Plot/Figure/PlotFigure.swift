// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// One curve of a panel.
package struct PlotSignal: Sendable {
  package var name: String
  /// Where its values are.
  package var envelope: Int
  /// The lane of the envelope, 0 to 3.
  package var lane: Int
  /// The number of its color.
  package var color: Int

  package init(name: String, envelope: Int, lane: Int, color: Int) {
    self.name = name
    self.envelope = envelope
    self.lane = lane
    self.color = color
  }
}

/// A value that is marked across a panel, such as an end of the range.
package struct PlotLimit: Equatable, Sendable {
  package var value: Double
  package var label: String

  package init(value: Double, label: String) {
    self.value = value
    self.label = label
  }
}

/// Signals with the same unit over each other.
package struct PlotPanel: Sendable {
  /// What is drawn, with its unit.
  package var title: String
  package var signals: [PlotSignal]
  package var limits: [PlotLimit] = []
  /// Why the whole panel is shaded: `low power: gain 0`.
  package var shade: String?
  /// Values that are visible whatever the signals are; nil adds none.
  package var visible: ClosedRange<Double>? = 0...0

  package init(title: String, signals: [PlotSignal]) {
    self.title = title
    self.signals = signals
  }
}

/// A time that is marked across all panels, such as the end of a part of an animation.
package struct PlotPart: Equatable, Sendable {
  package var seconds: Double
  package var label: String

  package init(seconds: Double, label: String) {
    self.seconds = seconds
    self.label = label
  }
}

/// Everything that a plot shows, in no particular size.
package struct PlotFigure: Sendable {
  package var title: String
  /// The facts below the title, in order of importance. They are set in lines as they fit.
  package var facts: [String]
  package var panels: [PlotPanel]
  /// The values of the signals. The marks of gaps and dropped rows are those of the first one.
  package var envelopes: [MinMaxEnvelope]
  /// The time from the left edge to the right one.
  package var span: MotionDuration
  /// What the marks mean, with their numbers; empty without any.
  package var gapText = ""
  package var dropText = ""
  package var parts: [PlotPart] = []

  package init(
    title: String, facts: [String], panels: [PlotPanel], envelopes: [MinMaxEnvelope],
    span: MotionDuration
  ) {
    self.title = title
    self.facts = facts
    self.panels = panels
    self.envelopes = envelopes
    self.span = span
  }

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
