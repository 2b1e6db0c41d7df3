// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol

/// Settings that belong together, to begin with.
struct Preset: Sendable {
  let name: String
  let settings: [SetRequest]

  /// In the order of the page. Each sets the same keys, so that what was chosen before does not matter.
  static let all = [
    Preset("as configured", mode: nil, scale: nil, range: nil, recenter: nil, smoothing: "auto"),
    Preset(
      "card", mode: "rate", scale: 5, range: "-5:5", recenter: nil, smoothing: "auto:normal"),
    Preset(
      "deep", mode: "rate", scale: 12, range: "-15:15", recenter: nil, smoothing: "auto:normal"),
    Preset(
      "window", mode: "tilt", scale: 40, range: "-20:20", recenter: 3, smoothing: "auto:normal"),
    Preset(
      "in a vehicle", mode: "rate", scale: 5, range: "-5:5", recenter: nil,
      smoothing: "auto:calm"),
    Preset(
      "floating", mode: "rate", scale: 8, range: "-10:10", recenter: nil,
      smoothing: "spring:0.4,0.7"),
  ]

  /// nil: as configured.
  private init(
    _ name: String, mode: String?, scale: Double?, range: String?, recenter: Double?,
    smoothing: String
  ) {
    func text(_ key: String, _ value: String?) -> SetRequest {
      SetRequest(key: key, value: .text(value ?? "auto"))
    }
    func number(_ key: String, _ value: Double?) -> SetRequest {
      SetRequest(key: key, value: value.map { .number($0) } ?? .text("auto"))
    }
    self.name = name
    settings = [
      text("mode", mode), number("scale", scale), text("range-x", range), text("range-y", range),
      number("recenter", recenter), text("smoothing", smoothing),
    ]
  }
}
