// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig
import ParallaxMotion
import Testing

@Suite("Keys of the schema")
struct KeyTests {
  /// A value of a key in TOML, other than its default, with a check of the configuration.
  struct Example: Sendable, CustomTestStringConvertible {
    let path: String
    let toml: String
    let holds: @Sendable (Configuration) -> Bool
    var testDescription: String { "\(path) = \(toml)" }
  }

  static let quarterTurn = "0,1,0;-1,0,0;0,0,1"

  static let examples: [Example] = [
    Example(path: "source.kind", toml: "\"synthetic:7\"") { $0.source.kind == .synthetic(seed: 7) },
    Example(path: "source.device", toml: "\"gyro_3d\"") { $0.source.device == "gyro_3d" },
    Example(path: "source.uri", toml: "\"xml:a.xml\"") { $0.source.uri == "xml:a.xml" },
    Example(path: "source.trace", toml: "\"walk.csv\"") { $0.source.trace == "walk.csv" },
    Example(path: "source.loop", toml: "true") { $0.source.loops },
    Example(path: "sampling.rate", toml: "60") { $0.motion.frameRate == .hertz(60) },
    Example(path: "sampling.rate", toml: "12.5") { $0.motion.frameRate == .hertz(12.5) },
    Example(path: "sampling.rate", toml: "\"native\"") { $0.motion.frameRate == .native },
    Example(path: "sampling.resample", toml: "\"hold\"") { $0.motion.resampling == .hold },
    Example(path: "sampling.oversample", toml: "4") { $0.sampling.oversample == 4 },
    Example(path: "motion.mode", toml: "\"tilt\"") { $0.motion.mode == .tilt },
    Example(path: "motion.recenter", toml: "2") { $0.motion.recenterSeconds == 2 },
    Example(path: "motion.bias", toml: "\"on\"") { $0.motion.estimatesBias == true },
    Example(path: "motion.bias", toml: "\"off\"") { $0.motion.estimatesBias == false },
    Example(path: "motion.scale", toml: "10") { $0.motion.scale == PixelScale(x: 10, y: 10) },
    Example(path: "motion.scale", toml: "\"10,-14.5\"") {
      $0.motion.scale == PixelScale(x: 10, y: -14.5)
    },
    Example(path: "motion.range-x", toml: "\"-3:7.5\"") {
      ($0.motion.rangeX.low, $0.motion.rangeX.high) == (-3, 7.5)
    },
    Example(path: "motion.range-y", toml: "\"0:2\"") {
      ($0.motion.rangeY.low, $0.motion.rangeY.high) == (0, 2)
    },
    Example(path: "motion.smoothing", toml: "\"none\"") { $0.motion.smoothing == Smoothing.none },
    Example(path: "motion.smoothing", toml: "\"ema:0.12\"") {
      $0.motion.smoothing == .ema(timeConstantSeconds: 0.12)
    },
    Example(path: "motion.smoothing", toml: "\"one-euro:1,0.2,2\"") {
      $0.motion.smoothing
        == .oneEuro(
          OneEuroParameters(
            minimumCutoffHertz: 1, betaX: 0.2, betaY: 0.2, derivativeCutoffHertz: 2))
    },
    Example(path: "motion.smoothing", toml: "\"spring:0.5,0.825\"") {
      $0.motion.smoothing == .spring(responseSeconds: 0.5, damping: 0.825)
    },
    Example(path: "motion.mount-matrix", toml: "\"\(quarterTurn)\"") {
      $0.motion.mountMatrix?.rowMajor == [0, 1, 0, -1, 0, 0, 0, 0, 1]
    },
    Example(path: "orientation.source", toml: "\"left-up\"") { $0.orientation.source == .leftUp },
    Example(path: "orientation.panel", toml: "\"right-up\"") { $0.orientation.panel == .rightUp },
    Example(path: "gates.reduce-motion", toml: "\"on\"") { $0.gates.reduceMotion == .on },
    Example(path: "gates.low-power", toml: "\"off\"") { $0.gates.lowPower == .off },
    Example(path: "gates.reduced", toml: "\"subtle\"") { $0.gates.reduced == .subtle },
    Example(path: "gates.subtle-gain", toml: "0.5") { $0.gates.subtleGain == 0.5 },
    Example(path: "gates.fade", toml: "1") { $0.motion.fadeSeconds == 1 },
    Example(path: "animations.directory", toml: "\"/srv/a\"") {
      $0.animations.directory == "/srv/a"
    },
    Example(path: "animations.url", toml: "\"https://example.org/a\"") {
      $0.animations.url == "https://example.org/a"
    },
    Example(path: "animations.on-connect", toml: "\"intro\"") {
      $0.animations.onConnect == "intro"
    },
    Example(path: "animations.idle", toml: "\"breathe.v2\"") { $0.animations.idle == "breathe.v2" },
    Example(path: "socket.path", toml: "\"/tmp/s.sock\"") { $0.socket.path == "/tmp/s.sock" },
    Example(path: "socket.control", toml: "\"c.sock\"") { $0.socket.control == "c.sock" },
    Example(path: "socket.access", toml: "\"group\"") { $0.socket.access == .group },
    Example(path: "socket.control-users", toml: "\"alice,1001\"") {
      $0.socket.controlUsers == ["alice", "1001"]
    },
    Example(path: "socket.seat", toml: "\"seat-usb_1\"") { $0.socket.seat == "seat-usb_1" },
    Example(path: "socket.control-group", toml: "\"video\"") { $0.socket.controlGroup == "video" },
    Example(path: "socket.max-subscribers", toml: "2") { $0.socket.maxSubscribers == 2 },
    Example(path: "socket.max-per-uid", toml: "1") { $0.socket.maxPerUser == 1 },
  ]

  @Test func everyKeyHasAnExample() {
    #expect(Set(Self.examples.map(\.path)) == Set(ConfigSchema.keys.map(\.path)))
  }

  @Test(arguments: examples)
  func fileSetsValue(_ example: Example) throws {
    let (table, name) = split(example.path)
    let loaded = try load("[\(table)]\n\(name) = \(example.toml)\n")
    #expect(example.holds(loaded.configuration))
    #expect(loaded.configuration != Configuration())
    #expect(
      loaded.origins[example.path]
        == .file(path: "p.toml", position: TextPosition(line: 2, column: name.count + 4)))
  }

  @Test(arguments: examples)
  func commandLineSetsValue(_ example: Example) throws {
    let text = example.toml.filter { $0 != "\"" }
    let loaded = try load(set: ["\(example.path)=\(text)"])
    #expect(example.holds(loaded.configuration))
    #expect(loaded.origins == [example.path: .assignment])
  }

  @Test(arguments: examples)
  func renderedConfigurationLoadsTheSame(_ example: Example) throws {
    let (table, name) = split(example.path)
    let loaded = try load("[\(table)]\n\(name) = \(example.toml)\n")
    let shown = loaded.toml()
    #expect(try load(shown).configuration == loaded.configuration)
    let line = try #require(shown.split(separator: "\n").first { $0.hasSuffix("# p.toml:2") })
    #expect(line.hasPrefix("\(name) = "))
  }

  @Test(arguments: ConfigSchema.keys)
  func wrongTypeIsRefusedAtItsPosition(_ key: SettingKey) {
    for value in ["[1, 2]", "{ a = 1 }", "1979-05-27"] {
      let lines = errors(in: "[\(key.table)]\n  \(key.name) = \(value)\n")
      #expect(lines.count == 1)
      #expect(lines[0].hasPrefix("p.toml:2:\(key.name.count + 6): \(key.path): "), "\(lines)")
      #expect(lines[0].contains(key.allowed), "\(lines)")
    }
  }

  @Test(
    arguments: [
      ("source.kind", "\"gyro\""), ("source.kind", "\"synthetic:-1\""), ("source.kind", "\"\""),
      ("source.kind", "\"trace\""), ("source.kind", "\"synthetic:1.5\""),
      ("source.uri", "\"nowhere\""), ("source.trace", "\"~/walk.csv\""),
      ("source.device", "\"a\\u0007\""), ("source.loop", "\"true\""), ("source.loop", "1"),
      ("sampling.rate", "0"), ("sampling.rate", "-30"), ("sampling.rate", "1001"),
      ("sampling.rate", "nan"), ("sampling.rate", "inf"), ("sampling.rate", "\"30\""),
      ("sampling.rate", "\"fast\""), ("sampling.resample", "\"cubic\""),
      ("sampling.oversample", "0"), ("sampling.oversample", "65"), ("sampling.oversample", "1.5"),
      ("sampling.oversample", "\"4\""), ("motion.mode", "\"Tilt\""), ("motion.recenter", "0"),
      ("motion.recenter", "-inf"), ("motion.recenter", "\"4\""), ("motion.recenter", "true"),
      ("motion.bias", "true"), ("motion.bias", "\"maybe\""), ("motion.scale", "nan"),
      ("motion.scale", "1e300"), ("motion.scale", "\"1,2,3\""), ("motion.scale", "\"5\""),
      ("motion.scale", "\"inf,1\""), ("motion.range-x", "\"5:-5\""), ("motion.range-x", "\"1:5\""),
      ("motion.range-x", "\"-5:-1\""), ("motion.range-x", "\"0:0\""), ("motion.range-x", "5"),
      ("motion.range-y", "\"-inf:inf\""), ("motion.range-y", "\"-5\""),
      ("motion.smoothing", "\"ema\""), ("motion.smoothing", "\"ema:0\""),
      ("motion.smoothing", "\"one-euro:1\""), ("motion.smoothing", "\"spring:0.5,0\""),
      ("motion.smoothing", "\"spring:-1\""), ("motion.smoothing", "\"\""),
      ("motion.mount-matrix", "\"1,0,0;0,1,0;0,0,-1\""),
      ("motion.mount-matrix", "\"1,0,0;0,1,0;0,0,1.1\""),
      ("motion.mount-matrix", "\"1,0,0;0,1,0\""),
      ("motion.mount-matrix", "\"nan,0,0;0,1,0;0,0,1\""),
      ("orientation.source", "\"up\""), ("orientation.panel", "\"auto\""),
      ("gates.reduce-motion", "\"yes\""), ("gates.low-power", "true"), ("gates.reduced", "\"off\""),
      ("gates.subtle-gain", "1.01"), ("gates.subtle-gain", "-0.1"), ("gates.fade", "-1"),
      ("gates.fade", "11"), ("animations.url", "\"ftp://a\""), ("animations.url", "\"https://\""),
      ("animations.on-connect", "\"a/b\""), ("animations.idle", "\"..\""),
      ("animations.directory", "3"), ("socket.path", "\"/run/\""), ("socket.path", "\"a\\u0000b\""),
      ("socket.access", "\"everyone\""), ("socket.control-users", "\"alice bob\""),
      ("socket.control-users", "\"4294967296\""), ("socket.control-group", "\"-x\""),
      ("socket.max-subscribers", "0"), ("socket.max-subscribers", "4097"),
      ("socket.max-subscribers", "10.0"), ("socket.max-per-uid", "-1"),
      ("layers.bg", "10.5"), ("layers.bg", "nan"), ("layers.bg", "\"1\""), ("layers.bg", "true"),
    ])
  func invalidValueIsRefusedAtItsPosition(path: String, value: String) {
    let (table, name) = split(path)
    let lines = errors(in: "[\(table)]\n\(name) = \(value)\n")
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("p.toml:2:\(name.count + 4): \(path): ") == true, "\(lines)")
  }

  @Test(
    arguments: [
      ("sampling.resample", "auto"), ("sampling.oversample", "auto"), ("motion.bias", "auto"),
      ("motion.scale", "auto"), ("motion.smoothing", "auto"), ("motion.mount-matrix", "auto"),
      ("orientation.source", "auto"), ("source.device", ""), ("source.uri", ""),
      ("source.trace", ""), ("socket.path", ""), ("socket.control", ""),
      ("socket.control-users", ""), ("socket.control-group", ""), ("animations.directory", ""),
      ("animations.url", ""), ("animations.on-connect", ""), ("animations.idle", ""),
    ])
  func autoAndEmptyEqualAnAbsentKey(path: String, word: String) throws {
    let (table, name) = split(path)
    let loaded = try load("[\(table)]\n\(name) = \"\(word)\"\n")
    #expect(loaded.configuration == Configuration())
    #expect(try load(set: ["\(path)=\(word)"]).configuration == Configuration())
  }

  @Test func defaults() {
    let built = Configuration()
    #expect(built.source.kind == .gyroscope)
    #expect(built.motion == MotionSettings())
    #expect(built.motion.frameRate == .hertz(30))
    #expect(built.motion.recenterSeconds == 4)
    #expect(built.motion.fadeSeconds == 0.3)
    #expect(built.motion.resolvedScale == PixelScale(x: 5, y: 5))
    #expect((built.motion.rangeX.low, built.motion.rangeX.high) == (-5, 5))
    #expect(built.gates.subtleGain == 0.25)
    #expect(built.gates.reducedGain == 0)
    #expect(built.socket.access == .session)
    #expect((built.socket.maxSubscribers, built.socket.maxPerUser) == (256, 32))
    #expect(built.layers == .none)
  }

  private func split(_ path: String) -> (table: String, name: String) {
    let parts = path.split(separator: ".")
    return (String(parts[0]), String(parts[1]))
  }
}
