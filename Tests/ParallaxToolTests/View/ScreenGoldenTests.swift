// SPDX-License-Identifier: Apache-2.0

import Glibc
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
}
