// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxProtocol
import ParallaxTestSupport
@testable import ParallaxTool
import Testing

/// Screens as text, in `Golden`. `PARALLAX_RECORD=1 swift test --filter ScreenGolden` records them again.
@Suite struct ScreenGoldenTests {
  private static let folder = "\(TestEnvironment.packageRoot)/Tests/ParallaxToolTests/View/Golden"

  private func compare(_ grid: CellGrid, _ name: String) throws {
    let path = "\(Self.folder)/\(name).txt"
    if getenv("PARALLAX_RECORD") != nil {
      let file = try #require(fopen(path, "w"))
      fputs(grid.text, file)
      fclose(file)
    }
    #expect(grid.text == (try text(ofFile: path)), "\(name): \n\(grid.text)")
  }

  @Test(arguments: [(80, 24), (60, 18), (40, 12), (200, 60), (30, 8)])
  func watch(columns: Int, rows: Int) throws {
    let grid = WatchScreen.draw(
      ViewExample.model(), size: TerminalSize(columns: columns, rows: rows), ViewExample.unicode,
      at: ViewExample.end)
    try compare(grid, "watch-\(columns)x\(rows)")
  }

  /// `parallax demo` says what moves the card, where there is space.
  @Test(arguments: [(80, 24), (60, 18)])
  func demo(columns: Int, rows: Int) throws {
    let grid = WatchScreen.draw(
      ViewExample.model(),
      hints: ["The gyroscope moves the card: turn the device.", "second terminal:  . /tmp/env"],
      size: TerminalSize(columns: columns, rows: rows), ViewExample.unicode, at: ViewExample.end)
    try compare(grid, "demo-\(columns)x\(rows)")
  }

  @Test func watchWithoutUnicode() throws {
    let grid = WatchScreen.draw(
      ViewExample.model(), size: TerminalSize(columns: 80, rows: 24), ViewExample.ascii,
      at: ViewExample.end)
    var encoder = GridEncoder(ViewExample.ascii)
    #expect(encoder.encode(grid).allSatisfy { $0 < 0x80 })
    try compare(grid, "watch-80x24-ascii")
  }

  @Test(arguments: [(80, 24), (60, 18), (200, 60)])
  func tune(columns: Int, rows: Int) throws {
    var model = ViewExample.model()
    model.receive(
      ViewExample.status(
        ViewExample.standard.map { $0.0 == "smoothing" ? ($0.0, .text("spring:0.4,0.8")) : $0 },
        overrides: ["smoothing"]))
    var tune = TuneModel(file: "~/50-tune.toml")
    for key in [Key.down, .down, .down] { _ = tune.handle(key, model) }
    let grid = WatchScreen.draw(
      model, tune: tune, size: TerminalSize(columns: columns, rows: rows), ViewExample.unicode,
      at: ViewExample.end)
    try compare(grid, "tune-\(columns)x\(rows)")
  }

  @Test func help() throws {
    var model = ViewExample.model()
    model.isHelpShown = true
    let grid = WatchScreen.draw(
      model, size: TerminalSize(columns: 80, rows: 24), ViewExample.unicode, at: ViewExample.end)
    try compare(grid, "help-80x24")
  }

  /// The keys of the last line fit every width, while paused, too; quit and help are always there.
  @Test(arguments: 40...120) func everyKeyOfTheLastLineFits(columns: Int) {
    for isPaused in [false, true] {
      var model = ViewExample.model()
      if isPaused { model.receive(.gate(GateMessage(open: false, gain: 0, reasons: ["paused"]))) }
      for tune in [nil, TuneModel(file: "~/50-tune.toml")] {
        let line = lastLine(model, tune: tune, columns: columns)
        #expect(line.hasSuffix("? help  q quit"), "\(line)")
        if columns >= 80 { #expect(line.contains(isPaused ? "space resume" : "space pause")) }
      }
    }
  }

  private func lastLine(_ model: WatchModel, tune: TuneModel?, columns: Int) -> String {
    let text = WatchScreen.draw(
      model, tune: tune, size: TerminalSize(columns: columns, rows: 24), ViewExample.unicode,
      at: ViewExample.end
    ).text
    return text.split(separator: "\n").last.map(String.init) ?? ""
  }

  @Test(arguments: [(80, 24), (60, 18), (40, 14)])
  func tuneHelp(columns: Int, rows: Int) throws {
    var model = ViewExample.model()
    model.isHelpShown = true
    let grid = WatchScreen.draw(
      model, tune: TuneModel(file: "~/50-tune.toml"),
      size: TerminalSize(columns: columns, rows: rows), ViewExample.unicode, at: ViewExample.end)
    try compare(grid, "tune-help-\(columns)x\(rows)")
  }

  /// The line of a setting's effect is whole at 60 columns, and its value, too.
  @Test func everyEffectFits60Columns() {
    for smoothing in ["auto", "auto:calm", "none", "ema:0.1", "one-euro:1,0.1", "spring:0.4,0.8"] {
      for mode in ["rate", "tilt"] {
        var model = ViewExample.model()
        let changed = ["smoothing": smoothing, "mode": mode]
        model.receive(
          ViewExample.status(
            ViewExample.standard.map { setting in
              (setting.0, changed[setting.0].map { .text($0) } ?? setting.1)
            }))
        var tune = TuneModel(file: "~/50-tune.toml")
        for _ in TuneModel.lines(model) {
          let row = TuneModel.row(tune.selected, model)
          let text = WatchScreen.draw(
            model, tune: tune, size: TerminalSize(columns: 60, rows: 18), ViewExample.unicode,
            at: ViewExample.end
          ).text
          #expect(text.contains(row.help + " ") || text.contains(row.help + "│"), "\(row.help)")
          let values = [row.value, row.shortValue]
          #expect(values.contains { text.contains("‹ \($0) ›") }, "\(row.value)")
          _ = tune.handle(.down, model)
        }
      }
    }
  }

  /// The list of settings and the status line show the same bias, also between a key and the next STATUS.
  @Test(arguments: ["auto", "on", "off"]) func bothLinesAgreeOnTheBias(setting: String) {
    var model = ViewExample.model()
    model.request("bias", setting, at: ViewExample.end)
    let text = WatchScreen.draw(
      model, tune: TuneModel(file: "~/50-tune.toml"), size: TerminalSize(columns: 200, rows: 60),
      ViewExample.unicode, at: ViewExample.end
    ).text
    let estimate = setting == "off" ? "   release" : " 0.011 -0.002 0.004   release"
    #expect(text.contains("bias \(setting)\(estimate)"), "\(text)")
    #expect(text.contains("bias         \(setting) "), "\(text)")
  }
}
