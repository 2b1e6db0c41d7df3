import ParallaxMotion

extension ConfigSchema {
  static let gates = SettingTable(
    name: "gates",
    summary: """
      What stills the motion: people who asked for less of it, and batteries. A closed \
      gate fades the picture to its middle, ends the stream and switches the sensor off.
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
      "Whether motion is reduced, as the desktop's accessibility settings ask.",
      effects: [
        "\"auto\"": "As the desktop says.", "\"on\"": "Always reduced.", "\"off\"": "Never.",
      ])
  }

  private static var gatesLowPower: SettingKey {
    .choice(
      ("gates", "low-power"), SettingProperty({ $0.gates.lowPower }, { $0.gates.lowPower = $1 }),
      "Whether the motion rests while power is low.",
      effects: [
        "\"auto\"": "In the power profile \"power-saver\", else at the battery's low warning.",
        "\"on\"": "Always at rest.", "\"off\"": "Never for this reason.",
      ])
  }

  private static var gatesReduced: SettingKey {
    .choice(
      ("gates", "reduced"), SettingProperty({ $0.gates.reduced }, { $0.gates.reduced = $1 }),
      "What reduced motion leaves.",
      effects: [
        "\"still\"": "Nothing.", "\"subtle\"": "The share subtle-gain of every movement.",
      ])
  }

  private static var gatesSubtleGain: SettingKey {
    .number(
      ("gates", "subtle-gain"),
      SettingProperty({ $0.gates.subtleGain }, { $0.gates.subtleGain = $1 }), in: 0...1,
      unit: "share of the motion",
      "How much reduced = \"subtle\" leaves.",
      effects: ["Up": "More motion; 1 reduces nothing.", "Down": "Less; 0 is still."])
  }

  private static var gatesFade: SettingKey {
    .number(
      ("gates", "fade"),
      SettingProperty({ $0.motion.fadeSeconds }, { $0.motion.fadeSeconds = $1 }),
      in: MotionSettings.fadeRange, unit: "s",
      """
      How long it takes until a gate has closed or opened, the picture has turned with the \
      screen, and recentring is done.
      """,
      effects: ["Up": "Gentler.", "Down": "Quicker; 0 jumps."])
  }

  static let layers = SettingTable(
    name: "layers",
    summary: """
      Planes of the picture that move by a share of the motion of their own: NAME = \
      DEPTH, at most 16. Each OFFSET carries them. Depth has no unit and lies in -10 to 10: 0 \
      stands still, 1 moves with the motion, more moves farther (nearer to the viewer), below \
      0 moves against it. A name is up to 64 bytes without spaces, quotes, backslash, comma or \
      =. Subscribers may bring layers of their own instead.
      """,
    keys: [])

  static let animations = SettingTable(
    name: "animations",
    summary: "Prepared movements that `parallax play` plays.",
    keys: [
      animationsDirectory,
      animationsUrl,
      animationsOnConnect,
      animationsIdle,
    ])

  private static var animationsDirectory: SettingKey {
    .optional(
      ("animations", "directory"),
      SettingProperty({ $0.animations.directory }, { $0.animations.directory = $1 }), absent: "",
      "The folder with animation documents, ID.json each.",
      allowed: "a folder's path, as in \"/usr/share/parallax/animations\", or \"\"",
      defaultNote: "none", effects: ["A path": "`parallax play ID` plays DIRECTORY/ID.json."],
      parse: SettingGrammar.path, show: { $0 })
  }

  private static var animationsUrl: SettingKey {
    .optional(
      ("animations", "url"), SettingProperty({ $0.animations.url }, { $0.animations.url = $1 }),
      absent: "",
      "A web server with documents: URL/ID.json. Asked where the folder has no such document.",
      allowed: "\"https://...\", \"http://...\" or \"\"",
      defaultNote: "none",
      effects: [
        "An address":
          """
        `parallax play ID` also knows what the server has, where the program that fetches \
        it runs beside the daemon.
        """
      ], parse: SettingGrammar.webAddress, show: { $0 })
  }

  private static var animationsOnConnect: SettingKey {
    .optional(
      ("animations", "on-connect"),
      SettingProperty({ $0.animations.onConnect }, { $0.animations.onConnect = $1 }), absent: "",
      """
      What plays when the first subscriber wakes the stream, after 5 s or more without any.
      """,
      allowed: "a document's id of letters, digits, \".\", \"_\" and \"-\", or \"\"",
      defaultNote: "nothing", effects: ["An id": "The picture greets whoever starts looking."],
      parse: SettingGrammar.identifier, show: { $0 })
  }

  private static var animationsIdle: SettingKey {
    .optional(
      ("animations", "idle"),
      SettingProperty({ $0.animations.idle }, { $0.animations.idle = $1 }), absent: "",
      """
      What plays over and over while no gyroscope streams and nothing else stills the picture: \
      a screen without a sensor breathes with it.
      """,
      allowed: "a document's id of letters, digits, \".\", \"_\" and \"-\", or \"\"",
      defaultNote: "nothing",
      effects: ["An id": "Such a picture moves, and its stream and CPU time go on."],
      parse: SettingGrammar.identifier, show: { $0 })
  }

  static let socket = SettingTable(
    name: "socket",
    summary: """
      Where the daemon listens, and whom it admits. A changed path, or control, counts \
      from the next start.
      """,
    keys: [
      socketPath,
      socketControl,
      socketAccess,
      socketControlUsers,
      socketControlGroup,
      socketMaxSubscribers,
      socketMaxPerUid,
    ])

  private static var socketPath: SettingKey {
    .optional(
      ("socket", "path"), SettingProperty({ $0.socket.path }, { $0.socket.path = $1 }),
      absent: "",
      "The stream's socket. The variable PARALLAX_SOCKET is stronger.",
      allowed: "a path of at most 107 bytes, or \"\"",
      defaultNote: """
        parallax/parallax.sock in $XDG_RUNTIME_DIR; without that variable \
        /run/parallax/parallax.sock for root, in /run/user/UID for others
        """,
      effects: [
        "A path": "Clients look in the default places only: tell them with PARALLAX_SOCKET."
      ],
      parse: SettingGrammar.path, show: { $0 })
  }

  private static var socketControl: SettingKey {
    .optional(
      ("socket", "control"), SettingProperty({ $0.socket.control }, { $0.socket.control = $1 }),
      absent: "",
      """
      The control socket, for `parallax status`, `set` and the like. The variable \
      PARALLAX_CONTROL is stronger.
      """,
      allowed: "a path of at most 107 bytes, or \"\"",
      defaultNote: "control.sock beside the stream's socket",
      effects: ["A path": "Tell clients with PARALLAX_CONTROL."],
      parse: SettingGrammar.path, show: { $0 })
  }

  private static var socketAccess: SettingKey {
    .choice(
      ("socket", "access"), SettingProperty({ $0.socket.access }, { $0.socket.access = $1 }),
      "Who may subscribe. How a device moves tells something of what is typed and said near it.",
      effects: [
        "\"session\"": """
        root, the daemon's own user, the group parallax, and users with an \
        active session.
        """,
        "\"group\"": "root, the daemon's own user and the group parallax.",
        "\"all\"": "Every user who can reach the socket.",
      ])
  }

  private static var socketControlUsers: SettingKey {
    .parsed(
      ("socket", "control-users"),
      SettingProperty({ $0.socket.controlUsers }, { $0.socket.controlUsers = $1 }),
      """
      Users who may control the daemon (set, recenter, reload, play, record), besides root and \
      the daemon's own user.
      """,
      allowed: "names or numbers of users, with commas between, as in \"alice,1001\", or \"\"",
      defaultNote: "nobody else",
      effects: ["Names": "They may still others' pictures and record the sensor: few should."],
      parse: SettingGrammar.accounts, show: { $0.joined(separator: ",") })
  }

  private static var socketControlGroup: SettingKey {
    .optional(
      ("socket", "control-group"),
      SettingProperty({ $0.socket.controlGroup }, { $0.socket.controlGroup = $1 }), absent: "",
      "A group whose members may control the daemon.",
      allowed: "a group's name or number, or \"\"",
      defaultNote: "none", effects: ["A group": "The same for all its members."],
      parse: SettingGrammar.account, show: { $0 })
  }

  private static var socketMaxSubscribers: SettingKey {
    .integer(
      ("socket", "max-subscribers"),
      SettingProperty({ $0.socket.maxSubscribers }, { $0.socket.maxSubscribers = $1 }),
      in: 1...4096,
      unit: "connections",
      "Subscribers at a time. One more is told so and turned away.",
      effects: [
        "Up": "More at a time; each takes a file descriptor and some memory.",
        "Down": "A lower bound on what strangers can make the daemon spend.",
      ])
  }

  private static var socketMaxPerUid: SettingKey {
    .integer(
      ("socket", "max-per-uid"),
      SettingProperty({ $0.socket.maxPerUser }, { $0.socket.maxPerUser = $1 }), in: 1...4096,
      unit: "connections",
      "Subscribers at a time of one user.",
      effects: [
        "Up": "One user may take more of max-subscribers.",
        "Down": "Others find a place more surely.",
      ])
  }
}
