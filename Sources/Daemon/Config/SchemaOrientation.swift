// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

extension ConfigSchema {
  static let orientation = SettingTable(
    name: "orientation",
    summary: "The screen's orientation. Motion to the right is to the right in all four.",
    keys: [
      orientationSource,
      orientationPanel,
    ])

  private static var orientationSource: SettingKey {
    .optional(
      ("orientation", "source"),
      SettingProperty({ $0.orientation.source }, { $0.orientation.source = $1 }), absent: "auto",
      "Orientation of the screen.",
      allowed: TomlText.alternatives(["auto"] + Orientation.allCases.map(\.rawValue)),
      defaultNote: """
        as reported by the session's agent, iio-sensor-proxy or the accelerometer; normal if \
        none of them does
        """,
      effects: [
        "An orientation": "Fixed. Only `parallax set orientation` overrides it."
      ],
      form: .choice(["auto"] + Orientation.allCases.map(\.rawValue)),
      parse: Orientation.init(parsing:), show: { $0.rawValue })
  }

  private static var orientationPanel: SettingKey {
    .choice(
      ("orientation", "panel"),
      SettingProperty({ $0.orientation.panel }, { $0.orientation.panel = $1 }),
      """
      How the panel is mounted in the device, if its upper edge is not the device's. The quarter \
      turns are added to those that "auto" finds.
      """,
      effects: [
        "\"left-up\"": """
        A portrait panel in a landscape device, its left edge up. If x and y are exchanged, use \
        this or "right-up"; if both run backwards, "bottom-up".
        """
      ])
  }
}
