// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxConfig
import ParallaxMotion
import Testing

@Suite("Settings that can be changed")
struct SetChangeTests {
  /// The configuration's settings of motion after a SET.
  private func motion(_ key: String, _ value: SettingValue) throws -> MotionSettings {
    guard case .setting(let setting) = try SetChange(key: key, value: value) else {
      return MotionSettings()
    }
    var overrides = SettingOverrides()
    overrides.set(setting)
    return overrides.applied(to: Configuration()).motion
  }

  private typealias Shows = @Sendable (MotionSettings) -> Bool
  private struct Case: Sendable {
    var key: String
    var value: SettingValue
    var shows: Shows

    init(_ key: String, _ value: SettingValue, _ shows: @escaping Shows) {
      self.key = key
      self.value = value
      self.shows = shows
    }
  }

  /// Key, value and where it shows. A text may be a number, as from the command line.
  private static let cases: [Case] = [
    Case("rate", .integer(60), { $0.frameRate == .hertz(60) }),
    Case("rate", .text("native"), { $0.frameRate == .native }),
    Case("sampling.rate", .text("12.5"), { $0.frameRate == .hertz(12.5) }),
    Case("mode", .text("tilt"), { $0.mode == .tilt }),
    Case("recenter", .float(1.5), { $0.recenterSeconds == 1.5 }),
    Case("bias", .text("on"), { $0.estimatesBias == true }),
    Case("scale", .integer(8), { $0.scale == PixelScale(x: 8, y: 8) }),
    Case("scale", .text("5.0,-14.25"), { $0.scale == PixelScale(x: 5, y: -14.25) }),
    Case("range-x", .text("-20:20"), { $0.rangeX.text == "-20:20" }),
    Case("motion.range-y", .text("0:3"), { $0.rangeY.text == "0:3" }),
    Case("smoothing", .text("ema:0.12"), { $0.smoothing == .ema(timeConstantSeconds: 0.12) }),
    Case("smoothing", .text("auto:normal"), { $0.smoothing == .auto(.normal) }),
    Case("mount-matrix", .text("0,1,0;-1,0,0;0,0,1"), { $0.mountMatrix != nil }),
  ]

  @Test(arguments: cases.indices)
  func valueIsRead(index: Int) throws {
    let setting = Self.cases[index]
    // auto:normal is the default, too.
    #expect(!setting.shows(MotionSettings()) || setting.value == .text("auto:normal"))
    #expect(setting.shows(try motion(setting.key, setting.value)))
  }

  @Test func autoGoesBackToTheConfiguration() throws {
    var configured = Configuration()
    configured.motion.smoothing = .ema(timeConstantSeconds: 1)
    var overrides = SettingOverrides()
    for value in ["none", "auto:normal", "auto"] {
      switch try SetChange(key: "smoothing", value: .text(value)) {
      case .setting(let setting): overrides.set(setting)
      case .configured(let key): overrides.remove(key)
      default: throw SettingError("\(value) does not set a key of the configuration")
      }
      let expected: Smoothing =
        switch value {
        case "none": .none
        case "auto:normal": .auto(.normal)
        default: .ema(timeConstantSeconds: 1)
        }
      #expect(overrides.applied(to: configured).motion.smoothing == expected)
      #expect(overrides.keys.map(\.name) == (value == "auto" ? [] : ["smoothing"]))
    }
    #expect(overrides.keys.isEmpty)
  }

  @Test func switchesAndOrientations() throws {
    func text(_ key: String, _ value: SettingValue) throws -> String {
      switch try SetChange(key: key, value: value) {
      case .reduceMotion(let gate): "reduce-motion \(gate)"
      case .lowPower(let gate): "low-power \(gate)"
      case .orientation(let orientation): "orientation \(orientation?.rawValue ?? "auto")"
      case .paused(let flag): "paused \(flag)"
      case .setting(let setting): setting.key.path
      case .configured(let key): "\(key.path) as configured"
      }
    }
    #expect(try text("reduce-motion", .text("auto")) == "reduce-motion auto")
    #expect(try text("reduce-motion", .boolean(true)) == "reduce-motion on")
    #expect(try text("low-power", .text("off")) == "low-power off")
    #expect(try text("orientation", .text("right-up")) == "orientation right-up")
    #expect(try text("orientation", .text("auto")) == "orientation auto")
    #expect(try text("paused", .boolean(false)) == "paused false")
    #expect(try text("paused", .text("on")) == "paused true")
  }

  /// Key, value and a part of the error message.
  @Test(
    arguments: [
      ("volume", "1", "use one of reduce-motion, low-power, orientation, paused, rate, mode"),
      ("scael", "1", "did you mean scale?"), ("reduce-motion", "maybe", "use auto, on or off"),
      ("paused", "auto", "use on or off"), ("paused", "", "use on or off"),
      ("orientation", "up", "right-up"), ("scale", "wide", "'wide'"),
      ("smoothing", "ema", "ema:TAU"), ("recenter", "0", "recenter: '0' is out of range"),
      ("source.kind", "iio", "it selects the source of motion"),
      ("resample", "mean", "sampling.resample cannot be set"),
      ("panel", "normal", "it describes how the device is built"),
      ("subtle-gain", "1", "only reduce-motion and low-power"),
      ("on-connect", "hello", "where animations come from"),
      ("access", "all", "it decides who may connect; change it in the configuration, then run"),
      ("socket.path", "/x", "then restart the daemon"),
    ])
  func errorSaysWhy(key: String, value: String, part: String) {
    let error = #expect(throws: SettingError.self) {
      try SetChange(key: key, value: .text(value))
    }
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "no error")")
  }

  /// Completion and help offer these words.
  @Test func everyKeyTakesItsWords() throws {
    #expect(SetChange.key("smoothing")?.words.prefix(4) == ["auto", "auto:calm", "none", "ema:"])
    #expect(SetChange.key("paused")?.words == ["on", "off"])
    #expect(SetChange.key("volume") == nil)
    for key in SetChange.keys {
      #expect(key.name == "paused" || key.words.contains("auto"))
      for word in key.words where word.last != ":" {
        #expect(throws: Never.self) { try SetChange(key: key.name, value: .text(word)) }
      }
    }
    for key in ConfigSchema.keys {
      for word in key.words where word.last != ":" {
        #expect(throws: Never.self) { try key.read(.text(word)) }
      }
    }
  }

  /// SET takes the values that STATUS shows.
  @Test func shownValuesAreRead() throws {
    for key in SetChange.settings {
      let value = key.value(in: Configuration())
      #expect(throws: Never.self) { try SetChange(key: key.name, value: value) }
    }
  }
}
