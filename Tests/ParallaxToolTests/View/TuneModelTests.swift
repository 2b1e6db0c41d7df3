// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxProtocol
import ParallaxTestSupport
@testable import ParallaxTool
import Testing

@Suite struct TuneModelTests {
  /// A model with these settings instead of the standard ones.
  private func model(
    _ changes: [String: String] = [:], overrides: [String] = []
  ) -> WatchModel {
    var model = ViewExample.model()
    model.receive(
      ViewExample.status(
        ViewExample.standard.map { key, value in
          (key, changes[key].map { .text($0) } ?? value)
        }, overrides: overrides))
    return model
  }

  /// Presses keys and returns what they ask for, as `KEY VALUE`.
  private func press(_ keys: [Key], _ tune: inout TuneModel, _ model: WatchModel) -> [String] {
    keys.compactMap { key in
      switch tune.handle(key, model).action {
      case .set(let key, let value): "\(key) \(value)"
      case .write: "write"
      case nil: nil
      }
    }
  }

  /// The value after one step up and after one step down.
  @Test(
    arguments: [
      ("mode", [:], "mode tilt", "mode tilt"),
      ("strength", [:], "scale 6.3", "scale 4"),
      ("strength", ["scale": "10,-14"], "scale 13,-18", "scale 8,-11"),
      ("smoothing", [:], "smoothing auto:calm", "smoothing spring:0.5,0.825"),
      ("first", ["smoothing": "ema:0.12"], "smoothing ema:0.125", "smoothing ema:0.1"),
      (
        "first", ["smoothing": "one-euro:1,0.2"], "smoothing one-euro:1.25,0.2,1",
        "smoothing one-euro:0.8,0.2,1"
      ),
      (
        "second", ["smoothing": "one-euro:1,0.2,1"], "smoothing one-euro:1,0.25,1",
        "smoothing one-euro:1,0.16,1"
      ),
      (
        "second", ["smoothing": "spring:0.5"], "smoothing spring:0.5,1.25",
        "smoothing spring:0.5,0.8"
      ),
      ("rangeX", [:], "range-x -6:6", "range-x -4:4"),
      ("rangeY", ["range-y": "0:20"], "range-y 0:25", "range-y 0:15"),
      ("recenter", ["mode": "tilt"], "recenter 5", "recenter 3.2"),
      ("bias", [:], "bias off", "bias off"),
      ("rate", [:], "rate 45", "rate 24"),
    ] as [(String, [String: String], String, String)])
  func stepsOf(line: String, changes: [String: String], up: String, down: String) throws {
    let model = model(changes)
    var tune = TuneModel(file: "f")
    let lines = TuneModel.lines(model)
    let place = try #require(lines.firstIndex { $0.rawValue == line })
    _ = press(Array(repeating: .down, count: place), &tune, model)
    #expect(press([.right, .left], &tune, model) == [up, down])
  }

  @Test func theListHasWhatMatters() {
    #expect(!TuneModel.lines(model()).contains(.recenter))
    #expect(TuneModel.lines(model(["mode": "tilt"])).contains(.recenter))
    #expect(TuneModel.lines(model(["smoothing": "spring:0.4,0.8"])).contains(.second))
    #expect(!TuneModel.lines(model(["smoothing": "ema:0.4"])).contains(.second))
  }

  @Test func theCursorGoesAround() {
    var tune = TuneModel(file: "f")
    _ = press([.up], &tune, model())
    #expect(tune.selected == .rate)
    _ = press([.down, .character("j"), .character("k")], &tune, model())
    #expect(tune.selected == .mode)
  }

  @Test func undoGoesBackToWhatWasBefore() {
    var tune = TuneModel(file: "f")
    // Strength, first as configured, then changed.
    #expect(press([.down, .right], &tune, model()) == ["scale 6.3"])
    let changed = model(["scale": "6.3"], overrides: ["scale"])
    #expect(press([.right], &tune, changed) == ["scale 7.9"])
    let undone = [Key.character("u"), .character("u"), .character("u")]
    #expect(press(undone, &tune, changed) == ["scale 6.3", "scale auto"])
  }

  @Test func zeroIsTheConfiguredValue() {
    var tune = TuneModel(file: "f")
    #expect(press([.down, .character("0")], &tune, model()) == [])
    let changed = model(["scale": "6.3"], overrides: ["scale"])
    #expect(press([.backspace, .character("u")], &tune, changed) == ["scale auto", "scale 6.3"])
  }

  @Test func writingAsksOnce() {
    var tune = TuneModel(file: "~/50-tune.toml")
    #expect(press([.character("w")], &tune, model()) == [])
    #expect(tune.question == nil)
    let changed = model(["scale": "6.3"], overrides: ["scale"])
    _ = press([.character("w")], &tune, changed)
    #expect(tune.question == "write ~/50-tune.toml? y: yes, any other key: no")
    #expect(press([.character("n")], &tune, changed) == [])
    #expect(press([.character("w"), .character("y")], &tune, changed) == ["write"])
    #expect(tune.question == nil)
  }

  @Test func aKeyMayBePressedAgainBeforeTheAnswer() {
    var tune = TuneModel(file: "f")
    var model = model()
    _ = press([.down], &tune, model)
    for expected in ["scale 6.3", "scale 7.9", "scale 9.9"] {
      let asked = press([.right], &tune, model)
      #expect(asked == [expected])
      model.request("scale", String(expected.dropFirst(6)), at: ViewExample.end)
    }
    #expect(model.changedSettings.map(\.value) == ["9.9"])
    // A later STATUS is right, whatever was asked.
    model.receive(ViewExample.status(), at: ViewExample.end + .seconds(1))
    #expect(model.setting("scale") == "5" && model.changedSettings.isEmpty)
  }

  @Test func otherKeysAreTheViews() {
    var tune = TuneModel(file: "f")
    for key in [Key.character("q"), .character(" "), .character("?"), .character("c")] {
      #expect(!tune.handle(key, model()).isTaken)
    }
  }
}
