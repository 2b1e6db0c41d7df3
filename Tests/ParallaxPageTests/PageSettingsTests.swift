// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import ParallaxBase
import ParallaxConfig
import ParallaxMotion
import ParallaxProtocol
import Testing

@testable import ParallaxPage

/// A status with these settings.
private func status(
  _ settings: [SetRequest], overrides: [String] = []
) -> StatusMessage {
  StatusMessage(
    release: "1.2.3", uptime: .seconds(1),
    device: DeviceMessage(
      driver: "synthetic", name: "seed 1", state: .idle, rateHertz: nil, reason: nil),
    measuredRateHertz: nil, gate: GateMessage(open: true, gain: 1, reasons: []),
    orientation: .normal, orientationSource: .builtIn,
    bias: .init(isAuto: true, estimate: nil), subscribers: 0, frames: 0, drops: .init(),
    latency: .none(reason: "no frame"), settings: settings, overrides: overrides)
}

/// What the page reads.
private struct Answer: Decodable {
  struct Setting: Decodable {
    let key: String
    let kind: String
    let changed: Bool
    let minimum: Double?
    let maximum: Double?
    let slider: [Double]?
    let values: [String]?
    let unit: String?
    let help: String
    let allowed: String
  }

  let settings: [Setting]
  let configuration: String
  let writable: Bool
  let release: String

  func setting(_ key: String) throws -> Setting {
    try #require(settings.first { $0.key == key })
  }
}

private func answer(_ status: StatusMessage, isWritable: Bool = true) throws -> Answer {
  try JSONDecoder().decode(
    Answer.self,
    from: Data(PageSettings.json(status, file: "~/a \"b\".toml", isWritable: isWritable)))
}

@Suite struct PageSettingsTests {
  @Test func everyKeyOfSETHasAControl() throws {
    let answer = try answer(status([]))
    #expect(answer.settings.map(\.key) == SetChange.settings.map(\.name))
    #expect(Set(answer.settings.map(\.kind)) == ["number", "choice", "range", "text"])
    for setting in answer.settings {
      #expect(!setting.help.isEmpty && !setting.allowed.isEmpty)
      if setting.kind == "choice" { #expect((setting.values ?? []).count > 1) }
    }
    #expect(answer.configuration == "~/a \"b\".toml")
    #expect(answer.writable)
    #expect(answer.release == "1.2.3")
  }

  @Test func numbersHaveBoundsAndASlider() throws {
    let scale = try answer(status([])).setting("scale")
    #expect(scale.minimum == -1e6 && scale.maximum == 1e6)
    #expect(scale.slider == [0, 100])
    #expect(scale.values == ["auto"])
    #expect(scale.unit?.hasPrefix("px per rad/s") == true)
    let recenter = try answer(status([])).setting("recenter")
    #expect(recenter.slider == [0.05, 3_600])
  }

  /// A slider's words and the examples are values that SET takes.
  @Test func offeredValuesAreTaken() throws {
    for setting in try answer(status([])).settings {
      for value in setting.values ?? [] {
        #expect(throws: Never.self) { try SetChange(key: setting.key, value: .text(value)) }
      }
    }
  }

  @Test func presetsAreTaken() throws {
    for setting in Preset.all.flatMap(\.settings) {
      #expect(throws: Never.self) {
        try SetChange(
          key: setting.key, value: .text(setting.value.text))
      }
    }
  }

  @Test func changedSettingsAreMarked() throws {
    let changed = status(
      [
        SetRequest(key: "scale", value: .number(7)),
        SetRequest(key: "mode", value: .text("tilt")),
      ], overrides: ["scale"])
    let text = String(
      decoding: PageSettings.json(changed, file: "f", isWritable: false), as: UTF8.self)
    #expect(text.contains("\"value\":7,\"filed\":null,\"changed\":true,\"default\":14.3"))
    #expect(text.contains("\"value\":\"tilt\",\"filed\":\"tilt\",\"changed\":false"))
    #expect(text.contains("\"writable\":false"))
  }
}
