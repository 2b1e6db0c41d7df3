// SPDX-License-Identifier: Apache-2.0

extension ConfigSchema {
  static let source = SettingTable(
    name: "source",
    summary: "The source of motion.",
    keys: [
      sourceKind,
      sourceDevice,
      sourceUri,
      sourceTrace,
      sourceLoop,
    ])

  private static var sourceKind: SettingKey {
    .parsed(
      ("source", "kind"), SettingProperty({ $0.source.kind }, { $0.source.kind = $1 }),
      "Kind of source.",
      allowed:
        "\"gyroscope\", \"iio\", \"evdev\", \"feed\", \"trace\", \"synthetic\", \"synthetic:SEED\" or "
        + "\"auto\"",
      effects: [
        "\"gyroscope\"":
          """
        A program's samples while one sends them (a phone, `parallax feed`), else a sensor of \
        this machine, else a game controller. Without any of them, the daemon waits.
        """,
        "\"iio\"": "Only a sensor of this machine. Without one, the daemon waits for it.",
        "\"evdev\"":
          "Only the gyroscope of a game controller. Without one, the daemon waits for it.",
        "\"feed\"": """
        Only the samples that a program sends, such as `parallax feed`. Without one, the daemon waits for it.
        """,
        "\"trace\"": """
        A recording, the file in the key trace. It plays from its start when the first client \
        subscribes.
        """,
        "\"synthetic\"": """
        Endless, smooth, hand-like motion, always the same. "synthetic:7" is another one.
        """,
        "\"auto\"":
          """
        As "gyroscope", but with synthetic motion until there is one.
        """,
      ],
      form: .text(words: [
        "gyroscope", "iio", "evdev", "feed", "trace", "synthetic", "synthetic:", "auto",
      ]),
      parse: SourceKind.init(parsing:), show: { $0.text })
  }

  private static var sourceDevice: SettingKey {
    .optional(
      ("source", "device"), SettingProperty({ $0.source.device }, { $0.source.device = $1 }),
      absent: "",
      "Gyroscope to use if there are several.",
      allowed: "a name or an id from the list of `parallax devices`, as in \"gyro_3d\", or \"\"",
      defaultNote: "the best one found",
      effects: [
        "A name": "Only that gyroscope is used. The daemon waits for it."
      ],
      parse: SettingGrammar.plainText, show: { $0 })
  }

  private static var sourceUri: SettingKey {
    .optional(
      ("source", "uri"), SettingProperty({ $0.source.uri }, { $0.source.uri = $1 }), absent: "",
      "libiio context of the gyroscope, as in ip:192.168.1.2.",
      allowed: "a libiio URI, as in \"local:\", \"xml:FILE\" or \"ip:HOST\", or \"\"",
      defaultNote: "this machine's own, \"local:\"",
      effects: [
        "\"xml:FILE\"": "A saved context, for experiments.",
        "\"ip:HOST\"":
          """
        The sensors of another machine, through iiod; with "usb:" or "serial:", of a board. \
        Only for `parallax run`: the installed service may not use the network.
        """,
      ],
      form: .text(words: ["local:", "xml:", "ip:"]),
      parse: SettingGrammar.uri, show: { $0 })
  }

  private static var sourceTrace: SettingKey {
    .optional(
      ("source", "trace"), SettingProperty({ $0.source.trace }, { $0.source.trace = $1 }),
      absent: "",
      "Recording for kind = \"trace\", in any format that `parallax replay` reads.",
      allowed: "a file's path, as in \"/var/lib/parallax/walk.csv\", or \"\"",
      defaultNote: "none; kind = \"trace\" requires one",
      effects: [
        "A path": "A relative path starts at the folder in which the daemon was started."
      ],
      parse: SettingGrammar.path, show: { $0 })
  }

  private static var sourceLoop: SettingKey {
    .boolean(
      ("source", "loop"), SettingProperty({ $0.source.loops }, { $0.source.loops = $1 }),
      "Whether a trace restarts at its end.",
      effects: [
        "true": "It restarts; the time of the frames continues.",
        "false": "The stream ends there. Subscribers receive a DEVICE with the state \"ended\".",
      ])
  }
}
