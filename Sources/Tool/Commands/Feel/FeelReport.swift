// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// The figures of `parallax feel` as words, as a table and as JSON.
struct FeelReport {
  private let rows: [(smoothing: Smoothing, figures: FeelFigures)]
  private let name: String
  private let settings: MotionSettings
  private let nominalRateHertz: Double?
  private let scale: PixelScale
  private let options: FeelOptions
  /// The part that was measured, in seconds.
  private let span: ClosedRange<Double>
  /// Seconds of segments that are long enough, and how many of these are in rests.
  private let measuredSeconds: Double
  private let restSeconds: Double
  private let rests: Int

  init(
    name: String, recording: FeelRecording, bench: FeelBench, options: FeelOptions,
    rows: [(Smoothing, FeelFigures)]
  ) {
    self.rows = rows.map { ($0, $1) }
    self.name = name
    self.options = options
    settings = recording.settings
    nominalRateHertz = recording.nominalRateHertz
    scale = bench.scale
    span = bench.span
    measuredSeconds = bench.measuredSeconds
    restSeconds = bench.rests.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    rests = bench.rests.count
  }

  // MARK: - Words

  /// The figures of one smoothing, each with its meaning.
  var words: String {
    var text = heading
    guard let (smoothing, figures) = rows.first else { return text }
    text += "smoothing \(smoothing.text)\n\n"
    for column in FeelColumn.all where column.applies(to: settings.mode) {
      let value = column.value(figures).map { column.text($0) + column.unit }
      let meaning = value == nil ? missing(column, figures) : column.meaning
      text += Self.padded(column.name, 11) + Self.padded(value ?? "-", 11) + meaning + "\n"
    }
    return text
  }

  private var heading: String {
    "\(PrintableText.escaped(name))\(part): \(measured)\n\(setup)\n"
  }

  /// The seconds and the rate of the samples.
  private var measured: String {
    let hertz = nominalRateHertz.map { ", \(Figures.fixed($0, 1)) samples a second" } ?? ""
    let resting =
      rests == 0 ? "no rest" : "\(Figures.fixed(restSeconds, 1)) s of it at rest"
    return "\(Figures.fixed(measuredSeconds, 1)) s\(hertz), \(resting)"
  }

  /// The settings of the measurement.
  private var setup: String {
    let rate =
      switch (settings.frameRate, options.tolerancePx) {
      case (.native, _): "a frame for each sample"
      case (.hertz(let hertz), nil): "\(SettingText.text(hertz)) frames a second"
      case (.hertz, let tolerance?): "frames within \(SettingText.text(tolerance)) px"
      }
    let ahead = Figures.short(1000 * options.ahead, 1)
    return
      "\(settings.mode.rawValue) mode, \(rate), a display of \(SettingText.text(options.displayHertz)) Hz "
      + "drawn \(ahead) ms ahead, scale \(scale.text), range \(range)"
  }

  /// The part, as it follows the name; empty for the whole recording.
  private var part: String {
    guard span != 0...(.infinity) else { return "" }
    let end = span.upperBound == .infinity ? "" : " to \(Figures.short(span.upperBound, 3)) s"
    return " from \(Figures.short(span.lowerBound, 3)) s\(end)"
  }

  private var range: String {
    settings.rangeX == settings.rangeY
      ? settings.rangeX.text : "\(settings.rangeX.text) and \(settings.rangeY.text)"
  }

  private var whole: String { part.isEmpty ? "recording" : "part" }

  /// Why a figure is missing.
  private func missing(_ column: FeelColumn, _ figures: FeelFigures) -> String {
    switch column.needs {
    case .rest: "no rest of 1.5 s in this \(whole)"
    case .motion where figures.errorPercentile == nil: "no motion in this \(whole)"
    case .motion where figures.lagMilliseconds == nil:
      "the picture does not follow the motion within 400 ms"
    case .motion: "too little motion in this \(whole)"
    case .tilt: "no motion in this \(whole)"
    case .stops: "nothing is drawn"
    }
  }

  // MARK: - Plot

  /// The plot of the smoothings, with the figures that it lets a reader see.
  func plot(_ bench: FeelBench, pixels: Int) -> PlotFigure {
    var facts = [measured, setup]
    for (smoothing, figures) in rows {
      let columns = FeelColumn.all.filter { ["lag", "err", "p99"].contains($0.name) }
      let values = columns.map { column in
        "\(column.name) " + (column.value(figures).map { column.text($0) + column.unit } ?? "-")
      }
      facts.append("\(smoothing.text): " + values.joined(separator: ", "))
    }
    return FeelPlot.figure(
      name: ReplayResult.title(name), facts: facts, bench, smoothings: rows.map(\.smoothing),
      pixels: pixels)
  }

  // MARK: - Table

  /// Returns figures of several smoothings, one row each.
  func table(_ columns: [FeelColumn]) -> String {
    let columns = columns.filter { $0.applies(to: settings.mode) }
    let width = 2 + max(9, rows.map(\.smoothing.text.count).max() ?? 0)
    var text = heading + "\n" + Self.padded("smoothing", width)
    for column in columns { text += Self.aligned(column.short, column.width) }
    text += "\n" + Self.padded("", width)
    for column in columns { text += Self.aligned(column.tableUnit, column.width) }
    text += "\n"
    for (smoothing, figures) in rows {
      text += Self.padded(smoothing.text, width)
      for column in columns {
        text += Self.aligned(column.value(figures).map(column.text) ?? "-", column.width)
      }
      text += "\n"
    }
    var reasons: [String] = []
    for column in columns {
      guard let row = rows.first(where: { column.value($0.figures) == nil }) else { continue }
      let reason = "-: " + missing(column, row.figures) + "\n"
      if !reasons.contains(reason) { reasons.append(reason) }
    }
    return Self.withoutTrailingSpaces(text) + reasons.joined()
  }

  // MARK: - JSON

  /// One object per smoothing and line; a missing figure is null.
  var json: String {
    rows.map { smoothing, figures in
      let figures = FeelColumn.all.map { column in
        let value = column.value(figures).map { Figures.fixed($0, 4) } ?? "null"
        return "\"\(column.short)\":\(value)"
      }
      return "{\"smoothing\":\"\(smoothing.text)\",\"mode\":\"\(settings.mode.rawValue)\","
        + "\"scale\":[\(SettingText.text(scale.x)),\(SettingText.text(scale.y))],"
        + figures.joined(separator: ",") + "}\n"
    }.joined()
  }

  // MARK: - Text

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func aligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }

  private static func withoutTrailingSpaces(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}
