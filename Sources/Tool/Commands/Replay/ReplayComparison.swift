// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// `replay --compare`: several smoothings of one recording, as figures and as curves over each other.
struct ReplayComparison {
  let trace: String
  let smoothings: [Smoothing]
  let settings: ReplaySettings

  /// The figures of a comparison: lag and jitter at rest. `parallax feel` has the others.
  private static let columns = FeelColumn.all.filter {
    ["lag", "slow", "rest", "step"].contains($0.name)
  }

  /// Prints the figures and draws the curves.
  func run(plot target: PlotTarget?) throws {
    let configuration = settings.configuration
    let loaded = try LoadedRecording(
      trace, settings: configuration.motion, orientation: configuration.orientation.source,
      reading: settings.reading)
    for warning in loaded.warnings { Console.report(warning) }
    let options = FeelOptions()
    let bench = try loaded.bench(options, settings.span)
    let figures = SmoothingFigures.measure(smoothings, bench, stops: nil)
    let rows = zip(smoothings, figures).map { ($0, $1) }
    if let target { try target.draw(figure(loaded, rows, pixels: target.pixels)) }
    let report = FeelReport(
      name: loaded.name, recording: loaded.recording, bench: bench, options: options, rows: rows)
    try Console.print(report.table(Self.columns), terminator: "")
  }

  private func figure(
    _ loaded: LoadedRecording, _ rows: [(Smoothing, FeelFigures)], pixels: Int
  ) -> PlotFigure {
    let recording = loaded.recording
    let gain = settings.gain
    var plot = ReplayPlot(pixels: pixels, smoothings: smoothings.count, span: settings.span)
    var pipelines = smoothings.map { smoothing in
      var own = recording.settings
      own.smoothing = smoothing
      return MotionPipeline(
        settings: own, orientation: recording.orientation,
        nominalRateHertz: recording.nominalRateHertz, bias: recording.bias)
    }
    for sample in recording.samples {
      for index in pipelines.indices {
        let verdict = pipelines[index].push(sample)
        if index == 0 { plot.add(sample, verdict) }
        while let frame = pipelines[index].nextFrame() {
          plot.add((frame.motion * gain).offset, at: frame.time, smoothing: index)
        }
      }
    }
    let result = ReplayResult(
      name: loaded.name, settings: recording.settings, hasZ: loaded.hasZ,
      estimatesBias: recording.bias != .off, gain: gain,
      summary: ReplaySummary(
        counts: pipelines[0].counts, unreadable: loaded.unreadable, footer: 0, duration: .zero,
        rateHertz: recording.nominalRateHertz))
    var figure = plot.comparison(
      result.plotFacts(settings.configuration), names: smoothings.map(\.text))
    figure.facts += rows.map { smoothing, figures in
      let values = Self.columns.filter { ["lag", "rest"].contains($0.name) }.map { column in
        let value = column.value(figures).map { column.text($0) + column.unit }
        return "\(column.name) \(value ?? "unknown")"
      }
      return "\(smoothing.text): \(values.joined(separator: ", "))"
    }
    return figure
  }
}
