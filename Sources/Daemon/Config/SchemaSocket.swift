// SPDX-License-Identifier: Apache-2.0

extension ConfigSchema {
  static let socket = SettingTable(
    name: "socket",
    summary: """
      The daemon's sockets, and who may connect. A changed path or control takes effect at the \
      next start.
      """,
    keys: [
      socketPath,
      socketControl,
      socketAccess,
      socketSeat,
      socketControlUsers,
      socketControlGroup,
      socketMaxSubscribers,
      socketMaxPerUid,
    ])

  private static var socketPath: SettingKey {
    .optional(
      ("socket", "path"), SettingProperty({ $0.socket.path }, { $0.socket.path = $1 }),
      absent: "",
      "Stream socket. The variable PARALLAX_SOCKET overrides it.",
      allowed: "a path of at most 107 bytes, or \"\"",
      defaultNote: """
        parallax/parallax.sock in $XDG_RUNTIME_DIR; without that variable, \
        /run/parallax/parallax.sock for root, /run/user/UID/parallax/parallax.sock for others
        """,
      effects: [
        "A path": "Clients look only in the default places; set PARALLAX_SOCKET for them."
      ],
      parse: SettingGrammar.path, show: { $0 })
  }

  private static var socketControl: SettingKey {
    .optional(
      ("socket", "control"), SettingProperty({ $0.socket.control }, { $0.socket.control = $1 }),
      absent: "",
      """
      Control socket, for `parallax status`, `set` and others. The variable PARALLAX_CONTROL \
      overrides it.
      """,
      allowed: "a path of at most 107 bytes, or \"\"",
      defaultNote: "control.sock beside the stream socket",
      effects: ["A path": "Set PARALLAX_CONTROL for clients."],
      parse: SettingGrammar.path, show: { $0 })
  }

  private static var socketAccess: SettingKey {
    .choice(
      ("socket", "access"), SettingProperty({ $0.socket.access }, { $0.socket.access = $1 }),
      """
      Who may subscribe. A device's motion reveals something of what is typed and said near it.
      """,
      effects: [
        "\"session\"": """
        root, the daemon's own user, the group parallax, and users with the active session on \
        seat.
        """,
        "\"group\"": "root, the daemon's own user and the group parallax.",
        "\"all\"": "Every user who can reach the socket.",
      ])
  }

  private static var socketSeat: SettingKey {
    .parsed(
      ("socket", "seat"), SettingProperty({ $0.socket.seat }, { $0.socket.seat = $1 }),
      """
      Seat of systemd-logind at which users with access = "session" sit: a screen with its keyboard. \
      `loginctl list-seats` shows them. Sessions over the network have no seat.
      """,
      allowed: "the name of a seat, as in \"seat0\"",
      effects: ["Another seat": "Users of that seat are admitted instead."],
      parse: SettingGrammar.seat, show: { $0 })
  }

  private static var socketControlUsers: SettingKey {
    .parsed(
      ("socket", "control-users"),
      SettingProperty({ $0.socket.controlUsers }, { $0.socket.controlUsers = $1 }),
      """
      Users who may control the daemon (set, recenter, reload, play, record, feed), besides root \
      and the daemon's own user.
      """,
      allowed: "user names or numbers, separated by commas, as in \"alice,1001\", or \"\"",
      defaultNote: "none",
      effects: [
        "Names": "They can freeze other users' motion and record the sensor; name few."
      ],
      parse: SettingGrammar.accounts, show: { $0.joined(separator: ",") })
  }

  private static var socketControlGroup: SettingKey {
    .optional(
      ("socket", "control-group"),
      SettingProperty({ $0.socket.controlGroup }, { $0.socket.controlGroup = $1 }), absent: "",
      "Group whose members may control the daemon.",
      allowed: "a group's name or number, or \"\"",
      defaultNote: "none",
      effects: ["A group": "Its members have the rights of control-users."],
      parse: SettingGrammar.account, show: { $0 })
  }

  private static var socketMaxSubscribers: SettingKey {
    .integer(
      ("socket", "max-subscribers"),
      SettingProperty({ $0.socket.maxSubscribers }, { $0.socket.maxSubscribers = $1 }),
      in: 1...4096,
      unit: "connections",
      "Limit of concurrent subscribers. Any further one receives an error and is disconnected.",
      effects: [
        "Up": "More subscribers; each uses a file descriptor and some memory.",
        "Down": "Clients can use fewer of the daemon's resources.",
      ])
  }

  private static var socketMaxPerUid: SettingKey {
    .integer(
      ("socket", "max-per-uid"),
      SettingProperty({ $0.socket.maxPerUser }, { $0.socket.maxPerUser = $1 }), in: 1...4096,
      unit: "connections",
      "Limit of concurrent subscribers of one user.",
      effects: [
        "Up": "One user may use more of max-subscribers.",
        "Down": "More remain for other users.",
      ])
  }
}
