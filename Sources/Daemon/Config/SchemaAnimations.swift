// SPDX-License-Identifier: Apache-2.0

extension ConfigSchema {
  static let animations = SettingTable(
    name: "animations",
    summary: "The animations of `parallax play`.",
    keys: [
      animationsDirectory,
      animationsUrl,
      animationsOnConnect,
      animationsIdle,
    ])

  private static let allowedID =
    "a document's id of letters, digits, \".\", \"_\" and \"-\", or \"\""

  private static var animationsDirectory: SettingKey {
    .optional(
      ("animations", "directory"),
      SettingProperty({ $0.animations.directory }, { $0.animations.directory = $1 }), absent: "",
      """
      Folder of animation documents of your own, each named ID.json. Those that are installed \
      with parallax, in share/parallax/animations, need no folder here.
      """,
      allowed: "a folder's path, as in \"/srv/animations\", or \"\"",
      defaultNote: "none", effects: ["A path": "`parallax play ID` plays DIRECTORY/ID.json."],
      parse: SettingGrammar.path, show: { $0 })
  }

  private static var animationsUrl: SettingKey {
    .optional(
      ("animations", "url"), SettingProperty({ $0.animations.url }, { $0.animations.url = $1 }),
      absent: "",
      "Web server of animation documents that are not in the folder, each at URL/ID.json.",
      allowed: "\"https://...\", \"http://...\" or \"\"",
      defaultNote: "none",
      effects: [
        "An address":
          """
        `parallax play ID` also plays documents of the server, if parallax-provider runs beside \
        the daemon and fetches them.
        """
      ], parse: SettingGrammar.webAddress, show: { $0 })
  }

  private static var animationsOnConnect: SettingKey {
    .optional(
      ("animations", "on-connect"),
      SettingProperty({ $0.animations.onConnect }, { $0.animations.onConnect = $1 }), absent: "",
      """
      Animation that plays when the first client subscribes, after 5 s or more without \
      subscribers.
      """,
      allowed: allowedID,
      defaultNote: "none", effects: ["An id": "The animation greets the viewer."],
      parse: SettingGrammar.identifier, show: { $0 })
  }

  private static var animationsIdle: SettingKey {
    .optional(
      ("animations", "idle"),
      SettingProperty({ $0.animations.idle }, { $0.animations.idle = $1 }), absent: "",
      """
      Animation that repeats while no gyroscope streams and nothing else stops motion, as on \
      a screen without a sensor.
      """,
      allowed: allowedID,
      defaultNote: "none",
      effects: ["An id": "The picture never rests; the daemon keeps streaming and using CPU time."],
      parse: SettingGrammar.identifier, show: { $0 })
  }
}
