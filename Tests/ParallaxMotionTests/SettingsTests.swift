// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxMotion
import Testing

/// The text forms of settings.
@Suite struct SettingsTests {
  @Test func smoothings() throws {
    #expect(try Smoothing(parsing: "none") == .none)
    #expect(try Smoothing(parsing: "ema:0.12") == .ema(timeConstantSeconds: 0.12))
    #expect(
      try Smoothing(parsing: "one-euro:1.0,0.02")
        == .oneEuro(
          OneEuroParameters(
            minimumCutoffHertz: 1, betaX: 0.02, betaY: 0.02, derivativeCutoffHertz: 1)))
    #expect(try Smoothing(parsing: "spring:0.5") == .spring(responseSeconds: 0.5, damping: 1))
    #expect(
      try Smoothing(parsing: "spring:0.5, 0.825") == .spring(responseSeconds: 0.5, damping: 0.825))
  }

  @Test(arguments: [
    "", "None", "none:", "none:1", "ema", "ema:", "ema:0", "ema:-1", "ema:nan", "ema:1e9",
    "ema:1,2",
    "one-euro:1", "one-euro:1,2,3,4", "one-euro:0,1", "spring:", "spring:0.5,0", "kalman:1",
  ])
  func errorsOfSmoothingsListWhatIsAllowed(text: String) {
    let error = #expect(throws: SettingError.self) { try Smoothing(parsing: text) }
    let message = error?.message ?? ""
    #expect(
      message.contains("spring:RESPONSE") || message.contains("is out of range; use "), "\(message)"
    )
  }

  @Test func scalesAndRanges() throws {
    #expect(try PixelScale(parsing: "12") == PixelScale(x: 12, y: 12))
    #expect(try PixelScale(parsing: "-10,14") == PixelScale(x: -10, y: 14))
    #expect(try PixelRange(parsing: "-12:8").reach == 12)
    #expect(try PixelRange(parsing: "0:8").low == 0)
    for text in ["", ",", "1,2,3", "x", "inf", "1e7"] {
      #expect(throws: SettingError.self) { try PixelScale(parsing: text) }
    }
    for text in ["", "5", "1:5", "-5:-1", "0:0", "5:-5", "-5:5:6", "nan:1", "-inf:5"] {
      #expect(throws: SettingError.self) { try PixelRange(parsing: text) }
    }
  }

  @Test func shareOfTheRange() throws {
    let range = try PixelRange(parsing: "-10:5")
    #expect(range.normalized(5) == 1)
    #expect(range.normalized(-10) == -1)
    #expect(range.normalized(-2.5) == -0.25)
    #expect(try PixelRange(parsing: "0:5").normalized(-1) == 0)
    #expect(try PixelRange(parsing: "-5:0").normalized(0) == 0)
  }

  @Test func layers() throws {
    let set = try LayerSet(parsing: "bg=0.2,fg=-1")
    #expect(set.layers.map(\.name) == ["bg", "fg"])
    #expect(set.layers.map(\.depth) == [0.2, -1])
    #expect(try LayerSet(parsing: "") == .none)
    let seventeen = (0..<17).map { "l\($0)=1" }.joined(separator: ",")
    for text in ["bg", "=1", "bg=", "bg=11", "bg=1,bg=2", "b g=1", "b\"g=1", seventeen] {
      #expect(throws: SettingError.self) { try LayerSet(parsing: text) }
    }
  }

  @Test func rates() throws {
    #expect(try FrameRate(parsing: "native") == .native)
    #expect(try FrameRate(parsing: "60") == .hertz(60))
    for text in ["0", "-1", "1e4", "fast", "", "0x10"] {
      #expect(throws: SettingError.self) { try FrameRate(parsing: text) }
    }
    #expect(throws: SettingError.self) { try Orientation(parsing: "up") }
  }

  /// Each text form, and the form of the value it parses to.
  @Test(arguments: [
    ("auto", "auto"), ("auto:calm", "auto:calm"), ("none", "none"), ("ema:0.120", "ema:0.12"),
    ("ema:1", "ema:1"),
    ("one-euro:1,0.2", "one-euro:1,0.2,1"), ("one-euro:1,0,2.5", "one-euro:1,0,2.5"),
    ("spring:0.5", "spring:0.5,1"), ("spring:0.5,0.825", "spring:0.5,0.825"),
  ])
  func smoothingsAsText(written: String, text: String) throws {
    let smoothing = try Smoothing(parsing: written)
    #expect(smoothing.text == text)
    #expect(try Smoothing(parsing: text) == smoothing)
    let forms = Smoothing.forms.map { $0.prefix { $0 != ":" && $0 != "[" } }
    #expect(forms.contains(text.prefix { $0 != ":" }))
  }

  @Test(arguments: [
    ("0, 1, 0; -1, 0, 0; 0, 0, 1", "0,1,0;-1,0,0;0,0,1"),
    ("0.71,-0.71,-0;0.71,0.71,0;0,0,1", "0.71,-0.71,0;0.71,0.71,0;0,0,1"),
  ])
  func mountMatricesAsText(written: String, text: String) throws {
    let matrix = try MountMatrix(parsing: written)
    #expect(matrix.text == text)
    #expect(try MountMatrix(parsing: text) == matrix)
    #expect(try AccelMatrix(parsing: written).text == text)
    #expect(
      MountMatrix.identity.text(number: \.description) == "1.0,0.0,0.0;0.0,1.0,0.0;0.0,0.0,1.0")
  }

  @Test(arguments: [
    ("off", BiasState.off, "off"), ("off,0,0,0", .off, "off"), ("auto", .auto(nil), "auto"),
    (" auto , 0.1,-2,3e-3", .auto(AngularRate(x: 0.1, y: -2, z: 3e-3)), "auto,0.1,-2,0.003"),
  ])
  func biasAsText(written: String, state: BiasState, text: String) throws {
    #expect(try BiasState(parsing: written) == state)
    #expect(state.text == text)
    #expect(try BiasState(parsing: text) == state)
  }

  @Test(arguments: ["", "on", "auto,1,2", "auto,1,2,x", "off,0", "auto,1,2,nan"])
  func wrongBiasIsRefused(text: String) {
    #expect(throws: SettingError.self) { try BiasState(parsing: text) }
  }

  @Test func scalesRangesAndRatesAsText() throws {
    for text in ["5", "10,-14.25", "0"] { #expect(try PixelScale(parsing: text).text == text) }
    for text in ["-5:5", "0:2.5"] { #expect(try PixelRange(parsing: text).text == text) }
    for text in ["native", "30", "12.5"] { #expect(try FrameRate(parsing: text).text == text) }
  }

  @Test func defaultsFollowTheMode() {
    var settings = MotionSettings()
    #expect(settings.resolvedScale == PixelScale(x: 5, y: 5))
    settings.mode = .tilt
    #expect(settings.resolvedScale == PixelScale(x: 14.3, y: 14.3))
    #expect(settings.smoothing == .auto(.normal))
  }
}
