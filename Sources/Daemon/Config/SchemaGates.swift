// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

extension ConfigSchema {
  static let gates = SettingTable(
    name: "gates",
    summary: """
      What reduces or stops motion: accessibility settings and low power. A closed gate fades \
      the picture to its center, ends the stream and switches the sensor off.
      """,
    keys: [
      gatesReduceMotion,
      gatesLowPower,
      gatesReduced,
      gatesSubtleGain,
      gatesFade,
    ])

  private static var gatesReduceMotion: SettingKey {
    .choice(
      ("gates", "reduce-motion"),
      SettingProperty({ $0.gates.reduceMotion }, { $0.gates.reduceMotion = $1 }),
      "Whether motion is reduced.",
      effects: [
        "\"auto\"": "If the desktop's accessibility settings ask for it.",
        "\"on\"": "Always.",
        "\"off\"": "Never.",
      ])
  }

  private static var gatesLowPower: SettingKey {
    .choice(
      ("gates", "low-power"), SettingProperty({ $0.gates.lowPower }, { $0.gates.lowPower = $1 }),
      "Whether motion stops to save power.",
      effects: [
        "\"auto\"": """
        In the power profile "power-saver"; without profiles, at the battery's low warning.
        """,
        "\"on\"": "Always.", "\"off\"": "Never.",
      ])
  }

  private static var gatesReduced: SettingKey {
    .choice(
      ("gates", "reduced"), SettingProperty({ $0.gates.reduced }, { $0.gates.reduced = $1 }),
      "Motion that remains when motion is reduced.",
      effects: [
        "\"still\"": "None.", "\"subtle\"": "The share subtle-gain of it.",
      ])
  }

  private static var gatesSubtleGain: SettingKey {
    .number(
      ("gates", "subtle-gain"),
      SettingProperty({ $0.gates.subtleGain }, { $0.gates.subtleGain = $1 }), in: 0...1,
      unit: "none (a share)",
      "Share of the motion that reduced = \"subtle\" leaves.",
      effects: ["Up": "More motion; 1 reduces nothing.", "Down": "Less motion; 0 is none."])
  }

  private static var gatesFade: SettingKey {
    .number(
      ("gates", "fade"),
      SettingProperty({ $0.motion.fadeSeconds }, { $0.motion.fadeSeconds = $1 }),
      in: MotionSettings.fadeRange, unit: "s",
      "Duration of a gate's opening or closing, of a turn of the screen and of recentering.",
      effects: ["Up": "Gentler.", "Down": "Quicker; 0 jumps."])
  }
}
